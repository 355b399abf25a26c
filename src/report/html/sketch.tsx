import { type ComponentChildren, h, type JSX } from 'preact';

/** A piece of a drawing that nobody has drawn yet: the server writes it as markup, the browser as elements. */
export interface Sketch {
  readonly tag: string;
  /** By name as in markup; an absent value is an absent attribute. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  /** Strings are text, never markup. */
  readonly children: readonly (Sketch | string)[];
}

/** Makes sketches: tag, attributes, children. `undefined` and `false` among the children are left out. */
export type Sketcher = (
  tag: string,
  attributes: Sketch['attributes'],
  ...children: readonly (Sketch | string | false | undefined)[]
) => Sketch;

/** The only `Sketcher`. Self-contained (see `client-elements.ts`). */
export function sketch(...[tag, attributes, ...children]: Parameters<Sketcher>): Sketch {
  return { tag, attributes, children: children.filter((child) => child !== undefined && child !== false) };
}

/** A sketch as markup. */
export function Drawn({ of }: { readonly of: Sketch }): JSX.Element {
  return markupOf(of);
}

function markupOf({ tag, attributes, children }: Sketch): JSX.Element {
  const within: ComponentChildren[] = children.map((child) => (typeof child === 'string' ? child : markupOf(child)));
  return h(tag, { ...attributes }, ...within);
}
