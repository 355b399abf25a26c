/** Headers or variables as Node takes them; of several of one name, the last. */
export function valuesByName(
  all: readonly { readonly name: string; readonly value: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}
