import type { JSX } from 'preact';
import type { CompareReport } from '../../model/report.ts';
import { stateInWords } from '../select.ts';
import { axisOf } from './geometry.ts';
import { islandsOf } from './island.ts';
import { rowMarks } from './row-marks.ts';
import { WaterfallFigure, Words } from './waterfall.tsx';
import { WaterfallKeys, WaterfallLegend } from './waterfall-legend.tsx';

/** A load of each build that stands for it, one under the other on one axis of time. */
export function CompareWaterfallsPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const shown = (['base', 'candidate'] as const).flatMap((build) => {
    const [waterfall] = report[build].waterfalls;
    if (waterfall === undefined) return [];
    const run = report[build].result.runs.find(({ index }) => index === waterfall.run);
    const name = `${build === 'base' ? 'Base' : 'Candidate'}, run ${waterfall.run}, page complete: ${stateInWords(run?.pageComplete)}`;
    return [{ build, waterfall, name, marks: rowMarks(report, build) }];
  });
  if (shown.length === 0) return undefined;
  const waterfalls = shown.map(({ waterfall }) => waterfall);
  const axis = axisOf(...waterfalls);
  const { vocabulary, islands } = islandsOf(shown, axis);
  return (
    <section class="part">
      <h3 id="compare-waterfalls">The two waterfalls</h3>
      <p class="lead">
        The load in the middle of each build, on one axis of time; filters, groups, order and zoom apply to both. What
        only one build has, or has in another size, is marked.
      </p>
      <div class="body broad" data-together>
        {shown.map(({ build, waterfall, name }, i) => (
          <WaterfallFigure
            key={build}
            runs={[{ waterfall, island: islands[i], name }]}
            id={build}
            axis={axis}
            vocabulary={vocabulary}
            words="compare-words"
          />
        ))}
        <WaterfallLegend waterfalls={waterfalls} />
        <WaterfallKeys />
        <Words vocabulary={vocabulary} id="compare-words" />
      </div>
    </section>
  );
}
