import type { Sketch } from './sketch.tsx';

/** Finding and making elements, in a few words. */
export interface Elements {
  /** The first element within that matches. */
  one<T extends Element = HTMLElement>(within: ParentNode, selector: string): T | undefined;
  /** Every element within that matches. */
  all<T extends Element = HTMLElement>(within: ParentNode, selector: string): T[];
  /** A new element; `className` may be empty. Strings become text, never markup. */
  make(name: string, className: string, ...children: (Node | string)[]): HTMLElement;
  /** A sketch as an element. */
  draw(sketch: Sketch): HTMLElement;
}

/**
 * What the functions of the page's script share.
 *
 * The report is one file without a build step of its own: these functions are written into it with
 * `Function.prototype.toString`. Type checker, linter and tests see them as ordinary code that way, and no bundler stands
 * between source and report. Each may therefore use nothing from outside itself but types, the browser and its arguments
 * (which travel the same road), and no syntax that a compiler would replace by a helper kept elsewhere.
 */
export function elements(): Elements {
  const one = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T | undefined =>
    within.querySelector<T>(selector) ?? undefined;
  const all = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T[] =>
    Array.from(within.querySelectorAll<T>(selector));
  const make = (name: string, className: string, ...children: (Node | string)[]): HTMLElement => {
    const element = document.createElement(name);
    if (className !== '') element.className = className;
    element.append(...children);
    return element;
  };
  const built = ({ tag, attributes, children }: Sketch, within: boolean): Element => {
    const svg = within || tag === 'svg';
    const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) element.setAttribute(name, String(value));
    }
    for (const child of children) element.append(typeof child === 'string' ? child : built(child, svg));
    return element;
  };
  const draw = (sketch: Sketch): HTMLElement => built(sketch, false) as HTMLElement;

  return { one, all, make, draw };
}
