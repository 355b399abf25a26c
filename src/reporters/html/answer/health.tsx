import type { JSX } from 'preact';
import type { TargetResult } from '../../../model/result/result.ts';
import { healthLine } from '../../../wording/health.ts';
import { sentence } from '../components/part.tsx';

/** That a page does not work, or loaded without something: above its number. */
export function Health(props: {
  readonly target: Pick<TargetResult, 'runs' | 'url' | 'finalUrl'>;
  /** Whose page it is, where there are two. */
  readonly of?: string;
}): JSX.Element | undefined {
  const line = healthLine(props.target);
  if (line === undefined) return undefined;
  return (
    <p class="notice health" role="note">
      <span aria-hidden="true">⚠ </span>
      {props.of !== undefined && `${props.of}: `}
      <b>{sentence(line.title)}</b>
      {sentence(line.rest)}
    </p>
  );
}
