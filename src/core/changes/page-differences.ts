import type { Build, PageDifference } from '../../model/comparison.ts';
import type { RunResult, TargetResult } from '../../model/result.ts';
import { count } from '../background/words.ts';
import { listed } from '../sentences.ts';
import { backgroundChangesOf } from './background.ts';
import { MASK } from './content-hash.ts';
import { siteOf } from './site.ts';

/** A single load in a hundred may fail anywhere; from this share on it is the build. */
const OFTEN = 0.1;
/** The other build has to do at least this much better, or both are just as bad. */
const TIMES_AS_OFTEN = 2;
/** Longer titles are cut. */
const LONGEST_TITLE = 60;

/** Failures in words that a list of loads can hold; the rest are told by their code. */
const REASONS: Readonly<Record<string, string>> = {
  'host-not-found': 'no such host',
  'connection-refused': 'nothing listened',
  'connection-failed': 'the connection broke',
  'tls-invalid': 'the certificate is not valid',
  'not-a-page': 'the answer was no page',
  'redirect-loop': 'it redirects in a circle',
  'no-answer': 'no answer came in time',
  truncated: 'the document broke off',
  'page-crashed': 'the page crashed',
  'browser-died': 'the browser died',
  'browser-lost': 'the connection to the browser broke',
};

type Sides = Readonly<Record<Build, TargetResult>>;

/**
 * The ways in which the two pages are not the same page, each a sentence with what that means for the comparison: to be
 * told before any figure. Before there are timed runs, what the untimed ones showed is told.
 */
export function pageDifferencesOf(base: TargetResult, candidate: TargetResult): readonly PageDifference[] {
  const sides: Sides = { base, candidate };
  return [
    ...failureDifferences(sides),
    ...finalUrlDifferences(sides),
    ...blankDifferences(sides),
    ...neverDifferences(sides),
    ...titleDifferences(sides),
    ...backgroundDifferences(sides),
  ];
}

const BOTH: readonly (readonly [Build, Build])[] = [
  ['base', 'candidate'],
  ['candidate', 'base'],
];

// --- Loads that failed --------------------------------------------------------------------------------------------

function failureDifferences(sides: Sides): readonly PageDifference[] {
  return BOTH.flatMap(([build, other]): readonly PageDifference[] => {
    const [here, there] = [loadsOf(sides[build]), loadsOf(sides[other])];
    if (!isOneSided(here, there)) return [];
    const reasons = reasonsOf(sides[build]);
    const because = reasons === '' ? '' : `: ${reasons}`;
    if (here.of === here.n) {
      const what = `The ${build} could not be loaded (${allOf(here.of, 'load')} failed${because})`;
      return [{ code: 'status', message: `${what}: there is nothing to compare the ${other} with.` }];
    }
    const elsewhere = there.n === 0 ? `the ${other} in none` : `the ${other} in ${there.n} of ${there.of}`;
    const what = `The ${build} failed in ${here.n} of ${count(here.of, 'load')}${because}; ${elsewhere}`;
    return [
      { code: 'failures', message: `${what}. Times of the loads that worked say nothing of those that did not.` },
    ];
  });
}

interface Share {
  readonly n: number;
  readonly of: number;
}

/** Loads and not runs: a run that was tried again because its load failed is two of them. */
function loadsOf({ runs }: TargetResult): Share {
  const loads = runs.filter(isOrdinary);
  const of = loads.reduce((sum, { attempts }) => sum + (attempts ?? 1), 0);
  return { n: of - loads.filter(({ ok }) => ok).length, of };
}

/** Often here, and much more often than there. */
function isOneSided(here: Share, there: Share): boolean {
  if (here.n === 0 || here.of === 0) return false;
  const [ours, theirs] = [here.n / here.of, there.of === 0 ? 0 : there.n / there.of];
  return ours >= OFTEN && ours >= TIMES_AS_OFTEN * theirs;
}

function reasonsOf({ runs }: TargetResult): string {
  const reasons = runs.flatMap(({ failure }) => {
    if (!failure) return [];
    const status = failure.code === 'http-error' ? /HTTP \d{3}/.exec(failure.message)?.[0] : undefined;
    return [status ?? REASONS[failure.code] ?? failure.code];
  });
  return [...new Set(reasons)].join(', ');
}

// --- What was loaded ----------------------------------------------------------------------------------------------

/** Where a page was named one address and another was loaded, that is no difference of the builds but of the question. */
function finalUrlDifferences({ base, candidate }: Sides): readonly PageDifference[] {
  if (base.finalUrl === undefined || candidate.finalUrl === undefined) return [];
  const [asked, askedThere] = [placeOf(base.url, base.url), placeOf(candidate.url, candidate.url)];
  const [ends, endsThere] = [placeOf(base.finalUrl, base.url), placeOf(candidate.finalUrl, candidate.url)];
  if (ends === endsThere || (ends === asked && endsThere === askedThere)) return [];
  const message = `The two ended at different pages: the base at ${ends}, the candidate at ${endsThere}. The figures compare one page with another.`;
  return [{ code: 'final-url', message }];
}

/** Path and query inside the site that was asked for, the whole address elsewhere. Values made up for a load are none. */
function placeOf(address: string, asked: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const query = url.search.replace(/=([^&]*)/g, (parameter, value: string) =>
    MADE_UP.test(value) ? `=${MASK}` : parameter,
  );
  return `${siteOf(address) === siteOf(asked) ? '' : url.origin}${url.pathname}${query}`;
}

/** A timestamp or a token, as far as that can be told: at least ten characters, one of them a digit. */
const MADE_UP = /^(?=.*\d)[\w.~%-]{10,}$/;

function titleDifferences({ base, candidate }: Sides): readonly PageDifference[] {
  const [before, after] = [titleOf(base), titleOf(candidate)];
  if (before === undefined || after === undefined || before === after) return [];
  const message = `The pages have different titles: ${quoted(before)} in the base, ${quoted(after)} in the candidate. Check that both show the same page.`;
  return [{ code: 'title', message }];
}

/** Without the count of what is unread, which changes from load to load: "(3) Inbox". */
function titleOf({ title }: TargetResult): string | undefined {
  return title?.replace(/^\(\d+\+?\)\s*/, '').trim();
}

function quoted(title: string): string {
  if (title === '') return 'none';
  return `“${title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title}”`;
}

// --- What was seen of it ------------------------------------------------------------------------------------------

function blankDifferences(sides: Sides): readonly PageDifference[] {
  return BOTH.flatMap(([build, other]): readonly PageDifference[] => {
    const [here, there] = [judgedRuns(sides[build]), judgedRuns(sides[other])];
    if (here.length === 0 || here.some(isPainted) || !there.some(isPainted)) return [];
    const message = `The ${build} is blank: nothing was painted in ${allOf(here.length, 'load')}, unlike in the ${other}. An empty page is quick, but it is no better.`;
    return [{ code: 'blank', message }];
  });
}

function isPainted({ metrics }: RunResult): boolean {
  return metrics?.firstContentfulPaint !== undefined;
}

function neverDifferences(sides: Sides): readonly PageDifference[] {
  return BOTH.flatMap(([build, other]): readonly PageDifference[] => {
    const [here, there] = [unfinished(sides[build]), unfinished(sides[other])];
    if (!isOneSided(here, there)) return [];
    const waiting = sides[build].runs.findLast((run) => isUnfinished(run) && isOrdinary(run))?.pageComplete?.waitingFor;
    const forWhat = waiting && waiting.length > 0 ? `, waiting for ${listed(waiting, sides[build].url)}` : '';
    const elsewhere = there.n === 0 ? `The ${other} always was` : `The ${other} was not in ${there.n} of ${there.of}`;
    const message = `The ${build} was never complete in ${here.n} of ${count(here.of, 'load')}${forWhat}. ${elsewhere}: times to page complete leave those loads out.`;
    return [{ code: 'never-complete', message }];
  });
}

function unfinished(target: TargetResult): Share {
  const runs = judgedRuns(target);
  return { n: runs.filter(isUnfinished).length, of: runs.length };
}

function isUnfinished({ pageComplete }: RunResult): boolean {
  return pageComplete?.state !== 'complete';
}

/** The loads that worked; the untimed ones as long as there are no others. */
function judgedRuns({ runs }: TargetResult): readonly RunResult[] {
  const worked = runs.filter((run) => run.ok && isOrdinary(run));
  const timed = worked.filter(({ role }) => role === 'timed');
  return timed.length > 0 ? timed : worked;
}

/** In an ablation run the page is not whole on purpose. */
function isOrdinary({ role }: RunResult): boolean {
  return role !== 'ablation';
}

// --- What goes on behind it ---------------------------------------------------------------------------------------

/** Only a pointer: the endpoints are listed on their own. What the browser asks for by itself (an icon) is not the page's. */
function backgroundDifferences({ base, candidate }: Sides): readonly PageDifference[] {
  const changes = backgroundChangesOf(base, candidate);
  if (changes.length === 0) return [];
  const parts = (['base', 'candidate'] as const).flatMap((build) => {
    const n = changes.filter((change) => change.build === build).length;
    return n === 0 ? [] : [`${count(n, 'endpoint')} only in the ${build}`];
  });
  const message = `The builds differ in their background traffic: ${parts.join(', ')}. It is listed below; what is background is not in the times.`;
  return [{ code: 'background', message }];
}

function allOf(n: number, noun: string): string {
  return n === 1 ? `its only ${noun}` : `all of its ${n} ${noun}s`;
}
