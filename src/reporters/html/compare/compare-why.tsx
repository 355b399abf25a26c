import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/report.ts';
import { whyOf } from '../../why.ts';
import { foreign, partId } from '../components/part.tsx';

/** Why, in a line below the headline, with the way to the whole of it. */
export function CompareWhy({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const why = whyOf(report);
  if (why === undefined) return undefined;
  const list = (items: readonly string[]): readonly JSX.Element[] =>
    items.map((item, index) => (
      <li key={index}>
        <bdi dir="ltr">{foreign(item)}</bdi>
      </li>
    ));
  return (
    <div class="compare-why">
      <h2>Why</h2>
      <ul>
        {list(why.path)}
        {list(why.traffic)}
      </ul>
      <p class="keys">
        {why.path.length > 0 && (
          <>
            Times: on the <a href={`#${partId('compare', 'Critical path')}`}>critical path</a> of a typical load of each
            build.{' '}
          </>
        )}
        {why.traffic.length > 0 && (
          <a href={`#${partId('compare', 'What changed besides time')}`}>What changed besides time</a>
        )}
      </p>
    </div>
  );
}
