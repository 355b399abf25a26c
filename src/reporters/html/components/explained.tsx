import type { JSX } from 'preact';
import { type DocsSection, docsAddress, explanation } from '../../../wording/messages/docs.ts';
import { Outside } from '../links/outside.tsx';

/** Unfolds in place what the documents say, so that a report explains itself where there is no network. */
export function Explained(props: {
  readonly section: DocsSection;
  readonly label: string;
  /** What it is about, for readers who hear only the label. */
  readonly about?: string;
}): JSX.Element {
  const { section, label, about } = props;
  return (
    <details class="explained">
      <summary>
        {label}
        {about !== undefined && <span class="unseen"> {about}</span>}
      </summary>
      {/* Words of our own, in which the build has left no HTML but its own. */}
      <div dangerouslySetInnerHTML={{ __html: explanation(section) }} />
      <p>
        <Outside href={docsAddress(section)}>More in the documentation</Outside>
      </p>
    </details>
  );
}
