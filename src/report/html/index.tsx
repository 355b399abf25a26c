import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../model/report.ts';
import { formatCount } from '../format.ts';
import { measuredRuns } from '../select.ts';
import { BackgroundPart } from './background.tsx';
import { BreakdownPart } from './breakdown.tsx';
import { EvidencePart } from './evidence.tsx';
import { FindingsPart } from './findings.tsx';
import { renderPage } from './frame.tsx';
import { MetricsPart } from './metrics.tsx';
import { Address, foreign, sentence } from './part.tsx';
import { type EmbeddedPictures, embeddedPictures } from './picture.ts';
import { RunsPart } from './runs.tsx';
import { styles } from './styles.ts';
import { Answers, Failures, figureOf, Missing } from './verdict.tsx';
import { WaterfallPart } from './waterfall.tsx';

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
      {targets.length > 1 && <Contents report={report} />}
      {targets.map((target, index) => (
        <Target
          key={index}
          target={target}
          report={report}
          pictures={pictures[index] ?? new Map()}
          id={`t${index + 1}`}
        />
      ))}
    </>
  );
}

function Contents({ report }: { readonly report: AuditReport }): JSX.Element {
  const analysis = report.result.kind === 'analysis';
  return (
    <nav class="contents" aria-label="Pages">
      {report.targets.map((target, index) => {
        const { target: named, url } = target.result;
        return (
          <a key={index} href={`#t${index + 1}`}>
            <span>
              <bdi dir="ltr">{foreign(named)}</bdi>
              {analysis && url !== named && url !== '' && (
                <small>
                  <bdi dir="ltr">{foreign(url)}</bdi>
                </small>
              )}
            </span>
            <span>{figureOf(target, analysis)}</span>
          </a>
        );
      })}
    </nav>
  );
}

function Target(props: {
  readonly target: TargetReport;
  readonly report: AuditReport;
  readonly pictures: EmbeddedPictures;
  readonly id: string;
}) {
  const { target, report, pictures, id } = props;
  const { result } = target;
  const analysis = report.result.kind === 'analysis';
  const Heading = report.targets.length === 1 ? 'h1' : 'h2';
  const moved = result.finalUrl !== undefined && result.finalUrl !== result.url ? result.finalUrl : undefined;
  return (
    <article class="target" id={id}>
      <p class="subject">
        {result.title !== undefined && result.title !== '' && result.title !== result.url && (
          <>
            <b>
              <bdi>{foreign(result.title)}</bdi>
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
      <Heading class={target.sentence.length > 140 || /\S{40}/.test(target.sentence) ? 'statement long' : 'statement'}>
        {sentence(target.sentence)}
      </Heading>
      <Failures target={target} analysis={analysis} />
      <Answers target={target} analysis={analysis} />
      <Missing target={target} analysis={analysis} />
      {target.notes.length > 0 && (
        <ul class="notes">
          {target.notes.map((note, index) => (
            <li key={index}>{sentence(note)}</li>
          ))}
        </ul>
      )}
      <FindingsPart target={target} id={id} />
      <BackgroundPart target={target} id={id} analysis={analysis} />
      {!analysis && <EvidencePart target={target} settings={report.result.settings} pictures={pictures} id={id} />}
      <BreakdownPart target={target} id={id} analysis={analysis} />
      <MetricsPart target={target} columns={report.columns} id={id} analysis={analysis} />
      <WaterfallPart target={target} id={id} analysis={analysis} />
      <RunsPart target={target} id={id} analysis={analysis} />
    </article>
  );
}
