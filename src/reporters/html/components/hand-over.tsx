import type { JSX } from 'preact';
import type { Part } from '../../../report/parts.ts';
import { writeMarkdown } from '../../markdown/write.ts';

/** Copies what is needed to fix a problem, as Markdown. Without scripts the button is hidden. */
export function HandOver({ parts }: { readonly parts: readonly Part[] | undefined }): JSX.Element | undefined {
  if (parts === undefined) return undefined;
  return (
    <button type="button" class="copy" data-copy={`${writeMarkdown(parts)}\n`} hidden>
      Copy for whoever fixes it
    </button>
  );
}
