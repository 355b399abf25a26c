import { stripVTControlCharacters } from 'node:util';
import type { Build } from '../model/compare/comparison.ts';
import type { ComparisonLook, PagePlace, Progress } from '../model/result/progress.ts';
import type { RunResult, RunRole } from '../model/result/result.ts';
import { fitStart } from '../reporters/terminal/columns.ts';
import { formatThroughput } from '../wording/capacity.ts';
import { waitingForInWords } from '../wording/completion/waiting-for.ts';
import { loadInWords } from '../wording/result/loads.ts';
import { formatChange, formatCount, formatElapsed, formatValue, joined } from '../wording/text/format.ts';
import { LoadCount } from './load-count.ts';
import type { Output } from './output.ts';
import { widthOf } from './world.ts';

/** Writes the progress of a job to stderr. */
export interface ProgressWriter {
  show(event: Progress): void;
  /** A line between the progress; nothing with `--quiet`. */
  note(line: string): void;
  /** A line that the next one may overwrite on a terminal; left out elsewhere. */
  live(line: string): void;
  /** Leaves the terminal as it was. May be called more than once. */
  close(): void;
}

/** How much to write. */
export interface ProgressStyle {
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Redrawing faster than this only flickers, and costs time on the machine that measures. */
const REDRAW_MS = 100;

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE = '\r\u001b[2K';

type RunEvent = Extract<Progress, { kind: 'run-started' | 'run-progress' }>;

const ofBuild = ({ build }: { readonly build?: Build }): string => (build === undefined ? '' : `${build}: `);

/** A live line on a terminal, plain lines elsewhere, nothing with `--quiet`. */
export function createProgress(output: Output, style: ProgressStyle): ProgressWriter {
  if (style.quiet) {
    // The output of a server or a build before it failed belongs to the error.
    const show = (event: Progress): void => {
      const lines =
        event.kind === 'server-output'
          ? lastLines(event.command, event.lines)
          : event.kind === 'build-output' && event.failed
            ? lastLines(buildName(event), event.lines)
            : [];
      for (const text of lines) output.line(oneLine(text));
    };
    return { show, note() {}, live() {}, close() {} };
  }
  const line = output.isTTY && style.env.TERM !== 'dumb' ? new LiveLine(output) : undefined;
  const loads = new LoadCount();
  const note = (text: string) => (line === undefined ? output.line(oneLine(text)) : line.above(oneLine(text)));

  // On a terminal the one line says what goes on; what has passed stays there only with `--verbose`.
  const passed = (text: string): void => {
    if (line === undefined || style.verbose) note(text);
  };
  // What a comparison has found so far, for the line.
  let found: string | undefined;

  return {
    note,
    live: (text) => line?.set(() => oneLine(text)),
    close: () => line?.close(),
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a case for each kind of progress
    show(event) {
      loads.count(event, performance.now());
      switch (event.kind) {
        case 'loads-ahead':
          return;
        case 'browser-started': {
          const path = style.verbose && event.path !== undefined ? ` (${event.path})` : '';
          return passed(
            `${event.product}${path}${style.verbose && event.sandbox !== undefined ? `, sandbox ${event.sandbox ? 'on' : 'off'}` : ''}`,
          );
        }
        case 'serving':
          return passed(`${event.target} is served at ${event.url}`);
        case 'setup-starting':
          return line?.set(() => oneLine(`running ${event.command}`));
        case 'setup-finished':
          line?.clear();
          return passed(`${event.command} has run in ${formatElapsed(event.after)}`);
        case 'server-starting':
          return line?.set(() => oneLine(`${ofBuild(event)}starting ${event.command}, waiting for ${event.url}`));
        case 'server-started':
          line?.clear();
          return passed(
            `${ofBuild(event)}${event.url} responds after ${formatElapsed(event.after)} (${event.command})`,
          );
        case 'server-output':
          line?.clear();
          for (const text of lastLines(event.command, event.lines)) note(text);
          return;
        case 'build-starting': {
          // Builds take minutes: if no line can be overwritten, print it at once.
          const startedAt = performance.now();
          const doing = describeBuilding(event);
          return line === undefined
            ? void note(doing)
            : line.set(() => `${oneLine(doing)} … ${Math.floor((performance.now() - startedAt) / 1000)} s`);
        }
        case 'build-output':
          if (style.verbose) for (const text of event.failed ? [] : event.lines) note(`  ${text}`);
          else if (event.failed) for (const text of lastLines(buildName(event), event.lines)) note(text);
          return;
        case 'build-finished':
          line?.clear();
          return passed(
            event.after === undefined
              ? `${buildName(event)} comes from the cache`
              : `${buildName(event)} is ready after ${formatElapsed(event.after)}`,
          );
        case 'note':
          line?.clear();
          return void note(event.message);
        case 'run-started':
        case 'run-progress': {
          if (!loads.isLatest(event)) return;
          // Between two events the clock of the line goes on by itself.
          const seenAt = performance.now();
          return line?.set(() => {
            const place = loads.place(performance.now());
            const whole = place === undefined ? '' : `${loadInWords(place)} · `;
            return oneLine(whole + (found ?? describeRunning(event, performance.now() - seenAt)));
          });
        }
        case 'run-retried':
          // Why it failed is printed once, at the end, if it fails again.
          return passed(
            `${heading(event)}: ${event.failed && !style.verbose ? 'failed, tried again' : `tried again, ${event.because}`}`,
          );
        case 'run-finished':
          line?.clear();
          // Loads without problems are covered by the line of their block.
          if (event.run.block !== undefined && event.run.ok && !style.verbose) return;
          // Why it failed is printed once, at the end.
          passed(`${heading({ ...event, role: event.run.role })}: ${describeFinished(event.run, style)}`);
          if (style.verbose) for (const detail of numbersOf(event.run)) note(`  ${detail}`);
          return;
        case 'file-started':
          return line?.set(() => oneLine(`${fileHeading(event)}: reading and judging`));
        case 'file-finished':
          line?.clear();
          return passed(`${fileHeading(event)}: ${describeFile(event)}`);
        case 'settling':
          return line?.set(() => `deciding what is background, page ${event.index} of ${event.of}`);
        case 'drawing':
          return line?.set(() => `writing the report of page ${event.index} of ${event.of}`);
        case 'level-progress':
          return line?.set(() => oneLine(describeLevel(event)));
        case 'reading':
          return line?.set(() => oneLine(`reading ${event.file} (${event.index} of ${event.of})`));
        case 'comparison-progress':
          if (!style.verbose)
            found = `${event.page === undefined ? '' : `${event.page.name}: `}${gatesOf(event).join('; ')}`;
          return passed(describeLook(event));
        case 'written':
          line?.clear();
          if (style.verbose) for (const file of event.files) note(`wrote ${file}`);
          return;
        default:
          event satisfies never;
      }
    },
  };
}

/** One line that is drawn over and over. */
class LiveLine {
  readonly #output: Output;
  #draw: (() => string) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(output: Output) {
    this.#output = output;
  }

  set(draw: () => string): void {
    this.#draw = draw;
    if (this.#timer === undefined) {
      this.#output.control(HIDE_CURSOR);
      // A job that hangs must not be kept alive by its own progress.
      this.#timer = setInterval(() => this.#redraw(), REDRAW_MS).unref();
    }
    this.#redraw();
  }

  clear(): void {
    if (this.#draw === undefined) return;
    this.#draw = undefined;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#output.control(CLEAR_LINE);
  }

  above(text: string): void {
    this.#output.control(this.#draw === undefined ? '' : CLEAR_LINE, `${text}\n`);
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#redraw();
  }

  close(): void {
    this.clear();
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#output.control(SHOW_CURSOR);
  }

  #redraw(): void {
    const now = performance.now();
    if (this.#draw === undefined || now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    // The last column stays free: some terminals wrap as soon as it is filled.
    const room = Math.max(20, widthOf(this.#output, 80) - 1);
    const text = this.#draw();
    this.#output.control(CLEAR_LINE, fitStart(text, room));
  }
}

function fileHeading({ file, index, of }: { file: string; index: number; of: number }): string {
  const name = file === '-' ? 'standard input' : file;
  return of === 1 ? name : `${name} (${index} of ${of})`;
}

function describeFile({ pages, requests }: { pages: number; requests: number }): string {
  if (pages === 0) return 'could not be analysed';
  return `${formatCount(pages, 'page')}, ${formatCount(requests, 'request')}`;
}

/** How narrow the intervals are, and how many pairs may follow. */
function describeLook(look: ComparisonLook): string {
  const { pairs, nextLook, maxPairs, expectedPairs, gates } = look;
  const isDecided = gates.every(({ decision }) => decision !== undefined && decision !== 'unsure');
  const ahead = [
    ...(nextLook === undefined ? [] : [`next look at ${nextLook}`]),
    ...(expectedPairs === undefined || expectedPairs <= 0
      ? []
      : [`about ${formatCount(expectedPairs, 'more pair')} expected`]),
  ];
  const place = look.page === undefined ? '' : `${look.page.name}: `;
  return [`${place}${pairs} of at most ${maxPairs} pairs`, ...gatesOf(look), ...(isDecided ? [] : [ahead.join(', ')])]
    .filter((part) => part !== '')
    .join('; ');
}

/** What is known of each gate: "page complete +17% (+12% to +21%), slower". */
function gatesOf({ gates }: ComparisonLook): readonly string[] {
  return gates.map(({ title, decision, ...gate }) => {
    const figure = `${title.toLowerCase()} ${describeChange(gate)}`;
    return decision === undefined || decision === 'unsure' ? figure : `${figure}, ${decision}`;
  });
}

function describeChange({ scale, unit, estimate, low, high }: Omit<ComparisonLook['gates'][number], 'title'>): string {
  if (estimate === undefined) return 'not measured';
  const show = (value: number): string =>
    scale === 'ratio' ? formatChange(value) : `${value > 0 ? '+' : ''}${formatValue(value, unit)}`;
  if (low === undefined || high === undefined) return `${show(estimate)} (too few pairs for an interval)`;
  return `${show(estimate)} (${show(low)} to ${show(high)})`;
}

function lastLines(whose: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [`${whose} printed nothing.`];
  return [
    `The last ${lines.length === 1 ? 'line' : formatCount(lines.length, 'line')} of ${whose}:`,
    ...lines.map((each) => `  ${each}`),
  ];
}

function buildName({ build, name }: { readonly build: Build; readonly name: string }): string {
  return `${build} ${name}`;
}

function describeBuilding(event: Extract<Progress, { kind: 'build-starting' }>): string {
  const { command } = event;
  return command === undefined ? `checking out ${buildName(event)}` : `building ${buildName(event)}: ${command}`;
}

function heading(event: {
  target: string;
  page?: PagePlace;
  build?: Build;
  index: number;
  of: number;
  role?: RunRole;
}): string {
  const { target, page, build, index, of, role = 'timed' } = event;
  const named = page === undefined ? target : `${page.name} (page ${page.index} of ${page.of})`;
  const subject = build === undefined ? named : `${named}, ${build}`;
  // Each round of an audit loads every page once, so the number of the run is that of the round.
  const isRound = page !== undefined && build === undefined;
  if (role === 'timed') return `${subject} ${isRound ? 'round' : 'run'} ${index} of ${of}`.trimStart();
  return `${subject} ${role === 'discarded' ? 'warm-up' : role} run`.trimStart();
}

function describeRunning(event: RunEvent, since: number): string {
  const elapsed = event.kind === 'run-progress' ? event.elapsed + since : since;
  // Of one page the line has no room for its address, which was typed a moment ago.
  const parts = [`${heading(event.page === undefined ? { ...event, target: '' } : event)}: ${formatElapsed(elapsed)}`];
  if (event.kind === 'run-progress') {
    parts.push(formatCount(event.requests, 'request'));
    if (event.waitingFor.length > 0) {
      const waitingFor = event.waitingFor.map((each) => waitingForInWords(each));
      parts.push(`waiting for ${joined(waitingFor, 1)}`);
    }
  }
  return parts.join(', ');
}

function describeFinished(run: RunResult, { verbose }: Pick<ProgressStyle, 'verbose'>): string {
  if (!run.ok) return verbose ? `failed. ${run.failure?.message ?? ''}` : 'failed';
  const complete = run.pageComplete;
  const requests = run.metrics?.requestCount;
  const count = requests === undefined ? '' : `, ${formatCount(requests, 'request')}`;
  switch (complete?.state) {
    case undefined:
      return `measured${count}`;
    case 'complete':
      // The film of an untimed run may still change its answer.
      return run.role === 'timed'
        ? `page complete at ${ms(complete.at)}${count}`
        : `watched for ${ms(complete.observedUntil)}${count}`;
    case 'unconfirmed':
      if (complete.at === undefined)
        return `not confirmed to be complete, watched until ${ms(complete.observedUntil)}${count}`;
      return `page probably complete at ${ms(complete.at)}, watched until ${ms(complete.observedUntil)}${count}`;
    case 'never':
      return `not complete within ${ms(complete.observedUntil)}${count}`;
  }
}

function numbersOf(run: RunResult): readonly string[] {
  const numbers = Object.entries(run.metrics ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${Math.round(value * 100) / 100}`],
  );
  const host = run.host?.verdict === 'unfit' ? [`host unfit: ${run.host.reasons.join('; ')}`] : [];
  return [...(numbers.length > 0 ? [numbers.join(', ')] : []), ...host];
}

function ms(value: number | undefined): string {
  return value === undefined ? 'an unknown time' : formatValue(value, 'ms');
}

/** Programs print in colour, and servers put anything into their errors: what moves the cursor is left out here. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

function describeLevel(event: Extract<Progress, { kind: 'level-progress' }>): string {
  const { server, concurrency, rate, pass, index, of, elapsed, throughput } = event;
  const place = pass === 2 ? `second pass, level ${index} of ${of} · ` : '';
  const what = rate === undefined ? formatCount(concurrency, 'connection') : `${formatThroughput(rate)} requested`;
  return `${place}${server === undefined ? '' : `${server}, `}${what}: ${formatThroughput(throughput)}, ${formatElapsed(elapsed)}`;
}
