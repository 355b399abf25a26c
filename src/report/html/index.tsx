import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../model/report.ts';
import { formatCount } from '../format.ts';
import { measuredRuns } from '../select.ts';
import { BackgroundPart } from './background.tsx';
import { BreakdownPart } from './breakdown.tsx';
import { DownloadsPart } from './downloads.tsx';
import { EvidencePart } from './evidence.tsx';
import { FairnessPart } from './fairness.tsx';
import { FindingsPart } from './findings.tsx';
import { renderPage } from './frame.tsx';
import { IndexOfTargets } from './index-of-targets.tsx';
import { HeadlineFigures, MetricsPart } from './metrics.tsx';
import { Address, foreign, foreignName, Part, sentence } from './part.tsx';
import { type EmbeddedPictures, embeddedPictures } from './picture.ts';
import { RunsTable } from './runs.tsx';
import { PictureStore } from './shot.tsx';
import { styles } from './styles.ts';
import { Answers, Failures, figureOf, Missing, Statement } from './verdict.tsx';
import { WaterfallPart } from './waterfall.tsx';

/** Pages that are unfolded at once; of more, the index shows the way. */
const FEW = 3;

/** An audit or an analysis as one HTML file that asks for nothing else. */
export function renderHtml(report: AuditReport): string {
  const { result, targets } = report;
  const analysis = result.kind === 'analysis';
  return renderPage({
    result,
    name: nameOf(targets),
    done: analysis ? 'Analysed' : 'Measured',
    look: styles,
    children: <Content report={report} />,
  });
}

const onlyOf = (targets: readonly TargetReport[]): TargetReport | undefined =>
  targets.length === 1 ? targets[0] : undefined;

function nameOf(targets: readonly TargetReport[]): string {
  const only = onlyOf(targets);
  return only === undefined ? formatCount(targets.length, 'page') : only.result.title || only.result.target;
}

function Content({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result, targets } = report;
  const pictures = embeddedPictures(report);
  const analysis = result.kind === 'analysis';
  const read = targets.filter((target) => measuredRuns(target).length > 0).length;
  const all = formatCount(targets.length, 'recorded page');
  const analysed = read < targets.length ? `${read} of ${all}` : all;
  const only = onlyOf(targets);
  const name = nameOf(targets);
  return (
    <>
      <PictureStore pictures={pictures} />
      {result.interrupted === true && (
        <p class="notice">
          <b>This {analysis ? 'analysis' : 'audit'} was ended early.</b> What had been measured until then is shown;
          what is missing is not.
        </p>
      )}
      {only === undefined && (
        <h1 class="statement">
          {targets.length === 0
            ? `Nothing was ${analysis ? 'analysed' : 'measured'}.`
            : analysis
              ? `${analysed} analysed`
              : `${name} audited`}
        </h1>
      )}
      {targets.length > 1 && <IndexOfTargets report={report} />}
      {targets.map((target, index) => {
        const part = (
          <Target
            key={index}
            target={target}
            report={report}
            pictures={pictures[index] ?? new Map()}
            id={`t${index + 1}`}
          />
        );
        return only === undefined ? (
          <details key={index} class="one-of-many" open={targets.length <= FEW}>
            <summary>
              <h2>
                <bdi>{foreignName(target.result.title || target.result.target)}</bdi>
              </h2>
              <span>{figureOf(target, analysis)}</span>
            </summary>
            {part}
          </details>
        ) : (
          part
        );
      })}
    </>
  );
}

/** The answer, then where the time went, what it looked like, every request, what was left out, and whether it was fair. */
function Target(props: {
  readonly target: TargetReport;
  readonly report: AuditReport;
  readonly pictures: EmbeddedPictures;
  readonly id: string;
}) {
  const { target, report, pictures, id } = props;
  const { result } = target;
  const analysis = report.result.kind === 'analysis';
  const only = report.targets.length === 1;
  const moved = result.finalUrl !== undefined && result.finalUrl !== result.url ? result.finalUrl : undefined;
  return (
    <article class="target" id={id}>
      <p class="subject">
        {only && result.title !== undefined && result.title !== '' && result.title !== result.url && (
          <>
            <b>
              <bdi>{foreignName(result.title)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        <Address url={result.url} />
        {moved !== undefined && (
          <>
            {' '}
            → <Address url={moved} />
          </>
        )}
        {analysis && result.target !== result.url && (
          <span class="file">
            Recorded page, from the file <bdi dir="ltr">{foreign(result.target)}</bdi>
          </span>
        )}
      </p>
      <Statement target={target} only={only} />
      {only && <h2 class="unseen">The page in detail</h2>}
      <Failures target={target} analysis={analysis} />
      <Answers target={target} analysis={analysis} />
      <HeadlineFigures target={target} columns={report.columns} analysis={analysis} />
      <Missing target={target} analysis={analysis} />
      {target.notes.length > 0 && (
        <ul class="notes">
          {target.notes.map((note, index) => (
            <li key={index}>{sentence(note)}</li>
          ))}
        </ul>
      )}
      <FindingsPart target={target} id={id} />
      <BreakdownPart target={target} id={id} analysis={analysis} />
      {!analysis && <EvidencePart target={target} settings={report.result.settings} pictures={pictures} id={id} />}
      <WaterfallPart target={target} id={id} analysis={analysis} />
      <BackgroundPart target={target} id={id} analysis={analysis} pictures={pictures} />
      <MetricsPart target={target} columns={report.columns} id={id} analysis={analysis} />
      {analysis ? (
        <RecordingPart target={target} id={id} />
      ) : (
        <FairnessPart target={target} result={report.result} id={id} />
      )}
      <DownloadsPart target={target} report={report} id={id} />
    </article>
  );
}

/** How long a recorded page was recorded; of a file that could not be read the notice on top has said all. */
function RecordingPart({ target, id }: { readonly target: TargetReport; readonly id: string }) {
  const { length } = measuredRuns(target);
  if (length === 0) return undefined;
  return (
    <Part id={id} title={length > 1 ? 'Recordings' : 'Recording'}>
      <RunsTable target={target} analysis />
    </Part>
  );
}
