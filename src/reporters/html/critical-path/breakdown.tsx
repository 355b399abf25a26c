import type { TargetReport } from '../../../model/report.ts';
import type { Breakdown } from '../../../model/result.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { standingOf } from '../../../result/representative.ts';
import { formatValue } from '../../../wording/format.ts';
import { DOCS } from '../components/docs.ts';
import { Part } from '../components/part.tsx';
import { type Piece, Split } from '../components/split.tsx';
import { CriticalPathFigure } from './critical-path.tsx';
import { Fixes } from './fixes.tsx';

/** Its stages; a step that loads no document has none of the first two. */
function stagesOf(breakdown: Breakdown, step: boolean): readonly Piece[] {
  const stages: readonly Piece[] = [
    {
      className: 'b1',
      title: 'Base page',
      value: breakdown.basePage,
      means: 'From the request to the last byte of the document',
    },
    { className: 'b2', title: 'Parse', value: breakdown.parse, means: 'Parsing HTML, nothing downloading' },
    {
      className: 'b3',
      title: 'Components',
      value: breakdown.components,
      means: 'Downloading scripts, styles, images, data',
    },
    {
      className: 'b4',
      title: 'Render',
      value: breakdown.render,
      means: 'Nothing downloading, the page still changes',
    },
  ];
  return step ? stages.filter(({ className, value }) => value > 0 || !['b1', 'b2'].includes(className)) : stages;
}

/** Where page-complete went, of the run that stands for the target. */
export function BreakdownPart(props: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}) {
  const { target, id, analysis } = props;
  const run = target.representative;
  const breakdown = run?.breakdown;
  const busy = run?.metrics?.mainThreadTime;
  const waiting = run?.metrics?.waitTime;
  const stolen = run?.metrics?.stolenTime;
  const path = run?.criticalPath;
  const isKnown = breakdown !== undefined || path !== undefined || (busy !== undefined && waiting !== undefined);
  if (run === undefined || !isKnown) return undefined;
  const complete = formatValue(run.pageComplete?.at, 'ms');
  const standing = standingOf(target, run);
  return (
    <Part
      id={id}
      title="Where the time went"
      docs={DOCS.criticalPath}
      lead={
        analysis && countedRuns(target).length === 1
          ? `The stages add up to the page-complete time of ${complete}.`
          : `${analysis ? 'Recording' : 'Run'} ${run.index}${standing === undefined ? '' : `, the ${standing}`}: the stages add up to its page-complete time of ${complete}.`
      }
    >
      {breakdown !== undefined && (
        <Split label="Stages" pieces={stagesOf(breakdown, target.result.step !== undefined)} />
      )}
      {busy !== undefined && waiting !== undefined && (
        <>
          <Split
            thin="two"
            label="Main thread"
            pieces={[
              {
                className: 'b5',
                title: 'Main thread at work',
                value: run.metrics?.cpuTime ?? busy,
                means: 'Running scripts, style, layout and paint',
              },
              ...(stolen === undefined
                ? []
                : [
                    {
                      className: 'b7',
                      title: 'Stolen',
                      value: stolen,
                      means: 'Ready to run, but the CPU was busy with other work',
                    },
                  ]),
              {
                className: 'b6',
                title: 'Waiting',
                value: waiting,
                means: 'The main thread idle: waiting for the network or a timer',
              },
            ]}
          />
          <p class="keys">Both bars show the same time.</p>
        </>
      )}
      {path !== undefined && <CriticalPathFigure path={path} id={id} />}
      <Fixes target={target} id={id} />
    </Part>
  );
}
