import type { JSX } from 'preact';

/** A button that copies a text; where no script runs it is not seen. */
export function CopyButton({ says, text }: { readonly says: string; readonly text: string }): JSX.Element {
  return (
    <button type="button" class="copy" data-copy={text} hidden>
      {says}
    </button>
  );
}
