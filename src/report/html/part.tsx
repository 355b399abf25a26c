import type { ComponentChildren, JSX } from 'preact';
import { elide, plain, safeHref } from '../text.ts';

/** Longest foreign text that is written out. */
const LONG = 600;

/** Text of a page, a server or a stored file as one harmless line of bearable length. */
export const foreign = (text: string): string => plain(elide(text, LONG));

/** The same for sentences, in which a figure stays with its unit. */
export const sentence = (text: string): string => foreign(text).replace(/(\d) (?=(?:ms|s|%)(?!\w))/g, '$1\u00a0');

/** A URL of the page: a link when it is safe to follow. */
export function Address({ url }: { readonly url: string }): JSX.Element | undefined {
  const href = safeHref(url);
  if (href === undefined) return <bdi dir="ltr">{foreign(url)}</bdi>;
  return (
    <a href={href} rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank">
      <bdi dir="ltr">{foreign(url)}</bdi>
    </a>
  );
}

const slug = (title: string): string => title.toLowerCase().replace(/[^a-z]+/g, '-');

/** A part of a target's report with its heading. */
export function Part(props: {
  readonly id: string;
  readonly title: string;
  readonly lead?: string | JSX.Element | undefined;
  readonly children: ComponentChildren;
}): JSX.Element | undefined {
  const heading = `${props.id}-${slug(props.title)}`;
  return (
    <section class="part" aria-labelledby={heading}>
      <h3 id={heading}>{props.title}</h3>
      {props.lead !== undefined && <p class="lead">{props.lead}</p>}
      <div class="body">{props.children}</div>
    </section>
  );
}
