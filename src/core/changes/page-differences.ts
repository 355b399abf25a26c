import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { FailureKind, LoadShare, PageDifferenceFact } from '../../model/compare/page-difference.ts';
import type { RunResult, TargetResult } from '../../model/result/result.ts';
import { uncountedLateContent } from '../completion/late-content.ts';
import { waitingForOf } from '../completion/waiting-for.ts';
import { isCompleteRun, isMeasured } from '../counted-runs.ts';
import { siteOf } from '../requests/site.ts';
import { backgroundChangesOf } from './background.ts';
import { MASK } from './content-hash.ts';

/** A single load in a hundred may fail anywhere; from this share on it is the build. */
const OFTEN = 0.1;
/** The other build has to do at least this much better, or both are just as bad. */
const TIMES_AS_OFTEN = 2;
type Sides = PerBuild<TargetResult>;

/**
 * The ways in which the two pages are not the same page, to be reported before any figure. Before there are timed runs, what the untimed ones showed is reported.
 */
export function pageDifferencesOf(base: TargetResult, candidate: TargetResult): readonly PageDifferenceFact[] {
  const sides: Sides = { base, candidate };
  return [
    ...failureDifferences(sides),
    ...finalUrlDifferences(sides),
    ...blankDifferences(sides),
    ...neverDifferences(sides),
    ...titleDifferences(sides),
    ...lateDifferences(sides),
    ...backgroundDifferences(sides),
  ];
}

const BOTH: readonly (readonly [Build, Build])[] = [
  ['base', 'candidate'],
  ['candidate', 'base'],
];

// --- Loads that failed --------------------------------------------------------------------------------------------

function failureDifferences(sides: Sides): readonly PageDifferenceFact[] {
  return BOTH.flatMap(([build, other]): readonly PageDifferenceFact[] => {
    const [here, there] = [loadsOf(sides[build]), loadsOf(sides[other])];
    if (!isOneSided(here, there)) return [];
    const failures = failuresOf(sides[build]);
    return here.of === here.n
      ? [{ code: 'status', facts: { build, loads: here.of, failures } }]
      : [{ code: 'failures', facts: { build, here, there, failures } }];
  });
}

/** Loads and not runs: a run that was tried again because its load failed is two of them. */
function loadsOf({ runs }: TargetResult): LoadShare {
  const loads = runs.filter(isOrdinary);
  const of = loads.reduce((sum, { attempts }) => sum + (attempts ?? 1), 0);
  return { n: of - loads.filter(({ ok }) => ok).length, of };
}

/** Often here, and much more often than there. */
function isOneSided(here: LoadShare, there: LoadShare): boolean {
  if (here.n === 0 || here.of === 0) return false;
  const [ours, theirs] = [here.n / here.of, there.of === 0 ? 0 : there.n / there.of];
  return ours >= OFTEN && ours >= TIMES_AS_OFTEN * theirs;
}

function failuresOf({ runs }: TargetResult): readonly FailureKind[] {
  const kinds = runs.flatMap(({ failure }): readonly FailureKind[] => {
    if (!failure) return [];
    const { code, status } = failure;
    return [{ code, ...(code === 'http-error' && status !== undefined && { status }) }];
  });
  return [...new Map(kinds.map((kind) => [`${kind.code} ${kind.status}`, kind])).values()];
}

// --- What was loaded ----------------------------------------------------------------------------------------------

/** Where a page was named one address and another was loaded, that is no difference of the builds but of the question. */
function finalUrlDifferences({ base, candidate }: Sides): readonly PageDifferenceFact[] {
  if (base.finalUrl === undefined || candidate.finalUrl === undefined) return [];
  const [asked, askedThere] = [comparableAddress(base.url, base.url), comparableAddress(candidate.url, candidate.url)];
  const [ends, endsThere] = [
    comparableAddress(base.finalUrl, base.url),
    comparableAddress(candidate.finalUrl, candidate.url),
  ];
  if (ends === endsThere || (ends === asked && endsThere === askedThere)) return [];
  return [{ code: 'final-url', facts: { base: ends, candidate: endsThere } }];
}

/** Path and query inside the site that was asked for, the whole address elsewhere. Values made up for a load are none. */
function comparableAddress(address: string, asked: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const query = url.search.replace(/=([^&]*)/g, (parameter, value: string) =>
    MADE_UP.test(value) ? `=${MASK}` : parameter,
  );
  return `${siteOf(address) === siteOf(asked) ? '' : url.origin}${url.pathname}${query}`;
}

/** A timestamp or a token, as far as one can tell: at least ten characters, one of them a digit. */
const MADE_UP = /^(?=.*\d)[\w.~%-]{10,}$/;

function titleDifferences({ base, candidate }: Sides): readonly PageDifferenceFact[] {
  const [before, after] = [titleOf(base), titleOf(candidate)];
  if (before === undefined || after === undefined || before === after) return [];
  return [{ code: 'title', facts: { base: before, candidate: after } }];
}

/** Without the count of what is unread, which changes from load to load: "(3) Inbox". */
function titleOf({ title }: TargetResult): string | undefined {
  return title?.replace(/^\(\d+\+?\)\s*/, '').trim();
}

// --- What was seen of it ------------------------------------------------------------------------------------------

function blankDifferences(sides: Sides): readonly PageDifferenceFact[] {
  return BOTH.flatMap(([build, other]): readonly PageDifferenceFact[] => {
    const [here, there] = [judgedRuns(sides[build]), judgedRuns(sides[other])];
    if (here.length === 0 || !here.every(isBlank) || !there.some(isPainted)) return [];
    return [{ code: 'blank', facts: { build, loads: here.length } }];
  });
}

function isPainted({ metrics }: RunResult): boolean {
  return metrics?.firstContentfulPaint !== undefined;
}

/** Chrome does not call everything that is to be seen content: coloured areas, for one, are none. */
function isBlank(run: RunResult): boolean {
  return !isPainted(run) && (run.findings ?? []).some(({ code }) => code === 'blank-page');
}

function neverDifferences(sides: Sides): readonly PageDifferenceFact[] {
  return BOTH.flatMap(([build, other]): readonly PageDifferenceFact[] => {
    const [here, there] = [unfinished(sides[build]), unfinished(sides[other])];
    if (!isOneSided(here, there)) return [];
    const { runs, url } = sides[build];
    const answer = runs.findLast((run) => !isCompleteRun(run) && isOrdinary(run))?.pageComplete;
    const waitingFor = answer ? waitingForOf(answer) : [];
    return [{ code: 'never-complete', facts: { build, here, there, url, waitingFor } }];
  });
}

function unfinished(target: TargetResult): LoadShare {
  const runs = judgedRuns(target);
  return { n: runs.filter((run) => !isCompleteRun(run)).length, of: runs.length };
}

/** The loads that worked; the untimed ones as long as there are no others. */
function judgedRuns({ runs }: TargetResult): readonly RunResult[] {
  const timed = runs.filter(isMeasured);
  return timed.length > 0 ? timed : runs.filter((run) => run.ok && isOrdinary(run));
}

/** In an ablation run the page is not whole on purpose. */
function isOrdinary({ role }: RunResult): boolean {
  return role !== 'ablation';
}

/** Content that only one build has after page complete: the times of that build are without it. */
function lateDifferences(sides: Sides): readonly PageDifferenceFact[] {
  return BOTH.flatMap(([build, other]): readonly PageDifferenceFact[] => {
    const late = uncountedLateContent(sides[build]);
    if (!late || uncountedLateContent(sides[other])) return [];
    const { after, share, urls } = late;
    const { finalUrl, url } = sides[build];
    return [{ code: 'late-content', facts: { build, after, share, urls, url: finalUrl ?? url } }];
  });
}

// --- What goes on behind it ---------------------------------------------------------------------------------------

/** By their names: what else there is to say of the endpoints is listed on its own. What the browser asks for by itself (an icon) is not the page's. */
function backgroundDifferences({ base, candidate }: Sides): readonly PageDifferenceFact[] {
  const changes = backgroundChangesOf(base, candidate);
  if (changes.length === 0) return [];
  const only = (build: Build): number => changes.filter((change) => change.build === build).length;
  const endpoints = changes.map(({ build, kind, endpoint }) => ({ build, kind, endpoint }));
  return [{ code: 'background', facts: { base: only('base'), candidate: only('candidate'), endpoints } }];
}
