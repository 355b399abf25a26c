import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/result/report.ts';
import { showsHost } from '../../../report/compare/answer.ts';
import { partId, sentence } from '../components/part.tsx';

/** Beside the decision, for who reads no further: that the machine was not fit, and where it says how much. */
export function UnfitHost({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  if (!showsHost(report)) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(report.result.host.sentence)} <a href={`#${partId('compare', 'Was it fair?')}`}>Why</a>
    </p>
  );
}
