import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { ResultHeader } from '../../../model/result/result.ts';
import { ABSENT, formatValue } from '../../../wording/text/format.ts';
import { kebabCase } from '../../../wording/text/kebab-case.ts';
import { elide, plain } from '../../../wording/text/text.ts';
import { scripts, styles } from '../generated/client.ts';
import { Facts } from './facts.tsx';
import { Contents, foreign, type Place } from './part.tsx';
import { TablesSoFar } from './table.tsx';

/** What a page is framed with. */
export interface Frame {
  /** The result's header: when it began, with which browser and which options. */
  readonly result: ResultHeader;
  /** What the page is about, for the browser's tab. */
  readonly name: string;
  /** What was done, at the start of a line: 'Measured', 'Analysed', 'Compared'. */
  readonly done: string;
  /** Its style sheet. */
  readonly style: keyof typeof styles;
  /** Its script. */
  readonly script: keyof typeof scripts;
  readonly children: ComponentChildren;
}

/**
 * A report as one HTML file that asks for nothing else. Every text of the page under test is escaped by the renderer,
 * and a policy in the head lets only this file's own style and script run, by their hashes.
 */
export function renderPage(frame: Frame): string {
  // The bar stands above the parts that it leads to, and they are known only once they are rendered.
  const places: Place[] = [];
  const main = renderToString(
    <Contents.Provider value={places}>
      <TablesSoFar.Provider value={new Map()}>{frame.children}</TablesSoFar.Provider>
    </Contents.Provider>,
  );
  return `<!doctype html>\n${renderToString(<Page frame={frame} main={main} places={places} />)}\n`;
}

/** A wave that comes to rest. */
const MARK = 'M1 9h3l2.2-7 4.2 14 3.6-10.5 3 6.5 2.2-4 1.8 2H33';

function Page(props: {
  readonly frame: Frame;
  /** Markup of the frame's children. */
  readonly main: string;
  readonly places: readonly Place[];
}): JSX.Element {
  const { frame, main, places } = props;
  const { result, name, done } = frame;
  const [style, script] = [styles[frame.style], scripts[frame.script]];
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${script.sha256}'`,
    `style-src 'sha256-${style.sha256}'`,
    // The icon, without which a browser asks the server for /favicon.ico, and the evidence's pictures.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 -8 40 34"><path d="${MARK}" fill="none" stroke="#1f8f79" stroke-width="3.4" stroke-linejoin="round"/></svg>`;
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
        <style dangerouslySetInnerHTML={{ __html: style.text }} />
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
              {done} <time dateTime={foreign(result.startedAt)}>{when(result.startedAt)}</time>
            </span>
          </header>
          <ContentsBar places={places} />
          <main id="top" dangerouslySetInnerHTML={{ __html: main }} />
          <Foot result={result} done={done.toLowerCase()} />
        </div>
        <script dangerouslySetInnerHTML={{ __html: script.text }} />
      </body>
    </html>
  );
}

/** Fewer parts need no bar. */
const FEW_PARTS = 3;

/** Are the parts those of one page or one comparison? */
function isOneSubject(places: readonly Place[]): boolean {
  const owners = new Set(places.map(({ id }) => id.replace(/-.*$/s, '')));
  return places.length >= FEW_PARTS && owners.size === 1;
}

/** Links to the parts, always in sight; where a page holds those of several targets, the list of targets leads to them. */
function ContentsBar({ places }: { readonly places: readonly Place[] }): JSX.Element | undefined {
  if (!isOneSubject(places)) return undefined;
  return (
    <nav class="contents-bar" aria-label="Contents">
      <ul>
        <li>
          <a href="#top">Answer</a>
        </li>
        {places.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
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

/** Entries of a setting that are shown: a list of pages may be a thousand long. */
const MAX_ENTRIES = 8;

/** A setting as a reader would type it. */
function settingText(value: unknown): string {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === 'string') return foreign(value);
  if (Array.isArray(value)) {
    const more = value.length > MAX_ENTRIES ? [`and ${formatValue(value.length - MAX_ENTRIES, 'count')} more`] : [];
    return value.length === 0 ? ABSENT : [...value.slice(0, MAX_ENTRIES).map(settingText), ...more].join(', ');
  }
  return foreign(JSON.stringify(value) ?? ABSENT);
}

/** An option by its key in a result: "maxInflight" is typed as "--max-inflight". A switch takes no value there, so that it is said in words. */
function settingFact(name: string, value: unknown): readonly [string, string] {
  const typed = kebabCase(foreign(name));
  if (typeof value === 'boolean') return [typed.replaceAll('-', ' '), value ? 'on' : 'off'];
  return [`--${typed}`, settingText(value)];
}

/** With which browser and which options a result came about. */
function Foot({ result, done }: { readonly result: ResultHeader; readonly done: string }): JSX.Element {
  const facts: readonly (readonly [string, string])[] = [
    ['browser', foreign(result.browser.product)],
    ...(result.browser.sandbox === undefined
      ? []
      : [['browser sandbox', result.browser.sandbox ? 'on' : 'off'] as const]),
    // As a reader would type them; what was not set says nothing.
    ...Object.entries(result.settings)
      .map(([name, value]) => settingFact(name, value))
      .filter(([, value]) => value !== ABSENT),
    [`${done} with`, `Quiesce ${foreign(result.tool.version)}`],
  ];
  return (
    <footer class="foot">
      <details>
        <summary>
          <h2>How it was {done}</h2>
        </summary>
        <Facts facts={facts} look="facts" />
        {result.browser.userAgent !== undefined && <p class="keys">{foreign(result.browser.userAgent)}</p>}
      </details>
    </footer>
  );
}
