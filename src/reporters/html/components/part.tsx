import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { AuditReport, TargetReport } from '../../../model/result/report.ts';
import type { DocsSection } from '../../../wording/messages/docs.ts';
import { elide, plain, safeHref } from '../../../wording/text/text.ts';
import { Outside } from '../links/outside.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';
import { slug } from '../links/slug.ts';
import { Explained } from './explained.tsx';

/** Longest foreign text that is written out, the longest address and the longest name: both still tell which one it is. */
const LONG = 600;
const LONG_ADDRESS = 240;
const LONG_NAME = 160;

/** Text of a page, a server or a stored file as one harmless line of bearable length. */
export const foreign = (text: string): string => plain(elide(text, LONG));

/** The same for names and titles, of which nobody reads a paragraph. */
export const foreignName = (text: string): string => foreign(elide(text, LONG_NAME));

/** The same for sentences, in which a figure stays with its unit. */
export const sentence = (text: string): string =>
  foreign(text).replace(/(\d) (?=(?:ms|s|%|[kMG]?(?:B|bit\/s))(?!\w))/g, '$1\u00a0');

/** A URL of the page: a link when it is safe to follow. */
export function Address({ url }: { readonly url: string }): JSX.Element | undefined {
  const href = safeHref(url);
  if (href === undefined) return <bdi dir="ltr">{foreign(elide(url, LONG_ADDRESS))}</bdi>;
  return (
    <Outside href={href}>
      <bdi dir="ltr">{foreign(elide(url, LONG_ADDRESS))}</bdi>
    </Outside>
  );
}

/** What a section of a page's report is given. */
export interface SectionProps {
  readonly target: TargetReport;
  /** The whole report, of which the page is one of many or the only one. */
  readonly report: AuditReport;
  /** The page's pictures that stand in the report itself. */
  readonly pictures: EmbeddedPictures;
  /** Begins the ids of the section's elements. */
  readonly id: string;
  /** True when recorded pages are analysed and nothing was measured. */
  readonly analysis: boolean;
}

/** Where a part of a target's report begins, as its links name it. */
export const partId = (id: string, title: string): string => `${id}-${slug(title)}`;

/** A place that the contents bar leads to. */
export interface Place {
  readonly id: string;
  readonly title: string;
}

/** Every part of a page says its name here while it is rendered. */
export const Contents = createContext<Place[]>([]);

/** A link to the heading itself, to be copied and shared. Its sign is drawn, so that it is not copied with the text. */
function Anchor({ id, of }: { readonly id: string; readonly of: string }): JSX.Element {
  // biome-ignore lint/a11y/useAnchorContent: its label says where it leads
  return <a class="anchor" href={`#${id}`} aria-label={`Link to: ${foreign(of)}`} />;
}

/**
 * A part of a target's report with its heading; no landmark of its own, since several pages have the same parts. With a line
 * it is a row that unfolds in place: paper, and browsers without scripts, show all of it.
 */
export function Part(props: {
  readonly id: string;
  readonly title: string;
  /** What it comes to: it is folded below that. */
  readonly line?: string | undefined;
  readonly lead?: string | JSX.Element | undefined;
  /** The section of the documents that explains it. */
  readonly docs?: DocsSection | undefined;
  /** Its name in the contents bar, where the title is long. */
  readonly short?: string | undefined;
  /** Looks of its own. */
  readonly broad?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element | undefined {
  const { title, line, lead, docs, short = title, broad = false } = props;
  const id = partId(props.id, title);
  useContext(Contents).push({ id, title: short });
  const content = (
    <>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {docs !== undefined && <Explained section={docs} label="Learn more" about={`about: ${title}`} />}
      <div class={broad ? 'body broad' : 'body'}>{props.children}</div>
    </>
  );
  if (line !== undefined) {
    return (
      <details class="part folded">
        <summary>
          <h3 id={id}>{title}</h3> <span class="line">{sentence(line)}</span>
        </summary>
        {content}
      </details>
    );
  }
  return (
    <section class="part">
      <div class="part-head">
        <h3 id={id}>{title}</h3>
        <Anchor id={id} of={title} />
      </div>
      {content}
    </section>
  );
}
