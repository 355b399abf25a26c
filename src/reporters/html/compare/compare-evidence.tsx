import type { JSX } from 'preact';
import { BUILDS, type Build, type PerBuild } from '../../../model/compare/build.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import type { RunResult } from '../../../model/result/result.ts';
import type { Ms } from '../../../model/units.ts';
import { formatShare, formatValue } from '../../../wording/text/format.ts';
import { type FilmMark, filmMarks, loadUntil, type StripFrame, stripOf, thereFrom } from '../../visual.ts';
import { Notes } from '../components/notes.tsx';
import { Part, sentence } from '../components/part.tsx';
import { Shot } from '../components/shot.tsx';
import { FrameWords, spokenFrame } from '../film/film.tsx';
import { filmAxis } from '../film/film-axis.ts';
import { ProgressCurve } from '../film/progress-curve.tsx';
import { type EmbeddedPictures, embeddedPictures } from '../links/picture.ts';
import { BUILD_NAMES, BuildSign } from './build-sign.tsx';

/** Columns that fit side by side and can still be told apart. */
const MOST_COLUMNS = 12;
/** Changes of both builds closer than this, as a share of the load, stand in one column. */
const TOGETHER = 0.02;
/** Marks that are compared; more of them would cover each other. */
const MARKED: ReadonlySet<FilmMark['name']> = new Set(['fcp', 'lcp', 'complete']);

/** A frame of a build as it stands in a column. */
interface Seen {
  readonly frame: StripFrame;
  /** It came since the column before. */
  readonly isNew: boolean;
}

/** One time of both films, with what was to be seen of each build by then. */
export interface StepColumn {
  readonly at: Ms;
  readonly base?: Seen;
  readonly candidate?: Seen;
}

/**
 * Both filmstrips in step: a column for each time at which either changed; changes of both that lie close together, as
 * measured by the time the load took, share one. Where there are too many columns, those go in which the least changed
 * and no moment has a name.
 */
export function stepColumns(
  strips: PerBuild<readonly StripFrame[]>,
  load: Ms,
  most = MOST_COLUMNS,
): readonly StepColumn[] {
  const changes = BUILDS.flatMap((build) => strips[build].map((frame, i) => ({ build, frame, i })));
  const steps: { from: Ms; to: Ms; weight: number; builds: readonly Build[] }[] = [];
  for (const { build, frame, i } of changes.sort((a, b) => a.frame.at - b.frame.at)) {
    const last = steps.at(-1);
    const jump = Math.abs((frame.progress ?? 0) - (strips[build][i - 1]?.progress ?? 0));
    const weight = frame.moments.length > 0 ? 1 : frame.progress === undefined ? 0 : jump;
    if (last && frame.at - last.from <= TOGETHER * load && !last.builds.includes(build)) {
      last.to = frame.at;
      last.weight = Math.max(last.weight, weight);
      last.builds = [...last.builds, build];
    } else steps.push({ from: frame.at, to: frame.at, weight, builds: [build] });
  }
  const [first, ...others] = steps;
  if (first === undefined) return [];
  const kept = others.toSorted((a, b) => b.weight - a.weight).slice(0, most - 1);
  const times = [first, ...kept].map(({ to }) => to).sort((a, b) => a - b);
  return times.map((at, index): StepColumn => {
    const seen = (build: Build): Seen | undefined => {
      const frame = strips[build].findLast((each) => each.at <= at);
      return frame && { frame, isNew: frame.at > (times[index - 1] ?? -1) };
    };
    const [base, candidate] = [seen('base'), seen('candidate')];
    return { at, ...(base && { base }), ...(candidate && { candidate }) };
  });
}

/** What both builds looked like at the same times, and how much of each was there by when. */
export function CompareEvidencePart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const evidence = { base: report.base.result.evidence, candidate: report.candidate.result.evidence };
  if (evidence.base === undefined && evidence.candidate === undefined) return undefined;
  const strips = {
    base: evidence.base === undefined ? [] : stripOf(evidence.base),
    candidate: evidence.candidate === undefined ? [] : stripOf(evidence.candidate),
  };
  const proofs = BUILDS.flatMap((build) => {
    const ablation = evidence[build]?.ablation;
    return ablation === undefined ? [] : `${BUILD_NAMES[build]}: ${sentence(ablation.sentence)}`;
  });
  if (strips.base.length + strips.candidate.length + proofs.length === 0) return undefined;
  const embedded = embeddedPictures({ targets: BUILDS.map((build) => report[build]) });
  const pictures: PerBuild<EmbeddedPictures> = {
    base: embedded[0] ?? new Map(),
    candidate: embedded[1] ?? new Map(),
  };
  const curves = BUILDS.map((build) => ({
    build,
    progress: evidence[build]?.progress ?? [],
    marks: filmMarks(filmedRun(report, build)).filter(({ name }) => MARKED.has(name)),
  }));
  const load = Math.max(...curves.map(({ progress, marks }) => loadUntil(progress, marks)));
  const end = Math.max(...BUILDS.map((build) => evidence[build]?.watchedUntil ?? 0));
  const axis = filmAxis(load, end);
  const columns = stepColumns(strips, load);
  return (
    <Part
      id="compare"
      title="What both builds looked like"
      short="Film"
      line="Both filmed loads, step by step"
      lead="One more load of each build, which is not timed, was filmed. Each image shows the page at the time above it. These times do not affect the decision."
    >
      {columns.length > 0 && <Steps columns={columns} pictures={pictures} />}
      {curves.some(({ progress, marks }) => progress.length + marks.length > 0) && (
        <>
          <ProgressCurve curves={curves} axis={axis} />
          <p class="curve-keys">
            {BUILDS.map((build) => (
              <span key={build}>
                <svg class={`progress of-${build}`} viewBox="0 0 26 10" aria-hidden="true">
                  <path class="over" d="M0 5H26" />
                </svg>
                {BUILD_NAMES[build]}
              </span>
            ))}
            <span>
              The curves: how much of the complete page was visible, without parts that move by themselves.
              {axis.near < axis.span && ' The shaded part is compressed.'}
            </span>
          </p>
        </>
      )}
      <Figures report={report} />
      <Notes lines={proofs} />
    </Part>
  );
}

function filmedRun(report: CompareReport, build: Build): RunResult | undefined {
  return report[build].result.runs.find(({ role }) => role === 'evidence');
}

function Steps(props: {
  readonly columns: readonly StepColumn[];
  readonly pictures: PerBuild<EmbeddedPictures>;
}): JSX.Element {
  const { columns, pictures } = props;
  return (
    <div class="scroll steps">
      <table class="pictures">
        <thead>
          <tr>
            <td />
            {columns.map(({ at }) => (
              <th key={at} scope="col">
                {formatValue(at, 'ms')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {BUILDS.map((build) => (
            <tr key={build} id={`evidence-${build}`}>
              <th scope="row">
                <BuildSign build={build} />
                {BUILD_NAMES[build]}
              </th>
              {columns.map((column) => (
                <Step key={column.at} at={column.at} build={build} seen={column[build]} pictures={pictures[build]} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Step(props: {
  readonly at: Ms;
  readonly build: Build;
  readonly seen: Seen | undefined;
  readonly pictures: EmbeddedPictures;
}): JSX.Element {
  const { at, build, seen, pictures } = props;
  if (seen === undefined) return <td class="nothing">no screenshot</td>;
  const { frame, isNew } = seen;
  return (
    <td class={isNew ? 'fresh' : 'before'}>
      <Shot file={frame.file} pictures={pictures} alt={`${BUILD_NAMES[build]}. ${spokenFrame(frame)}`}>
        {isNew ? <FrameWords frame={frame} above={formatValue(at, 'ms')} /> : <span>as before</span>}
      </Shot>
    </td>
  );
}

/** What is read off both curves; of one load each, so nothing follows from it. */
function Figures({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const of = (build: Build) => report[build].result.evidence;
  if (BUILDS.every((build) => of(build)?.progress === undefined)) return undefined;
  const rows = [
    { name: 'Speed Index', read: (build: Build) => of(build)?.speedIndex },
    ...[0.85, 1].map((share) => ({
      name: share === 1 ? 'All visible' : `${formatShare(share)} there`,
      read: (build: Build) => thereFrom(of(build)?.progress, share),
    })),
  ];
  return (
    <dl class="split seen">
      {rows.map(({ name, read }) => (
        <div key={name}>
          <dt>{name}</dt>
          {BUILDS.map((build) => (
            <dd key={build}>
              <BuildSign build={build} />
              <b>{formatValue(read(build), 'ms')}</b>
              <span class="unseen"> {BUILD_NAMES[build]}</span>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}
