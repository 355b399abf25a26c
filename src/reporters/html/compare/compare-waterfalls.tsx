import type { JSX } from 'preact';
import { BUILDS } from '../../../model/compare/build.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import { stateInWords } from '../../../wording/result/outcome.ts';
import { formatCount } from '../../../wording/text/format.ts';
import { Part } from '../components/part.tsx';
import type { Figure } from '../waterfall/figure.tsx';
import { axisOf } from '../waterfall/geometry.ts';
import { shownWaterfall } from '../waterfall/table/rows.ts';
import { Waterfalls } from '../waterfall/waterfall.tsx';
import { BUILD_NAMES } from './build-sign.tsx';
import { rowMarks } from './row-marks.ts';

/** A load of each build that stands for it, one under the other on one axis of time. */
export function CompareWaterfallsPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const shown = BUILDS.flatMap((build) => {
    const [waterfall] = report[build].waterfalls;
    if (waterfall === undefined) return [];
    const run = report[build].result.runs.find(({ index }) => index === waterfall.run);
    const complete = `page complete: ${stateInWords(run?.pageComplete)}`;
    const name = `${BUILD_NAMES[build]}, run ${waterfall.run}, ${complete}`;
    const line = `${BUILD_NAMES[build]}: ${formatCount(waterfall.rows.length, 'request')}, ${complete}`;
    return [{ build, waterfall, name, line, marks: rowMarks(report, build) }];
  });
  if (shown.length === 0) return undefined;
  const waterfalls = shown.map(({ waterfall }) => waterfall);
  const axis = axisOf(...waterfalls);
  const figures = shown.map(({ build, waterfall, name, marks }): Figure => {
    return { id: build, runs: [{ name, load: shownWaterfall(waterfall, axis, marks) }] };
  });
  return (
    <Part
      id="compare"
      title="Waterfalls"
      line={shown.map(({ line }) => line).join('; ')}
      lead="The median load of each build, on the same time axis. Filters, groups, order and zoom apply to both. Requests that only one build has, or that differ in size, are marked."
      broad
    >
      <Waterfalls group={{ axis, figures }} of={waterfalls} />
    </Part>
  );
}
