import type { TargetReport } from '../../../model/report.ts';
import type { Breakdown } from '../../../model/result.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { standingOf } from '../../../result/representative.ts';
import { formatShare, formatValue } from '../../../wording/format.ts';
import { DOCS } from '../components/docs.ts';
import { Part } from '../components/part.tsx';
import { CriticalPathFigure } from './critical-path.tsx';
import { Fixes } from './fixes.tsx';

interface Piece {
  readonly className: string;
  readonly title: string;
  readonly value: number;
  readonly means: string;
}

function Split(props: { readonly pieces: readonly Piece[]; readonly label: string; readonly thin?: boolean }) {
  const total = props.pieces.reduce((sum, piece) => sum + Math.max(0, piece.value), 0);
  let from = 0;
  const placed = props.pieces.map((piece) => {
    const share = total === 0 ? 0 : Math.max(0, piece.value) / total;
    const x = from;
    from += share;
    return { ...piece, share, x };
  });
  const spoken = placed.map((piece) => `${piece.title} ${formatValue(piece.value, 'ms')}`).join(', ');
  const at = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
  return (
    <>
      <svg class={props.thin ? 'stack-bar thin' : 'stack-bar'} role="img" aria-label={`${props.label}: ${spoken}`}>
        {placed.map((piece) => (
          <rect key={piece.title} class={piece.className} x={at(piece.x)} width={at(piece.share)} height="100%" />
        ))}
      </svg>
      <dl class={props.thin ? 'split two' : 'split'}>
        {placed.map((piece) => (
          <div key={piece.title}>
            <dt>
              <i class={piece.className} aria-hidden="true" />
              {piece.title}
            </dt>
            <dd>
              <b>{formatValue(piece.value, 'ms')}</b>
              <span>{formatShare(piece.share)}</span>
              <small>{piece.means}</small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

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
            thin
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
                      means: 'Ready to run, and not let: the machine did something else',
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
