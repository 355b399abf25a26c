import type { ComponentChildren, JSX } from 'preact';
import { formatValue } from '../../../wording/text/format.ts';

/** What ends a list that was cut: nothing where all of it is there. */
export function AndMore({ count }: { readonly count: number }): JSX.Element | undefined {
  return count > 0 ? <li>and {formatValue(count, 'count')} more</li> : undefined;
}

/** Short lines below each other, the first ones of many; nothing where there are none. */
export function Notes(props: {
  readonly lines: readonly ComponentChildren[];
  readonly className?: string;
  /** As many are listed before it says how many more there are. */
  readonly most?: number;
  /** What they are, where no heading says it. */
  readonly label?: string;
}): JSX.Element | undefined {
  const { lines, className = 'notes', most = lines.length, label } = props;
  if (lines.length === 0) return undefined;
  return (
    <ul class={className} aria-label={label}>
      {lines.slice(0, most).map((line, index) => (
        <li key={index}>{line}</li>
      ))}
      <AndMore count={lines.length - most} />
    </ul>
  );
}
