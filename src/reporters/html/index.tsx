import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import { shortAnswer } from '../../report/audit/answer.ts';
import { budgetsOfPages } from '../../report/budgets.ts';
import { aboutPages, headingOfPages, unfairPages } from '../../report/pages/index.ts';
import { shards, unfinished } from '../../report/several-machines.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { worstFirst } from '../../result/order.ts';
import { nameOf, pagesWithSteps } from '../../result/pages-with-steps.ts';
import { pagesInWords } from '../../wording/result/outcome.ts';
import { renderPage } from './components/frame.tsx';
import { Notes } from './components/notes.tsx';
import { foreignName, sentence } from './components/part.tsx';
import { PictureStore } from './components/shot.tsx';
import { ResultDownloads } from './downloads/downloads.tsx';
import { IndexOfTargets } from './index-page/index-of-targets.tsx';
import { Tally } from './index-page/tally.tsx';
import { FileLink, ResultFolder } from './links/file-link.tsx';
import { embeddedPictures } from './links/picture.ts';
import { Target } from './target.tsx';
import { Parts } from './write.tsx';

/** Pages that are unfolded at once; of more, the index shows the way. */
const MAX_PAGES = 3;

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
    style: 'audit',
    script: report.pages !== undefined ? 'index' : targets.length > 1 ? 'pages' : 'report',
    children: (
      <ResultFolder.Provider value={report.oneOfMany === true ? '../' : ''}>{contentOf(report)}</ResultFolder.Provider>
    ),
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
  const only = onlyOf(targets);
  // As the table above lists them.
  const inOrder =
    targets.length > MAX_PAGES ? worstFirst(targets) : targets.map((target, index) => ({ target, index }));
  return (
    <>
      <PictureStore pictures={pictures} />
      {report.oneOfMany === true && (
        <nav class="back" aria-label="All pages">
          <FileLink href="index.html">← All {analysis ? 'recorded pages' : 'pages'}</FileLink>
        </nav>
      )}
      {report.oneOfMany !== true && <Parts parts={unfinished(result)} />}
      {only === undefined && <Headline report={report} />}
      {only === undefined && <Parts parts={unfairPages(report)} />}
      {targets.length > 1 && <IndexOfTargets report={report} pictures={pictures} />}
      {!analysis && <AboutPages report={report} />}
      {report.oneOfMany !== true && <Parts parts={shards(result, 'all')} title="The shards" id="shards" />}
      {inOrder.map(({ target, index }) => {
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
            open={targets.length <= MAX_PAGES}
          >
            <summary>
              <h2>
                <bdi>{foreignName(nameOf(target.result))}</bdi>
              </h2>
              <span>{shortAnswer(target, analysis)}</span>
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

/** What all pages came to, and their budgets. */
function Headline({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result, targets } = report;
  const { text } = headingOfPages(report);
  if (targets.length === 0) return <h1 class="statement">{text}.</h1>;
  return (
    <h1 class="statement">
      <Tally targets={targets} analysis={result.kind === 'analysis'} />
      <span class="second">{sentence([`${text}.`, budgetsOfPages(targets) ?? ''].join(' ').trim())}</span>
    </h1>
  );
}

/** Many pages in a table, each a link to a file of its own. */
function IndexContent({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result } = report;
  const analysis = result.kind === 'analysis';
  return (
    <>
      <Parts parts={unfinished(result)} />
      <Headline report={report} />
      <Parts parts={unfairPages(report)} />
      <IndexOfTargets report={report} />
      {!analysis && <AboutPages report={report} />}
      <Parts parts={shards(result, 'all')} title="The shards" id="shards" />
      <ResultDownloads report={report} />
    </>
  );
}

/** How the list of pages came about, how they were measured beside each other, and what is not shown of them. */
function AboutPages({ report }: { readonly report: AuditReport }): JSX.Element {
  const { targets } = report;
  const cut =
    pagesWithSteps(targets).length > 1 &&
    targets.every(({ waterfalls }) => waterfalls.length <= 1) &&
    // An index has none: those of its pages' own files are as few.
    targets.some(
      (target) => (report.pages !== undefined || target.waterfalls.length === 1) && countedRuns(target).length > 1,
    );
  const lines = [
    ...aboutPages(report, 'all'),
    ...(cut
      ? ['With so many pages the waterfall of one run is shown for each; every other run is in its recording (HAR).']
      : []),
  ];
  return <Notes className="notes about-pages" lines={lines.map(sentence)} />;
}
