import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { AuditReport, TargetReport } from '../../model/report.ts';
import { ABSENT, formatCount, formatInterval, formatValue, numberFormat } from '../format.ts';
import { failedRuns, levelInWords, measuredRuns, stateInWords } from '../select.ts';
import { elide, plain } from '../text.ts';
import { client } from './client.ts';
import { PHASES, placeLabels } from './geometry.ts';
import { GROUPS } from './island.ts';
import { Address, BackgroundPart, BreakdownPart, FindingsPart, MetricsPart, RunsPart } from './parts.tsx';
import { sha256Base64 } from './sha256.ts';
import { styles } from './styles.ts';
import { WaterfallPart } from './waterfall.tsx';

/** Longest foreign text in a heading or a list of facts. */
const LONG = 600;

const foreign = (text: string): string => plain(elide(text, LONG));

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
    // The icon below; without one of its own a browser asks the server for /favicon.ico.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -8 40 34"><path d="${MARK}" fill="none" stroke="#1f8f79" stroke-width="3.4" stroke-linejoin="round"/></svg>`;
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
              Measured <time dateTime={foreign(result.startedAt)}>{when(result.startedAt)}</time>
            </span>
          </header>
          <main>
            {result.interrupted === true && (
              <p class="notice">
                <b>This audit was ended early.</b> What had been measured until then is shown; the missing runs are not.
              </p>
            )}
            {only === undefined && (
              <h1 class="statement">{targets.length === 0 ? 'Nothing was measured.' : `${name} audited`}</h1>
            )}
            {targets.length > 1 && <Contents targets={targets} />}
            {targets.map((target, index) => (
              <Target key={index} target={target} report={report} id={`t${index + 1}`} />
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

function Contents({ targets }: { readonly targets: readonly TargetReport[] }): JSX.Element {
  return (
    <nav class="contents" aria-label="Pages">
      {targets.map((target, index) => (
        <a key={index} href={`#t${index + 1}`}>
          <span>{foreign(target.result.target)}</span>
          <span>{figureOf(target)}</span>
        </a>
      ))}
    </nav>
  );
}

/** The median of page-complete, or the state that stands in its place. */
function figureOf(target: TargetReport): string {
  const summary = target.result.summary.pageComplete;
  if (summary !== undefined) return formatValue(summary.median, 'ms');
  const run = target.representative ?? measuredRuns(target)[0];
  return run === undefined ? 'not measured' : stateInWords(run.pageComplete);
}

function Target(props: { readonly target: TargetReport; readonly report: AuditReport; readonly id: string }) {
  const { target, report, id } = props;
  const { result } = target;
  const Heading = report.targets.length === 1 ? 'h1' : 'h2';
  const failed = failedRuns(target);
  const moved = result.finalUrl !== undefined && result.finalUrl !== result.url ? result.finalUrl : undefined;
  return (
    <article class="target" id={id}>
      <p class="subject">
        {result.title !== undefined && result.title !== '' && (
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
      </p>
      <Heading class={target.sentence.length > 140 || /\S{40}/.test(target.sentence) ? 'statement long' : 'statement'}>
        {foreign(target.sentence)}
      </Heading>
      {failed.length > 0 && (
        <div class="notice bad" role="note">
          <b>
            {failed.length} of {formatCount(result.runs.length, 'run')} could not be measured.
          </b>
          <ul>
            {failed.map((run) => (
              <li key={run.index}>
                Run {run.index}: {foreign(run.failure?.message ?? 'It failed without a reason given.')}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Answers target={target} />
      {target.notes.length > 0 && (
        <ul class="notes">
          {target.notes.map((note, index) => (
            <li key={index}>{foreign(note)}</li>
          ))}
        </ul>
      )}
      <BreakdownPart target={target} id={id} />
      <MetricsPart target={target} columns={report.columns} id={id} />
      <BackgroundPart target={target} id={id} />
      <FindingsPart target={target} id={id} />
      <WaterfallPart target={target} id={id} />
      <RunsPart target={target} id={id} />
    </article>
  );
}

/** "1.24 s" with the unit set smaller than the figure. */
function Figure({ text }: { readonly text: string }): JSX.Element {
  const parts = /^([\d.,−–]+) (ms|s)$/.exec(text);
  if (parts === null) return <span class="big">{text}</span>;
  return (
    <span class="big">
      {parts[1]}
      <small> {parts[2]}</small>
    </span>
  );
}

function Answers({ target }: { readonly target: TargetReport }): JSX.Element | undefined {
  const summary = target.result.summary.pageComplete;
  const run = target.representative ?? measuredRuns(target)[0];
  if (summary === undefined && run === undefined) return undefined;
  const raw = run?.pageComplete?.raw;
  const held = raw?.waitingFor ?? [];
  const level = levelInWords(summary);
  const interval = formatInterval(summary?.low, summary?.high, 'ms');
  return (
    <dl class="answers">
      <div class="answer ours">
        <dt>Page complete</dt>
        <dd>
          <Figure text={figureOf(target)} />
          <span class="under">
            {interval === ABSENT
              ? summary !== undefined && `${formatCount(summary.n, 'run')}, no interval`
              : `${interval} · ${level} interval of ${formatCount(summary?.n ?? 0, 'run')}`}
          </span>
        </dd>
      </div>
      {raw !== undefined && (
        <div class="answer plain">
          <dt>Plain quiescence</dt>
          <dd>
            <Figure text={raw.state === 'unconfirmed' ? 'not confirmed' : stateInWords(raw)} />
            <span class="under">
              {held.length > 0
                ? `with every request counted; still waiting for ${foreign(held[0] ?? '')}${held.length > 1 ? ` and ${held.length - 1} more` : ''}`
                : 'with every request counted'}
            </span>
          </dd>
        </div>
      )}
    </dl>
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
  const facts: readonly (readonly [string, string])[] = [
    ['browser', foreign(result.browser.product)],
    ...(result.browser.sandbox === undefined
      ? []
      : [['browser sandbox', result.browser.sandbox ? 'on' : 'off'] as const]),
    ...Object.entries(result.settings).map(([name, value]) => [foreign(name), settingText(value)] as const),
    ['measured with', `Quiesce ${foreign(result.tool.version)}`],
  ];
  return (
    <footer class="foot">
      <h2>How it was measured</h2>
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
