import type { JSX } from 'preact';
import type { CompareReport } from '../../model/report.ts';
import { stateInWords } from '../select.ts';
import { axisOf } from './geometry.ts';
import { rowMarks } from './row-marks.ts';
import { Legend, WaterfallIsland, WaterfallRun } from './waterfall.tsx';

/** A load of each build that stands for it, one under the other on one axis of time. */
export function CompareWaterfallsPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const shown = (['base', 'candidate'] as const).flatMap((build) => {
    const [waterfall] = report[build].waterfalls;
    if (waterfall === undefined) return [];
    const run = report[build].result.runs.find(({ index }) => index === waterfall.run);
    const name = `${build === 'base' ? 'Base' : 'Candidate'}, run ${waterfall.run}, page complete: ${stateInWords(run?.pageComplete)}`;
    return [{ build, waterfall, name }];
  });
  if (shown.length === 0) return undefined;
  const axis = axisOf(...shown.map(({ waterfall }) => waterfall));
  return (
    <section class="part" aria-labelledby="compare-waterfalls">
      <h3 id="compare-waterfalls">The two waterfalls</h3>
      <p class="lead">
        The load in the middle of each build, on one axis of time; filters apply to both. What only one build has, or
        has in another size, is marked.
      </p>
      <div class="body" data-together>
        {shown.map(({ build, waterfall, name }) => (
          <div key={build} class="waterfall">
            <WaterfallRun waterfall={waterfall} id={build} name={name} axis={axis} marks={rowMarks(report, build)} />
            <WaterfallIsland waterfall={waterfall} id={build} />
          </div>
        ))}
        <Legend waterfalls={shown.map(({ waterfall }) => waterfall)} />
      </div>
    </section>
  );
}
