import { BUILDS } from '../model/build.ts';
import type { RequestChange } from '../model/comparison.ts';
import type { CodeChange, CodeChanges } from '../model/main-thread.ts';
import type { MetricName } from '../model/metrics.ts';
import type { CompareReport } from '../model/report.ts';
import type { CriticalStep } from '../model/result.ts';
import type { Ms } from '../model/units.ts';
import { formatValue } from '../wording/format.ts';
import { elide, shortNameWithoutQuery } from '../wording/text.ts';
import { isUnknown, shareOf } from './critical-path.ts';
import { pairPaths } from './path-pairs.ts';

/** Reasons of each kind that a headline can hold. */
const MOST = 3;
/** What changed less than this on the critical path explains nothing, ms, and as a share of the largest change. */
const LEAST_MS = 5;
const LEAST_SHARE = 0.1;
/** Longest name. */
const LONG = 48;

/** Why a build is slower or faster, shortest first: what takes longer on the critical path, and what is new. */
export interface Why {
  /** "/api/items +74 ms", "app.js +32 ms (+39 kB)". */
  readonly path: readonly string[];
  /** "new poll /api/flags", "tracker.gif gone". */
  readonly traffic: readonly string[];
}

const signed = (value: number, unit: 'ms' | 'bytes'): string => `${value > 0 ? '+' : ''}${formatValue(value, unit)}`;

const nameOf = (name: string): string => elide(name.replace(/^GET /, '').replace(/\?.*$/s, ''), LONG);

/** Undefined where neither build is slower, and where nothing explains it. */
export function whyOf({ result, base, candidate }: CompareReport): Why | undefined {
  if (result.decision !== 'slower' && result.decision !== 'faster') return undefined;
  const worse = result.decision === 'slower';
  const decisionOn = (name: MetricName) => result.comparisons.find(({ metric }) => metric === name)?.decision;
  // The critical path explains page complete, and nothing that went another way.
  const isOfPath = (decisionOn('pageComplete') ?? result.decision) === result.decision;
  const isOfLargest = decisionOn('largestContentfulPaint') === result.decision;
  const [before, after] = [base.representative?.criticalPath, candidate.representative?.criticalPath];
  const { grown, shrunk, added, removed } = result.changes;
  const sized = [...grown, ...shrunk];
  const steps: readonly Step[] =
    before === undefined || after === undefined || !isOfPath
      ? isOfLargest
        ? largestPaintSteps({ base, candidate })
        : []
      : [
          ...pairPaths(before, after).map((pair) => {
            const step = pair.candidate ?? pair.base;
            const url = step === undefined || step.cause === 'work' ? '' : step.url;
            return {
              name: elide(pair.name, LONG),
              by: (pair.candidate ? knownShareOf(pair.candidate) : 0) - (pair.base ? knownShareOf(pair.base) : 0),
              size: sized.find((change) => change.url === url || change.name.endsWith(` ${pathOf(url)}`)),
              about:
                pair.base === undefined
                  ? 'now on the path'
                  : pair.candidate === undefined
                    ? 'no longer on the path'
                    : phaseOf(pair.base, pair.candidate, result.mainThread),
            };
          }),
          {
            name: 'after the last response',
            by: after.rest - before.rest,
            size: undefined,
            about: codeOf(after.rest - before.rest, result.mainThread),
          },
        ];
  // What works against the decision does not explain it.
  const telling = steps
    .filter(({ by }) => (worse ? by : -by) >= LEAST_MS)
    .toSorted((a, b) => Math.abs(b.by) - Math.abs(a.by));
  const most = Math.abs(telling[0]?.by ?? 0);
  const path = telling
    .filter(({ by }) => Math.abs(by) >= most * LEAST_SHARE)
    .slice(0, MOST)
    .map(({ name, by, size, about }) => {
      const parts = [about, size && signed(sizeChangeOf(size), 'bytes')].filter(Boolean).join(', ');
      return `${name} ${signed(by, 'ms')}${parts === '' ? '' : ` (${parts})`}`;
    });
  // What one build needs is on its path, which says more.
  const background = result.backgroundChanges
    .filter(({ contentInOther }) => !contentInOther)
    .map((change) => ({
      ...change,
      name: pathWithoutValues(change.endpoint),
    }));
  const told = new Set(background.map(({ name }) => name));
  const traffic = [
    ...background.map(({ build, kind, name }) => changeOf(build === 'candidate', kind, name)),
    ...[...added.map((each) => [true, each] as const), ...removed.map((each) => [false, each] as const)]
      .filter(([, { name }]) => !told.has(nameOf(name)))
      .map(([isNew, { url, name }]) => changeOf(isNew, '', elide(shortNameWithoutQuery(url), LONG) || nameOf(name))),
    ...sized
      .filter((change) => !steps.some(({ size }) => size === change))
      .map((change) => `${elide(shortNameWithoutQuery(change.url), LONG)} ${signed(sizeChangeOf(change), 'bytes')}`),
  ].slice(0, MOST);
  return path.length + traffic.length === 0 ? undefined : { path, traffic };
}

/** What changed by how much, ms. */
interface Step {
  readonly name: string;
  readonly by: Ms;
  readonly size: RequestChange | undefined;
  /** What of it changed. */
  readonly about: string | undefined;
}

/** What a step took, without the time before it where nothing shows what that was spent on. */
const knownShareOf = (step: CriticalStep): Ms => shareOf(step) - (isUnknown(step) ? step.delay : 0);

/** A part of a step, or a script, with so much of a change explains it, as a share. */
const MOSTLY = 0.7;

/** The part of a step in which most of its change lies. */
function phaseOf(before: CriticalStep, after: CriticalStep, code: CodeChanges | undefined): string | undefined {
  if (before.cause === 'work' || after.cause === 'work') return undefined;
  const by = knownShareOf(after) - knownShareOf(before);
  const parts = [
    ['first byte', after.wait - (after.queued ?? 0) - before.wait + (before.queued ?? 0)],
    ['waiting for a connection', (after.queued ?? 0) - (before.queued ?? 0)],
    ['download', after.receive - before.receive],
    ['requested later', isUnknown(after) || isUnknown(before) ? 0 : after.delay - before.delay],
  ] as const;
  const [name, most] = parts.find(([, part]) => part / by >= MOSTLY) ?? [];
  if (name !== 'requested later' || most === undefined) return name;
  return codeOf(most, code) ?? (most > 0 ? name : 'requested earlier');
}

/** The script that surely has most of a change of so many ms. */
function codeOf(by: Ms, code: CodeChanges | undefined): string | undefined {
  const difference = ({ profiled }: CodeChange): Ms => {
    const { low = 0, high = 0, difference: ms = 0 } = profiled ?? {};
    return low > 0 || high < 0 ? ms : 0;
  };
  const changed = code?.byScript.find((script) => difference(script) / by >= MOSTLY);
  if (changed === undefined) return undefined;
  const [own] = changed.functions ?? [];
  const file = elide(shortNameWithoutQuery(changed.url), LONG);
  const where = own?.line === undefined ? file : `${file}:${own.line}`;
  return `${where} ${signed(difference(changed), 'ms')}`;
}

/** How much later the file of the largest paint came; that of text needs none. */
function largestPaintSteps(sides: Pick<CompareReport, 'base' | 'candidate'>): readonly Step[] {
  const [before, after] = BUILDS.map((build) => sides[build].waterfalls[0]?.rows.find((row) => row.largestPaint));
  if (!before || !after) return [];
  const [was, is] = [before, after].map(({ url }) => shortNameWithoutQuery(url));
  const about = was === is ? undefined : `now the largest element, instead of ${elide(was ?? '', LONG)}`;
  return [{ name: elide(is ?? '', LONG), by: after.endsAt - before.endsAt, size: undefined, about }];
}

const changeOf = (isNew: boolean, kind: string, name: string): string =>
  isNew ? `new ${kind === '' ? '' : `${kind} `}${name}` : `${kind === '' ? '' : `${kind} `}${name} gone`;

/** An endpoint without its method, its origin and the values that it is asked with. */
const pathWithoutValues = (endpoint: string): string =>
  nameOf(endpoint.replace(/^\S+ /, '').replace(/^[a-z][\w+.-]*:\/\/[^/]*/i, ''));

const pathOf = (url: string): string => url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');

const sizeChangeOf = ({ base, candidate }: RequestChange): number =>
  (candidate?.transferSize ?? 0) - (base?.transferSize ?? 0);

/** Why, in a line: "reviews.json +83 ms, products.json +70 ms, new poll /api/stock.json". */
export function whyInWords(report: CompareReport): string | undefined {
  const why = whyOf(report);
  return why && [...why.path, ...why.traffic].join(', ');
}
