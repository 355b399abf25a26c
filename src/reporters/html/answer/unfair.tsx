import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../../model/report.ts';
import { fairnessOf, unfairPagesInWords } from '../../../report/fairness.ts';
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

/** The same above a table of pages, each of which says why. */
export function UnfairPages({
  report: { result, targets },
}: {
  readonly report: AuditReport;
}): JSX.Element | undefined {
  const unfair = result.kind === 'analysis' ? undefined : unfairPagesInWords(targets);
  if (unfair === undefined) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(unfair)}
    </p>
  );
}
