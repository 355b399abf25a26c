import type { JSX } from 'preact';
import { BUILDS } from '../../../model/build.ts';
import type { CompareReport } from '../../../model/report.ts';
import { type ShownLighthouse, shownLighthouse } from '../../../report/lighthouse.ts';
import { formatCount, formatValue } from '../../../wording/format.ts';
import { changeInterval, changeText, coverage, UNBOUNDED } from '../../comparison.ts';
import { foreign, Part } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { LighthouseFailures, LighthouseLink, LighthouseWaited } from '../lighthouse/lighthouse.tsx';
import { BUILD_NAMES, BuildSign } from './build-sign.tsx';

/** Nothing is decided by these: no change matters or does not. */
const UNDECIDING = { up: 0, down: 0 };

/** "Performance 94 → 91". */
const figureInShort = ({ title, base, candidate, unit }: ShownLighthouse): string =>
  `${title} ${formatValue(base, unit)} → ${formatValue(candidate, unit)}`;

/** The change as the comparison's own metrics have it. */
function compared({ difference, level = 0, unit }: ShownLighthouse) {
  return { unit, ...(difference && { difference: { ...difference, level, minEffect: UNDECIDING } }) };
}

/** What Lighthouse says of both builds; it informs and decides nothing. */
export function CompareLighthousePart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { lighthouse } = report.result;
  const builds = BUILDS.flatMap((build) => {
    const own = report[build].result.lighthouse;
    return own === undefined ? [] : [{ build, own }];
  });
  if (lighthouse === undefined) return undefined;
  const rows = shownLighthouse(lighthouse.comparisons, report.columns);
  const [level] = rows.flatMap((row) => row.level ?? []);
  const columns: readonly Column<ShownLighthouse>[] = [
    { title: 'Score or metric', className: 'some', cell: ({ title }) => foreign(title) },
    { title: 'Base', className: 'num', cell: ({ base, unit }) => formatValue(base, unit) },
    { title: 'Candidate', className: 'num', cell: ({ candidate, unit }) => formatValue(candidate, unit) },
    { title: 'Change', className: 'num strong', cell: (row) => changeText(compared(row)) },
    {
      title: level === undefined ? 'Interval' : `Interval, ${coverage(level)}`,
      className: 'num',
      cell: (row) => {
        const interval = changeInterval(compared(row));
        return interval === UNBOUNDED ? 'too few runs' : interval;
      },
    },
  ];
  return (
    <Part
      id="compare"
      title="Lighthouse"
      line={rows.map(figureInShort).join('; ') || 'It gave no answer'}
      lead={`${formatCount(lighthouse.runs, 'run')} of each build, alternating, after the comparison. For information only: scores from 0 to 100, where more is better, and metrics under Lighthouse’s own rules, where less is better.`}
    >
      {rows.length > 0 && <Table caption="Lighthouse of both builds" columns={columns} rows={rows} />}
      <div class="columns">
        {builds.map(({ build, own }) => (
          <section key={build}>
            <h4>
              <BuildSign build={build} />
              {BUILD_NAMES[build]}
            </h4>
            <LighthouseFailures lighthouse={own} />
            <LighthouseWaited lighthouse={own} />
            <LighthouseLink report={own.report} says={`Lighthouse’s own report of the ${build}`} />
          </section>
        ))}
      </div>
    </Part>
  );
}
