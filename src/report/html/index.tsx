import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../model/report.ts';
import { budgetsOfPages } from '../budgets.ts';
import { conditionsInWords } from '../conditions.ts';
import { formatCount } from '../format.ts';
import { nameOf, pagesInWords, pagesWithSteps, typedOf } from '../pages.ts';
import { measuredRuns, notesOf, tallyInWords } from '../select.ts';
import { BackgroundPart } from './background.tsx';
import { Beside, BesideLink } from './beside.tsx';
import { BreakdownPart } from './breakdown.tsx';
import { BudgetsPart } from './budgets.tsx';
import { PAGES_AT_ONCE, searchPages } from './client-index.ts';
import { DownloadsPart, ResultDownloads } from './downloads.tsx';
import { EvidencePart } from './evidence.tsx';
import { FairnessPart, Unfair, UnfairPages } from './fairness.tsx';
import { FindingsPart } from './findings.tsx';
import { renderPage } from './frame.tsx';
import { IndexOfTargets } from './index-of-targets.tsx';
import { LighthousePart } from './lighthouse.tsx';
import { HeadlineFigures, MetricsPart } from './metrics.tsx';
import { Address, foreign, foreignName, Part, sentence } from './part.tsx';
import { type EmbeddedPictures, embeddedPictures } from './picture.ts';
import { RunsTable } from './runs.tsx';
import { ShardsNotice, ShardsTable } from './shards.tsx';
import { PictureStore } from './shot.tsx';
import { styles } from './styles.ts';
import { Answers, Failures, figureOf, Missing, Statement } from './verdict.tsx';
import { WaterfallPart } from './waterfall.tsx';

/** Pages that are unfolded at once; of more, the index shows the way. */
const FEW = 3;

/**
 * An audit or an analysis as one HTML file that asks for nothing else; of many pages their index, or one of them, as the
 * report says.
 */
export function renderHtml(report: AuditReport): string {
  const { result, targets } = report;
  const analysis = result.kind === 'analysis';
  return renderPage({
    result,
    name: titleOf(targets),
    done: analysis ? 'Analysed' : 'Measured',
    look: styles,
    children: <Beside.Provider value={report.oneOfMany === true ? '../' : ''}>{contentOf(report)}</Beside.Provider>,
    ...(report.pages !== undefined && { script: `(${searchPages})(dom,${PAGES_AT_ONCE});` }),
  });
}

const contentOf = (report: AuditReport): JSX.Element =>
  report.pages === undefined ? <Content report={report} /> : <IndexContent report={report} />;

const onlyOf = (targets: readonly TargetReport[]): TargetReport | undefined =>
  targets.length === 1 ? targets[0] : undefined;

function titleOf(targets: readonly TargetReport[]): string {
  const only = onlyOf(targets);
  return only === undefined ? pagesInWords(targets) : nameOf(only.result);
}

function Content({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result, targets } = report;
  const pictures = embeddedPictures(report);
  const analysis = result.kind === 'analysis';
  const read = targets.filter((target) => measuredRuns(target).length > 0).length;
  const all = formatCount(targets.length, 'recorded page');
  const analysed = read < targets.length ? `${read} of ${all}` : all;
  const only = onlyOf(targets);
  const name = titleOf(targets);
  return (
    <>
      <PictureStore pictures={pictures} />
      {report.oneOfMany === true && (
        <nav class="back" aria-label="All pages">
          <BesideLink href="index.html">← All {analysis ? 'recorded pages' : 'pages'}</BesideLink>
        </nav>
      )}
      <Interrupted result={result} />
      {report.oneOfMany !== true && <ShardsNotice result={result} />}
      {only === undefined && (
        <h1 class="statement">
          {targets.length === 0
            ? `Nothing was ${analysis ? 'analysed' : 'measured'}.`
            : analysis
              ? `${analysed} analysed`
              : `${name} audited`}
        </h1>
      )}
      {only === undefined && <UnfairPages report={report} />}
      {targets.length > 1 && <IndexOfTargets report={report} />}
      {!analysis && <AboutPages report={report} />}
      {report.oneOfMany !== true && <ShardsTable result={result} />}
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
          <details
            key={index}
            class={target.result.step === undefined ? 'one-of-many' : 'one-of-many step'}
            open={targets.length <= FEW}
          >
            <summary>
              <h2>
                <bdi>{foreignName(nameOf(target.result))}</bdi>
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

function Interrupted({ result }: Pick<AuditReport, 'result'>): JSX.Element | undefined {
  if (result.interrupted !== true) return undefined;
  return (
    <p class="notice">
      <b>This {result.kind === 'analysis' ? 'analysis' : 'audit'} was ended early.</b> What had been measured until then
      is shown; what is missing is not.
    </p>
  );
}

/** Many pages in a table, each a link to a file of its own. */
function IndexContent({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result, targets } = report;
  const analysis = result.kind === 'analysis';
  return (
    <>
      <Interrupted result={result} />
      <ShardsNotice result={result} />
      <h1 class="statement">
        {analysis ? `${formatCount(targets.length, 'recorded page')} analysed` : `${titleOf(targets)} audited`}
        <span class="second">
          {sentence([tallyInWords(targets, analysis), budgetsOfPages(targets) ?? ''].join(' ').trim())}
        </span>
      </h1>
      <UnfairPages report={report} />
      <IndexOfTargets report={report} />
      {!analysis && <AboutPages report={report} />}
      <ShardsTable result={result} />
      <ResultDownloads report={report} />
    </>
  );
}

/** How the list of pages came about, how they were measured beside each other, and what is not shown of them. */
function AboutPages({ report }: { readonly report: AuditReport }): JSX.Element | undefined {
  const { result, targets } = report;
  const pages = pagesWithSteps(targets).length;
  const tookTurns =
    pages > 1 && targets.some((target) => measuredRuns(target).some(({ order }) => order !== undefined));
  const cut =
    pages > 1 &&
    targets.every(({ waterfalls }) => waterfalls.length <= 1) &&
    // An index has none: those of its pages' own files are as few.
    targets.some(
      (target) => (report.pages !== undefined || target.waterfalls.length === 1) && measuredRuns(target).length > 1,
    );
  const told = [
    ...(result.notes ?? []),
    ...(tookTurns
      ? [
          'The pages took turns: each round of runs loaded every page once, so that no page had the quiet hours to itself.',
        ]
      : []),
    ...(cut
      ? ['With so many pages the waterfall of one run is shown for each; every other run is in its recording (HAR).']
      : []),
  ];
  if (told.length === 0) return undefined;
  return (
    <ul class="notes about-pages">
      {told.map((line, index) => (
        <li key={index}>{sentence(line)}</li>
      ))}
    </ul>
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
  const notes = notesOf(target);
  const typed = analysis ? undefined : typedOf(result);
  const moved = result.finalUrl !== undefined && result.finalUrl !== result.url ? result.finalUrl : undefined;
  return (
    <article class="target" id={id}>
      <p class="subject">
        {result.step !== undefined && 'A step of the script, after the load of '}
        {only && result.name !== undefined && (
          <>
            <b>
              <bdi>{foreignName(result.name)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        {only && result.title !== undefined && result.title !== '' && result.title !== result.url && (
          <>
            <b>
              <bdi>{foreignName(result.title)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        {typed !== undefined && (
          <>
            <bdi dir="ltr">{foreignName(typed)}</bdi> at{' '}
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
      {result.conditions !== undefined && result.step === undefined && (
        <p class="conditions">{sentence(conditionsInWords(result.conditions))}</p>
      )}
      <Statement target={target} only={only} />
      {only && <h2 class="unseen">The page in detail</h2>}
      <Failures target={target} analysis={analysis} />
      {!analysis && <Unfair target={target} id={id} />}
      <Answers target={target} analysis={analysis} />
      <HeadlineFigures target={target} columns={report.columns} analysis={analysis} />
      <Missing target={target} analysis={analysis} />
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note, index) => (
            <li key={index}>{sentence(note)}</li>
          ))}
        </ul>
      )}
      <BudgetsPart
        target={result}
        id={id}
        lead={`What ${result.step === undefined ? 'this page' : 'this step'} may cost. A budget is kept or not when the whole interval says so; in between nobody can tell, and that fails nothing.`}
      />
      <FindingsPart target={target} id={id} />
      <BreakdownPart target={target} id={id} analysis={analysis} />
      {/* A step is measured in the load of its page, which nobody films. */}
      {!analysis && !(result.step !== undefined && result.evidence === undefined) && (
        <EvidencePart target={target} settings={report.result.settings} pictures={pictures} id={id} />
      )}
      <WaterfallPart target={target} id={id} analysis={analysis} />
      <BackgroundPart target={target} id={id} analysis={analysis} pictures={pictures} />
      <MetricsPart target={target} columns={report.columns} id={id} analysis={analysis} />
      <LighthousePart target={target} columns={report.columns} id={id} />
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
