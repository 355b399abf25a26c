import type { JSX } from 'preact';
import type { TargetReport, Waterfall } from '../../../model/result/report.ts';
import { standingOf } from '../../../result/representative.ts';
import { stateInWords } from '../../../wording/result/outcome.ts';
import { plain } from '../../../wording/text/text.ts';
import { Part } from '../components/part.tsx';
import { type NamedLoad, StaticWaterfalls, type WaterfallGroup } from './figure.tsx';
import { axisOf } from './geometry.ts';
import { WaterfallKeys, WaterfallLegend } from './legend.tsx';
import { pack } from './pack.ts';
import { shownWaterfall } from './table/rows.ts';

/** The waterfalls of a target: the representative run as markup, the others ready to be asked for. */
export function WaterfallPart({
  target,
  id,
  analysis,
}: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const named = (waterfall: Waterfall): string => {
    const run = target.result.runs.find((candidate) => candidate.index === waterfall.run);
    const standing = analysis ? undefined : standingOf(target, run);
    const median = standing === undefined ? '' : ` (${standing})`;
    const role = run === undefined || run.role === 'timed' ? '' : ` (${plain(run.role)}, untimed)`;
    const number = analysis && target.waterfalls.length === 1 ? '' : ` ${waterfall.run}`;
    return `${analysis ? 'Recording' : 'Run'}${number}${median}${role}, page complete: ${stateInWords(run?.pageComplete)}`;
  };
  const axis = axisOf(...target.waterfalls);
  const [first, ...others] = target.waterfalls.map(
    (waterfall): NamedLoad => ({ name: named(waterfall), load: shownWaterfall(waterfall, axis) }),
  );
  if (first === undefined) return undefined;
  return (
    <Part id={id} title="Waterfall" broad>
      <Waterfalls group={{ axis, figures: [{ id, runs: [first, ...others] }] }} of={target.waterfalls} />
    </Part>
  );
}

/** Waterfalls that stand together, with their legend; the script makes them live. */
export function Waterfalls(props: { readonly group: WaterfallGroup; readonly of: readonly Waterfall[] }): JSX.Element {
  const { group, of } = props;
  return (
    <>
      <div class="waterfalls">
        <StaticWaterfalls {...group} />
      </div>
      {/* Base64: there is nothing in it that could end the element. */}
      <script type="text/plain" dangerouslySetInnerHTML={{ __html: pack(group) }} />
      <details class="more">
        <summary>Colors and keys</summary>
        <WaterfallLegend waterfalls={of} />
        <WaterfallKeys />
      </details>
    </>
  );
}
