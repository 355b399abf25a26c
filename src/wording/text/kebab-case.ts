/** A camel-case name as it is typed in an option or a budget: "maxInflight" is "max-inflight". */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
