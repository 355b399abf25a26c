import { whyOf } from '../../../src/core/why/why.ts';
import type { PerBuild } from '../../../src/model/compare/build.ts';
import type { ComparedFigures, InventoryItem, PlacedRun } from '../../../src/model/compare/comparison.ts';
import type { AskedByFile, LoadedFile, Why, WhyFacts } from '../../../src/model/compare/why.ts';
import type { CodeChange, CodeChangesFacts } from '../../../src/model/main-thread.ts';
import type { ResourceType } from '../../../src/model/network/network.ts';
import type { CriticalStep, TargetResult } from '../../../src/model/result/result.ts';
import { build } from '../changes/builds.ts';

const ORIGIN = 'https://shop.test';
const LOADS = 12;

/** A request of a made-up build, the same in all its loads but for some noise. */
export interface MadeRequest {
  readonly at: number;
  readonly wait?: number;
  readonly receive?: number;
  readonly type?: ResourceType;
  readonly length?: number;
  readonly bytes?: number;
  /** The path of what asks, and whether that is a script. */
  readonly by?: string;
  readonly line?: number;
  readonly blocking?: boolean;
  /** Page complete does not wait for it. */
  readonly beside?: boolean;
  readonly hash?: string;
  /** The evidence run knows who asked: the path of a script. */
  readonly traced?: string;
  /** It knows all that led to it: their paths. */
  readonly causes?: readonly string[];
}

export interface MadeBuild {
  readonly requests: Readonly<Record<string, MadeRequest>>;
  readonly complete: number;
  readonly parsed?: number;
}

/** Noise that is the same in every test, ms: within ±`reach`. */
const noise = (seed: number, reach: number): number => (((seed * 7919 + 104_729) % 1009) / 1009 - 0.5) * 2 * reach;

const urlOf = (path: string): string => (path.startsWith('http') ? path : `${ORIGIN}${path}`);

/** How much single loads vary, ms; `together`: a load as a whole. */
interface Noise {
  readonly reach: number;
  readonly together?: boolean;
}

function inventory(
  { requests }: MadeBuild,
  load: number,
  { reach, together = false }: Noise,
): readonly InventoryItem[] {
  return Object.entries(requests).map(([path, each], i): InventoryItem => {
    const { at, wait = 20, receive = 5, type = 'script', length = 1_000, bytes = length, by, line, blocking } = each;
    const startedAt = at + (together ? noise(load * 31, reach) + noise(load * 31 + i, 5) : noise(load * 31 + i, reach));
    const waited = Math.max(1, wait + noise(load * 17 + i * 3, together ? 3 : reach / 4));
    const asker = by === undefined ? undefined : requests[by];
    const askedBy: AskedByFile | undefined =
      by === undefined
        ? undefined
        : {
            kind: asker?.type === 'document' ? 'markup' : 'script',
            url: urlOf(by),
            ...(line !== undefined && { line }),
          };
    return {
      name: `GET ${path}`,
      url: urlOf(path),
      type,
      requests: 1,
      transferSize: bytes,
      ...(type === 'document' && { page: true as const }),
      timing: {
        startedAt,
        endedAt: startedAt + waited + receive,
        wait: waited,
        receive,
        contentSize: length,
        ...(askedBy && { askedBy }),
        ...(blocking && { blocking: true as const }),
      },
    };
  });
}

function target(made: MadeBuild, inventories: readonly (readonly InventoryItem[])[]): TargetResult {
  const files = Object.entries(made.requests).flatMap(([path, { hash, traced, causes }]): readonly LoadedFile[] =>
    hash === undefined && traced === undefined && causes === undefined
      ? []
      : [
          {
            url: urlOf(path),
            ...(hash !== undefined && { hash }),
            ...(causes && { causes: causes.map(urlOf) }),
            ...(traced !== undefined && { askedBy: { url: urlOf(traced), name: '(anonymous)', line: 3, column: 12 } }),
          },
        ],
  );
  const steps = (items: readonly InventoryItem[]): readonly CriticalStep[] =>
    items
      .filter(({ name }) => made.requests[name.slice(4)]?.beside !== true)
      .map(({ url, type, timing }) => ({
        method: 'GET',
        url,
        type,
        startedAt: timing?.startedAt ?? 0,
        endsAt: timing?.endedAt ?? 0,
        delay: 0,
        wait: timing?.wait ?? 0,
        receive: timing?.receive ?? 0,
        because: '',
      }));
  return build(ORIGIN, {
    files,
    runs: inventories.map((items, i) => ({
      index: i + 1,
      role: 'timed',
      ok: true,
      criticalPath: { steps: steps(items), rest: 0 },
    })),
  });
}

/** What is said of two made-up builds. */
export function whyOfPair(
  base: MadeBuild,
  candidate: MadeBuild,
  {
    code,
    reach = 10,
    together = false,
    metric = 'pageComplete',
  }: { code?: CodeChangesFacts; reach?: number; together?: boolean; metric?: string } = {},
): WhyFacts {
  const made: PerBuild<MadeBuild> = { base, candidate };
  const loads = (of: MadeBuild, first: number) =>
    Array.from({ length: LOADS }, (_, load) => inventory(of, first + load, { reach, together }));
  const inventories = { base: loads(base, 0), candidate: loads(candidate, 100) };
  const absolute = candidate.complete - base.complete;
  const decision = absolute > 0 ? 'slower' : 'faster';
  const figures: ComparedFigures = {
    metric,
    unit: 'ms',
    scale: 'ratio',
    gate: true,
    base: { n: LOADS, median: base.complete },
    candidate: { n: LOADS, median: candidate.complete },
    difference: { relative: absolute / base.complete, absolute, level: 0.95, minEffect: { up: 0.05, down: -0.05 } },
    decision,
    fails: decision === 'slower',
  };
  const runs = (['base', 'candidate'] as const).flatMap((side) =>
    Array.from(
      { length: LOADS },
      (_, i): PlacedRun => ({
        index: i + 1,
        role: 'timed',
        ok: true,
        build: side,
        block: 1 + Math.floor(i / 2),
        order: 0,
        metrics: { domContentLoaded: (made[side].parsed ?? 100) + noise(i + (side === 'base' ? 0 : 50), reach) },
      }),
    ),
  );
  const sizes = Object.keys(base.requests).flatMap((path) => {
    const [was, is] = [base.requests[path], candidate.requests[path]].map(
      (each) => each?.bytes ?? each?.length ?? 1_000,
    );
    if (candidate.requests[path] === undefined || was === undefined || is === undefined || was === is) return [];
    const size = (transferSize: number) => ({ requests: 1, transferSize });
    return [{ name: `GET ${path}`, url: urlOf(path), type: 'script' as const, base: size(was), candidate: size(is) }];
  });
  return whyOf({
    targets: { base: target(base, inventories.base), candidate: target(candidate, inventories.candidate) },
    runs,
    decision,
    comparisons: [figures],
    inventories,
    changes: {
      grown: sizes.filter((each) => each.candidate.transferSize > each.base.transferSize),
      shrunk: sizes.filter((each) => each.candidate.transferSize < each.base.transferSize),
    },
    code,
  });
}

/** A script of which one function takes longer, proven by the profiled loads. */
export function slowerFunction(path: string, name: string, ms: number, line = 3): CodeChange {
  const change = { base: 1, candidate: 1 + ms, difference: ms, low: ms - 6, high: ms + 6, level: 0.95 };
  return {
    name: path,
    url: urlOf(path),
    base: 1,
    candidate: 1 + ms,
    profiled: change,
    functions: [{ name, line, column: 1, ...change }],
  };
}

export const codeOf = (...byScript: readonly CodeChange[]): CodeChangesFacts => ({
  base: 40,
  candidate: 140,
  byCategory: [],
  byScript,
  byPackage: [],
});

/** The code and the file of each reason, as far as a test asks for no more. */
export const named = ({ why = [] }: WhyFacts): readonly string[] =>
  why.map(({ code, url = '' }: Why) => `${code} ${url.replace(ORIGIN, '')}`);
