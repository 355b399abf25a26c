/** The first element within that matches. */
export const one = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T | undefined =>
  within.querySelector<T>(selector) ?? undefined;

/** Every element within that matches. */
export const all = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T[] => [
  ...within.querySelectorAll<T>(selector),
];

/** A new element; `className` may be empty. Strings become text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}
