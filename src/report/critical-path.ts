import type { MainThreadCategory } from '../model/main-thread.ts';
import type { CriticalPath, CriticalStep, RequestStep, WorkStep } from '../model/result/result.ts';
import { formatCount, formatShare, formatValue, joined } from '../wording/text/format.ts';
import { elide, shortName } from '../wording/text/text.ts';

/** What a piece of the critical path was: see `CriticalStep`; `queue` is the part of its wait before it was sent, `rest` what came after the last step. */
export type PieceKind = 'delay' | 'work' | 'queue' | 'wait' | 'receive' | 'rest';

/** A stretch of the critical path. The pieces of a path, in order, tile page complete. */
export interface Piece {
  readonly kind: PieceKind;
  readonly from: number;
  readonly to: number;
  /** Position of its step; of the rest, of the last one. */
  readonly step: number;
}

/** The pieces of a path in order of time, without those that took no time. */
export function piecesOf({ steps, rest }: CriticalPath): readonly Piece[] {
  let at = 0;
  const piece = (kind: PieceKind, length: number, step: number): readonly Piece[] => {
    const from = at;
    at += length;
    return length > 0 ? [{ kind, from, to: at, step }] : [];
  };
  return [
    ...steps.flatMap((each, step) => [
      ...piece('delay', each.delay, step),
      ...(each.cause === 'work'
        ? piece('work', each.work, step)
        : [
            ...piece('queue', each.queued ?? 0, step),
            ...piece('wait', each.wait - (each.queued ?? 0), step),
            ...piece('receive', each.receive, step),
          ]),
    ]),
    ...piece('rest', rest, steps.length - 1),
  ];
}

/** Page complete, as the path tiles it, ms. */
export function lengthOf({ steps, rest }: CriticalPath): number {
  return steps.reduce((sum, step) => sum + shareOf(step), rest);
}

/** What a step took of page complete, ms. */
export function shareOf(step: CriticalStep): number {
  return step.delay + (step.cause === 'work' ? step.work : step.wait + step.receive);
}

/** The pieces, longest first. */
export function longestFirst(path: CriticalPath): readonly Piece[] {
  return piecesOf(path).toSorted((a, b) => b.to - b.from - (a.to - a.from));
}

/** Longest address that a sentence can hold and still be read. */
const LONGEST_NAME = 60;

/** How a step ended: a request that failed has no answer. */
const endOf = (step: RequestStep | undefined): string =>
  step?.failed ? `failed${step.status === undefined ? '' : ` (${step.status})`}` : 'finished';

const signOf = (step: CriticalStep): string => {
  if (step.cause === 'work') return ` (${formatValue(step.work, 'ms')})`;
  const { failed, status } = step;
  return failed ? ` (failed${status === undefined ? '' : `: ${status}`})` : '';
};

/** A step that is a request; undefined of work. */
const requestOf = (step: CriticalStep | undefined): RequestStep | undefined =>
  step === undefined || step.cause === 'work' ? undefined : step;

/** A step as a sentence names it: a file's name, or the path of its address, without the query. */
export function calledOf(steps: readonly CriticalStep[], index: number): string {
  const step = steps[index];
  if (step?.cause === 'work') return calledWork(step);
  if (step === undefined || (index === 0 && step.type === 'document')) return 'the page';
  return calledFile(step.url);
}

/** Work as a noun: the script that ran, or what was done for none. */
function calledWork({ category, place }: WorkStep): string {
  return place === undefined ? WORK[category] : `${calledFile(place.url)} running`;
}

const WORK: Readonly<Record<MainThreadCategory, string>> = {
  scriptEvaluation: 'scripts running',
  scriptCompile: 'scripts compiled',
  parseHtml: 'HTML parsed',
  styleLayout: 'style and layout',
  paint: 'painting',
  garbageCollection: 'garbage collected',
  other: 'the main thread busy',
};

/** What came after a step: its request is named, and behind the last there is the end. */
function beforeWhat(steps: readonly CriticalStep[], index: number): string {
  const next = steps.findIndex((step, at) => at > index && step.cause !== 'work');
  return next < 0 ? 'it was complete' : `it requested ${calledOf(steps, next)}`;
}

function calledFile(url: string): string {
  const [, host = '', path = ''] = /^[a-z][\w+.-]*:\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  if (host === '') return elide(shortName(url), LONGEST_NAME);
  const file = /[^/]+\.[a-z]\w{0,9}$/i.exec(path)?.[0];
  return elide(file ?? (path.length > 1 ? path : `${host}/`), LONGEST_NAME);
}

/** The host that was asked, where an address has one. */
function hostOf(url: string): string | undefined {
  return /^[a-z][\w+.-]*:\/\/([^/?#]+)/i.exec(url)?.[1];
}

/**
 * What happened during a piece, a clause: "waited for the server of cdn.example to send the first byte of
 * app.js". The server that the page came from needs no name.
 */
export function pieceInWords({ steps }: CriticalPath, { kind, step }: Piece): string {
  const own = requestOf(steps[step]);
  const name = calledOf(steps, step);
  const before = steps[step - 1];
  switch (kind) {
    case 'work':
      return `the page ${steps[step]?.because ?? ''} before ${beforeWhat(steps, step)}`;
    case 'delay':
      if (steps[step]?.cause === 'work') return `nothing loading before the page ${steps[step]?.because ?? ''}`;
      if (before === undefined) return `nothing loading before ${name} was requested`;
      if (isUnknown(own)) return `nothing loading before ${name} was requested (nothing shows by what)`;
      if (isRedirect(own)) return `nothing loading before the redirect to ${name} was followed`;
      return `nothing loading between ${calledOf(steps, step - 1)} and ${name} (${own?.meanwhile ? meanwhileInWords(own.meanwhile) : 'parsing, scripts or a timer'})`;
    case 'queue':
      return `waited for a free connection to send the request for ${name}: over HTTP/1.1, six go to one server`;
    case 'wait': {
      const host = hostOf(own?.url ?? '');
      const elsewhere = host === undefined || host === hostOf(requestOf(steps[0])?.url ?? '') ? '' : ` of ${host}`;
      return `waited for the server${elsewhere} to send the first byte of ${name}${own?.failed ? `, which ${endOf(own)}` : ''}`;
    }
    case 'receive':
      return `downloaded ${name}${step === steps.length - 1 ? '' : ', up to the part that requests the next one'}`;
    case 'rest':
      return `nothing loading after ${own === undefined ? 'that work' : `${name} ${endOf(own)}`}: timers, scripts, drawing or the load event`;
  }
}

/** Files that a sentence names. */
const MAX_FILES = 3;

/** The data that came in a pause of the path, a clause with names as those of steps. */
function meanwhileInWords(urls: readonly string[]): string {
  return `meanwhile, ${joined([...new Set(urls.map(calledFile))], MAX_FILES)} arrived`;
}

/** How a step came to be asked for, behind its name: ", requested by app.js:12"; nothing of the first. */
function whyOf(step: RequestStep | undefined, first: boolean): string {
  // What is not known is no reason: no sentence may say it as one.
  if (step === undefined || first || step.because === '' || isUnknown(step)) return '';
  if (isRedirect(step)) return ', where a redirect led';
  return `, ${step.reason?.code === 'replaced' ? 'which ' : ''}${step.because}`;
}

/** Nothing shows what made a step begin. In results of earlier versions, the reason alone says so. */
export const isUnknown = (step: CriticalStep | undefined): boolean =>
  step !== undefined && step.cause !== 'work' && (step.cause === 'unknown' || step.reason?.code === 'after');

const isRedirect = (step: RequestStep | undefined): boolean =>
  step?.reason?.code === 'redirected' && step.reason.preflight !== true;

/** From this much of the whole on, in words; between them a share in percent says it better. */
const FRACTIONS: readonly (readonly [from: number, to: number, words: string])[] = [
  [0.23, 0.27, 'a quarter'],
  [0.31, 0.36, 'a third'],
  [0.47, 0.53, 'half'],
  [0.64, 0.69, 'two thirds'],
  [0.73, 0.77, 'three quarters'],
  [0.93, 1, 'almost all'],
];

function partInWords(share: number, total: number): string {
  const fraction = FRACTIONS.find(([from, to]) => share >= from && share <= to)?.[2] ?? formatShare(share);
  return `For ${fraction} of the ${formatValue(total, 'ms')}`;
}

/**
 * One sentence on where most of the time went: "For half of the 1.24 s, the browser waited for the first byte of
 * /api/reviews, requested by app.js:12 after /api/products finished." Undefined for a path that took no time.
 */
export function pathSentence(path: CriticalPath): string | undefined {
  const total = lengthOf(path);
  const [longest] = longestFirst(path);
  if (longest === undefined || !(total > 0)) return undefined;
  const { steps } = path;
  const { kind, step } = longest;
  const own = requestOf(steps[step]);
  const name = calledOf(steps, step);
  const why = whyOf(own, step === 0);
  const share = (longest.to - longest.from) / total;
  if (share < TELLING) return spreadSentence(path, total);
  const part = partInWords(share, total);
  switch (kind) {
    case 'work':
      return `${part}, the page ${steps[step]?.because ?? ''} before ${beforeWhat(steps, step)}.`;
    case 'delay':
      if (steps[step]?.cause === 'work')
        return `${part}, nothing on this path was loading before the page ${steps[step].because}.`;
      if (step === 0) return `${part}, the browser had not yet requested ${name}.`;
      return isUnknown(own)
        ? `${part}, nothing on this path was loading before ${name} was requested; nothing shows what requested it.`
        : `${part}, nothing on this path was loading between ${calledOf(steps, step - 1)} and ${name}${why}${own?.meanwhile ? `; ${meanwhileInWords(own.meanwhile)}` : ''}.`;
    case 'queue':
      return `${part}, the browser waited for a free connection for ${name}${why}: over HTTP/1.1, a browser opens six to one server.`;
    case 'wait':
      return `${part}, the browser waited for the first byte of ${name}${why}${own?.failed ? `; it ${endOf(own)}` : ''}.`;
    case 'receive':
      return `${part}, the browser downloaded ${name}${why}${own?.failed ? `; it ${endOf(own)}` : ''}.`;
    case 'rest':
      return own === undefined
        ? `${part}, nothing on this path was loading after the page ${steps[step]?.because ?? ''}.`
        : `${part}, nothing on this path was loading after ${name} ${endOf(own)}.`;
  }
}

/** A piece with less of the whole than this does not stand for it. */
const TELLING = 0.2;

const SPREAD: Readonly<Record<PieceKind, string>> = {
  delay: 'nothing on this path was loading',
  work: 'the page ran scripts or computed style and layout',
  queue: 'the browser waited for free connections',
  wait: 'the browser waited for first bytes',
  receive: 'the browser downloaded',
  rest: 'nothing on this path was loading after the last request',
};

/** Of a path whose time went in many small pieces: what most of them were. */
function spreadSentence(path: CriticalPath, total: number): string {
  const took = new Map<PieceKind, number>();
  for (const { kind, from, to } of piecesOf(path)) took.set(kind, (took.get(kind) ?? 0) + to - from);
  const [kind, sum] = [...took].toSorted((a, b) => b[1] - a[1])[0] ?? ['rest', 0];
  return `${partInWords(sum / total, total)}, ${SPREAD[kind]}, in ${formatCount(requestCount(path), 'request')} one after the other.`;
}

/** How many requests a path has. */
export function requestCount({ steps }: CriticalPath): number {
  return steps.filter((step) => step.cause !== 'work').length;
}

/** The chain in a line: "the page → shop.js → products … reviews", where nothing shows that products led there; the middle of a long one is counted. */
export function chainInWords({ steps }: CriticalPath, most = 6): string {
  const names = steps.map((step, index) => {
    const before = index === 0 ? '' : isUnknown(step) ? ' … ' : ' → ';
    return before + calledOf(steps, index) + signOf(step);
  });
  if (names.length <= most) return names.join('');
  const tail = Math.floor((most - 1) / 2);
  const head = most - 1 - tail;
  const left = names.length - head - tail;
  return [...names.slice(0, head), ` → ${formatCount(left, 'more', 'more')}`, ...names.slice(-tail)].join('');
}
