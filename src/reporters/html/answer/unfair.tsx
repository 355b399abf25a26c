import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import { fairnessOf } from '../../../report/fairness.ts';
import { partId, sentence } from '../components/part.tsx';

/** Beside the answer, for who reads no further: that its figures may not hold, and where it says why. */
export function Unfair({
  target,
  id,
}: {
  readonly target: TargetReport;
  readonly id: string;
}): JSX.Element | undefined {
  const unfair = fairnessOf(target)?.aside;
  if (unfair === undefined) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(unfair)} <a href={`#${partId(id, 'Was it fair?')}`}>Why</a>
    </p>
  );
}
