import type { ComponentChildren, JSX } from 'preact';

/** A link that leaves the report: it opens beside it, and its page learns nothing of it. */
export function Outside(props: {
  readonly class?: string;
  readonly dir?: 'ltr';
  readonly href: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return <a {...props} rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank" />;
}
