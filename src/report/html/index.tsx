import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { AuditReport, TargetReport } from '../../model/report.ts';
import { ABSENT, formatCount, numberFormat } from '../format.ts';
import { measuredRuns } from '../select.ts';
import { elide, plain } from '../text.ts';
import { BackgroundPart } from './background.tsx';
import { BreakdownPart } from './breakdown.tsx';
import { client } from './client.ts';
import { EvidencePart } from './evidence.tsx';
import { FindingsPart } from './findings.tsx';
import { PHASES, placeLabels } from './geometry.ts';
import { GROUPS } from './island.ts';
import { MetricsPart } from './metrics.tsx';
import { Address, foreign, sentence } from './part.tsx';
import { type EmbeddedPictures, embeddedPictures } from './picture.ts';
import { RunsPart } from './runs.tsx';
import { sha256Base64 } from './sha256.ts';
import { styles } from './styles.ts';
import { Answers, Failures, figureOf, Missing } from './verdict.tsx';
import { WaterfallPart } from './waterfall.tsx';

/**
 * The report as one HTML file that asks for nothing else. Every text of the page under test is escaped by the renderer,
 * and a policy in the head lets only this file's own style and script run, by their hashes.
 */
export function renderHtml(report: AuditReport): string {
  const script = `(${client})((${numberFormat})(),${placeLabels},${JSON.stringify(PHASES)},${JSON.stringify(GROUPS)});`;
  return `<!doctype html>\n${renderToString(<Page report={report} script={script} />)}\n`;
}

/** A wave that comes to rest. */
const MARK = 'M1 9h3l2.2-7 4.2 14 3.6-10.5 3 6.5 2.2-4 1.8 2H33';

function Page({ report, script }: { readonly report: AuditReport; readonly script: string }): JSX.Element {
  const { result, targets } = report;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${sha256Base64(script)}'`,
    `style-src 'sha256-${sha256Base64(styles)}'`,
    // The icon below, without which a browser asks the server for /favicon.ico, and the evidence's pictures.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -8 40 34"><path d="${MARK}" fill="none" stroke="#1f8f79" stroke-width="3.4" stroke-linejoin="round"/></svg>`;
  const pictures = embeddedPictures(report);
  const analysis = result.kind === 'analysis';
  const read = targets.filter((target) => measuredRuns(target).length > 0).length;
  const all = formatCount(targets.length, 'recorded page');
  const analysed = read < targets.length ? `${read} of ${all}` : all;
  const only = targets.length === 1 ? targets[0] : undefined;
  const name = only === undefined ? formatCount(targets.length, 'page') : only.result.title || only.result.target;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${plain(elide(name, 80))} – Quiesce`}</title>
        <link rel="icon" href={`data:image/svg+xml,${encodeURIComponent(icon)}`} />
        <style dangerouslySetInnerHTML={{ __html: styles }} />
      </head>
      <body>
        <Gradients />
        <div class="page">
          <header class="top">
            <span class="wordmark">
              <svg viewBox="0 0 34 18" aria-hidden="true">
                <path d={MARK} />
              </svg>
              Quiesce
            </span>
            <span>
              {analysis ? 'Analysed' : 'Measured'}{' '}
              <time dateTime={foreign(result.startedAt)}>{when(result.startedAt)}</time>
            </span>
          </header>
          <main>
            {result.interrupted === true && (
              <p class="notice">
                <b>This {analysis ? 'analysis' : 'audit'} was ended early.</b> What had been measured until then is
                shown; what is missing is not.
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
          </main>
          <Foot report={report} />
        </div>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
}

/** Shared by the open ends of all bars; not `display: none`, in which some browsers do not resolve gradients. */
function Gradients(): JSX.Element {
  return (
    <svg class="unseen" aria-hidden="true" width="0" height="0">
      <defs>
        {[0, 6, 7].map((phase) => (
          <linearGradient key={phase} id={`fade${phase}`}>
            <stop class={`f${phase}`} offset="0" stop-opacity="0.85" />
            <stop class={`f${phase}`} offset="1" stop-opacity="0.12" />
          </linearGradient>
        ))}
      </defs>
    </svg>
  );
}

/** "2026-03-01T10:20:30.000Z" as "2026-03-01 10:20 UTC"; anything else as it stands. */
function when(iso: string): string {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*Z$/.exec(iso);
  return parts === null ? foreign(iso) : `${parts[1]} ${parts[2]} UTC`;
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

/** A setting as a reader would type it. */
function settingText(value: unknown): string {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === 'string') return foreign(value);
  if (Array.isArray(value)) return value.length === 0 ? ABSENT : value.map(settingText).join(', ');
  return foreign(JSON.stringify(value) ?? ABSENT);
}

function Foot({ report }: { readonly report: AuditReport }): JSX.Element {
  const { result } = report;
  const analysis = result.kind === 'analysis';
  const facts: readonly (readonly [string, string])[] = [
    ['browser', foreign(result.browser.product)],
    ...(result.browser.sandbox === undefined
      ? []
      : [['browser sandbox', result.browser.sandbox ? 'on' : 'off'] as const]),
    ...Object.entries(result.settings).map(([name, value]) => [foreign(name), settingText(value)] as const),
    [analysis ? 'analysed with' : 'measured with', `Quiesce ${foreign(result.tool.version)}`],
  ];
  return (
    <footer class="foot">
      <h2>{analysis ? 'How it was analysed' : 'How it was measured'}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {result.browser.userAgent !== undefined && <p class="keys">{foreign(result.browser.userAgent)}</p>}
    </footer>
  );
}
