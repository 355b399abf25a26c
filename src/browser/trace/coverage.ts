import type { CDPSession, Protocol } from 'puppeteer-core';
import type { RecordedCoverage, UseReading, WatchedText } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import type { BeforeStart } from '../record/targets.ts';

/**
 * How long after the last answer what was used is read, ms: scripts that have just come must have had their chance to run.
 */
const READ_AFTER_QUIET_MS = 500;
/** How long a page may take to tell what it used, or the text of one file, ms. */
const ANSWER_WITHIN_MS = 10_000;
/** More texts are not read: a page of thousands of small scripts must not hold up the run. */
const MAX_TEXTS = 1_000;

/** Watches which parts of scripts and style sheets are used. That makes scripts slower: not for timed runs. */
export interface CoverageWatch {
  readonly beforeStart: BeforeStart;
  /** Nothing that the page needs is in flight. */
  quiet(): void;
  /** Something is, again. */
  busyAgain(): void;
  /** Reads once more, and gives all; undefined when nothing was watched. */
  end(): Promise<RecordedCoverage | undefined>;
  stop(): void;
}

type Text = Omit<WatchedText, 'text'>;

/** A page or a frame of another process. */
interface Watched {
  readonly session: CDPSession;
  readonly targetId: string;
  readonly scripts: Map<string, Text>;
  readonly styles: Map<string, Text>;
}

/** Nothing is watched before `beforeStart` is called. `now` is the recording's clock. */
export function watchCoverage(now: () => Ms): CoverageWatch {
  const watched: Watched[] = [];
  const readings: { at: Ms; uses: readonly UseReading[] }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isRead = false;
  let reading = Promise.resolve();

  const read = (): Promise<void> => {
    reading = reading.then(async () => {
      const uses = await Promise.all(watched.map(readUses));
      readings.push({ at: now(), uses: uses.flat() });
    });
    return reading;
  };
  const stop = (): void => clearTimeout(timer);

  return {
    beforeStart(session, kind, targetId) {
      if (kind !== 'page' && kind !== 'iframe') return;
      const target: Watched = { session, targetId, scripts: new Map(), styles: new Map() };
      watched.push(target);
      listen(target);
      // An old browser may not know them. By function, and only until it has run: with `detailed`, which counts blocks,
      // a tight loop took four times as long, and the trace of the same run would blame it for that.
      const send = (sent: Promise<unknown>): void => void sent.catch(() => undefined);
      send(session.send('Debugger.enable'));
      send(session.send('Debugger.setSkipAllPauses', { skip: true }));
      send(session.send('Profiler.enable'));
      send(session.send('Profiler.startPreciseCoverage', { callCount: false, detailed: false }));
      send(session.send('DOM.enable'));
      send(session.send('CSS.enable'));
      send(session.send('CSS.startRuleUsageTracking'));
    },
    quiet() {
      if (isRead) return;
      isRead = true;
      timer = setTimeout(() => void read(), READ_AFTER_QUIET_MS);
    },
    busyAgain() {
      stop();
      isRead = false;
    },
    async end() {
      stop();
      if (watched.length === 0) return undefined;
      await read();
      const texts = await Promise.all(watched.map(readTexts));
      return { texts: texts.flat(), readings };
    },
    stop,
  };
}

/** Ids are unique only within a process. */
const idOf = ({ targetId }: Watched, id: string): string => `${targetId} ${id}`;

function listen(target: Watched): void {
  const { session, targetId, scripts, styles } = target;
  session.on('Debugger.scriptParsed', (script) => {
    if (isOfPage(script)) scripts.set(script.scriptId, scriptOf(target, script));
  });
  session.on('CSS.styleSheetAdded', ({ header }) => {
    if (header.origin === 'regular' && isFile(header.sourceURL))
      styles.set(header.styleSheetId, styleOf(target, header));
  });
  session.on('CSS.styleSheetRemoved', ({ styleSheetId }) => void styles.delete(styleSheetId));
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.id !== targetId) return;
    // Another document: what the one before it has loaded may still be in memory.
    scripts.clear();
    styles.clear();
  });
}

/** Scripts with an address that Quiesce did not bring along itself. */
function isOfPage({ url, executionContextAuxData, scriptLanguage }: Protocol.Debugger.ScriptParsedEvent): boolean {
  const { isDefault } = (executionContextAuxData ?? {}) as { readonly isDefault?: boolean };
  return isDefault === true && isFile(url) && scriptLanguage !== 'WebAssembly';
}

const isFile = (url: string): boolean => /^https?:/i.test(url);

function scriptOf(
  target: Watched,
  { scriptId, url, startLine, startColumn }: Protocol.Debugger.ScriptParsedEvent,
): Text {
  const isInline = startLine > 0 || startColumn > 0;
  return {
    kind: 'script',
    id: idOf(target, scriptId),
    url,
    ...(isInline && { inline: { line: startLine, column: startColumn } }),
  };
}

function styleOf(
  target: Watched,
  { styleSheetId, sourceURL, isInline, startLine, startColumn }: Protocol.CSS.CSSStyleSheetHeader,
): Text {
  return {
    kind: 'style',
    id: idOf(target, styleSheetId),
    url: sourceURL,
    ...(isInline && { inline: { line: startLine, column: startColumn } }),
  };
}

/** What a target used since it was asked before; nothing of one that is gone. */
async function readUses(target: Watched): Promise<readonly UseReading[]> {
  const { session } = target;
  const [scripts, styles] = await Promise.all([
    withTimeout(session.send('Profiler.takePreciseCoverage'), ANSWER_WITHIN_MS),
    withTimeout(session.send('CSS.takeCoverageDelta'), ANSWER_WITHIN_MS),
  ]);
  const rules = Map.groupBy(styles?.coverage ?? [], ({ styleSheetId }) => styleSheetId);
  return [
    ...(scripts?.result ?? [])
      .filter(({ scriptId }) => target.scripts.has(scriptId))
      .map(({ scriptId, functions }) => ({
        id: idOf(target, scriptId),
        ranges: functions.flatMap(({ functionName, ranges }) =>
          ranges.map(({ startOffset: from, endOffset: to, count }, index) => ({
            from,
            to,
            used: count > 0,
            ...(index === 0 && { function: functionName }),
          })),
        ),
      })),
    ...[...rules].map(([styleSheetId, used]) => ({
      id: idOf(target, styleSheetId),
      ranges: used.map(({ startOffset: from, endOffset: to }) => ({ from, to, used: true })),
    })),
  ];
}

async function readTexts({ session, scripts, styles }: Watched): Promise<readonly WatchedText[]> {
  const readScript = async (scriptId: string): Promise<string | undefined> =>
    (await withTimeout(session.send('Debugger.getScriptSource', { scriptId }), ANSWER_WITHIN_MS))?.scriptSource;
  const readStyle = async (styleSheetId: string): Promise<string | undefined> =>
    (await withTimeout(session.send('CSS.getStyleSheetText', { styleSheetId }), ANSWER_WITHIN_MS))?.text;
  const all = [
    ...[...scripts].map(([id, known]) => ({ known, read: () => readScript(id) })),
    ...[...styles].map(([id, known]) => ({ known, read: () => readStyle(id) })),
  ];
  const texts = await Promise.all(
    all.slice(0, MAX_TEXTS).map(async ({ known, read }) => {
      const text = await read();
      return text === undefined ? [] : [{ ...known, text }];
    }),
  );
  return texts.flat();
}
