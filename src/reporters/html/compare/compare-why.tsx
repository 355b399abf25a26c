import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/result/report.ts';
import { regressionToHandOver } from '../../../report/hand-over.ts';
import { whyLines } from '../../../wording/compare/why.ts';
import { HandOver } from '../components/hand-over.tsx';
import { foreign, partId, sentence } from '../components/part.tsx';

/** Why, in a list below the headline, with the way to the whole of it. */
export function CompareWhy({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const lines = whyLines(report.result);
  if (lines.length === 0) return undefined;
  const isProven = lines.some(({ interval }) => interval !== undefined);
  return (
    <div class="compare-why">
      <h2>Why</h2>
      <ul>
        {lines.map(({ name, change, interval, about }, index) => (
          <li key={index}>
            <bdi dir="ltr">{foreign(name)}</bdi>
            {change !== undefined && ` ${change}`}
            {interval !== undefined && <small> {sentence(interval)}</small>}
            {about !== undefined && (
              <small>
                {' '}
                <bdi dir="ltr">{sentence(about)}</bdi>
              </small>
            )}
          </li>
        ))}
      </ul>
      <p class="keys">
        {isProven && 'Proven by intervals over the loads (95%). '}
        <a href={`#${partId('compare', 'What changed besides time')}`}>What changed besides time</a>
      </p>
      <HandOver parts={regressionToHandOver(report)} />
    </div>
  );
}
