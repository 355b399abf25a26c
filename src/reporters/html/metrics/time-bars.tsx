import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { Breakdown } from '../../../model/result.ts';
import { standingOf } from '../../../result/representative.ts';
import { formatValue } from '../../../wording/format.ts';
import { type Piece, Split } from '../components/split.tsx';

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

/** What page complete is made of in the run that stands for the page: by what was downloading, and by what the main thread did. */
export function TimeBars(props: {
  readonly target: TargetReport;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const { target, analysis } = props;
  const run = target.representative;
  if (run === undefined) return undefined;
  const { breakdown, metrics = {} } = run;
  const { mainThreadTime: busy, waitTime: waiting, stolenTime: stolen, cpuTime = busy } = metrics;
  const isBusyKnown = cpuTime !== undefined && waiting !== undefined;
  if (breakdown === undefined && !isBusyKnown) return undefined;
  const standing = standingOf(target, run);
  return (
    <>
      <h4>
        {formatValue(run.pageComplete?.at, 'ms')} in {analysis ? 'recording' : 'run'} {run.index}
        {!analysis && standing !== undefined && `, the ${standing}`}
      </h4>
      {breakdown !== undefined && (
        <Split label="Stages" pieces={stagesOf(breakdown, target.result.step !== undefined)} />
      )}
      {isBusyKnown && (
        <Split
          thin="two"
          label="Main thread"
          pieces={[
            {
              className: 'b5',
              title: 'CPU time',
              value: cpuTime,
              means: 'Running scripts, style, layout and paint',
            },
            ...(stolen === undefined
              ? []
              : [
                  {
                    className: 'b7',
                    title: 'Stolen time',
                    value: stolen,
                    means: 'Ready to run, but the CPU was busy with other work',
                  },
                ]),
            {
              className: 'b6',
              title: 'Wait time',
              value: waiting,
              means: 'The main thread idle: waiting for the network or a timer',
            },
          ]}
        />
      )}
    </>
  );
}
