import type { Conditions } from '../../model/conditions.ts';
import type { ResultHeader, RunResult } from '../../model/result.ts';
import type { ConditionChange } from '../../model/trend.ts';
import { amount } from '../experiment/figures.ts';

/**
 * Settings that do not change how a page is loaded and judged: where results go, what decides, who looks on. Everything
 * else is a condition, also what later versions add.
 */
const NO_CONDITION: ReadonlySet<string> = new Set([
  'targets',
  'files',
  'pages',
  'urlsFile',
  'sitemap',
  'maxPages',
  'serveUrl',
  'serveTimeout',
  'scriptTimeout',
  'out',
  'format',
  'harContent',
  'harSecrets',
  'commit',
  'browser',
  'browserWs',
  'maxPairs',
  'looks',
  'minEffect',
  'alpha',
  'gate',
  'strict',
  'seed',
  'resume',
  'budget',
  'shard',
  'baseRef',
  'build',
  'dist',
  'buildCache',
  'cookie',
  'header',
  'basicAuth',
  'lighthouse',
  'timeout',
]);

const IN_MS: ReadonlySet<string> = new Set(['quietWindow']);
/** From this share of unfit runs on it is the machine's figures that are told. */
const MOST_UNFIT = 0.5;
const NOT_SET = 'not set';
const QUIESCE = 'Quiesce';

/**
 * What may explain a difference between two results besides the page, by name, in words.
 *
 * @param own what the page itself was loaded under, where that is known: it may have settings of its own
 */
export function conditionsOf(
  { browser, tool, settings, kind }: ResultHeader & { readonly kind: string },
  runs: readonly RunResult[],
  own?: Conditions,
): Readonly<Record<string, string>> {
  const known = runs.flatMap(({ host }) => (host === undefined || host.verdict === 'unknown' ? [] : host.verdict));
  const unfit = known.filter((verdict) => verdict === 'unfit').length;
  return {
    browser: browser.product,
    ...(browser.sandbox !== undefined && { 'browser sandbox': browser.sandbox ? 'on' : 'off' }),
    [QUIESCE]: tool.version,
    'measured by': kind === 'compare' ? 'comparison' : 'audit',
    ...(known.length > 0 && {
      machine: unfit > known.length * MOST_UNFIT ? 'busy with something else' : 'free',
    }),
    ...Object.fromEntries(
      Object.entries({ ...settings, ...(own && asSettings(own)) })
        .filter(([name, value]) => !NO_CONDITION.has(name) && value !== undefined && value !== null)
        .map(([name, value]) => [wordsFor(name), textOf(name, value)]),
    ),
  };
}

/** Conditions under the names of the settings that they come from. */
function asSettings(conditions: Conditions): Readonly<Record<string, unknown>> {
  const { device, network, cpu, view, userAgent, locale, timezone, geolocation } = conditions;
  return {
    device: device.name,
    network: network?.name ?? 'none',
    cpu,
    view,
    userAgent,
    locale,
    timezone,
    geolocation: geolocation && `${geolocation.latitude}, ${geolocation.longitude}`,
  };
}

/** 'quietWindow' as 'quiet window'. */
function wordsFor(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return IN_MS.has(name) ? amount(value, 'ms') : String(value);
  if (Array.isArray(value)) return value.length === 0 ? NOT_SET : value.map((each) => textOf(name, each)).join(', ');
  return JSON.stringify(value);
}

/** Where the conditions of one result differ from those of the one before it. */
export function conditionChanges(
  points: readonly { readonly conditions: Readonly<Record<string, string>> }[],
): readonly ConditionChange[] {
  return points.flatMap(({ conditions }, point): readonly ConditionChange[] => {
    const last = points[point - 1]?.conditions;
    if (last === undefined) return [];
    const isOtherTool = last[QUIESCE] !== conditions[QUIESCE];
    const isOtherJob = last['measured by'] !== conditions['measured by'];
    return [...new Set([...Object.keys(last), ...Object.keys(conditions)])].flatMap((what) => {
      const [before, after] = [last[what], conditions[what]];
      if ((before ?? NOT_SET) === (after ?? NOT_SET)) return [];
      const isKnown = before !== undefined && after !== undefined;
      // What the machine did may be unknown; a new version has new settings, and each job has some of its own.
      if (!isKnown && (what === 'machine' || what === 'browser sandbox' || isOtherTool || isOtherJob)) return [];
      return [{ point, what, before: before ?? NOT_SET, after: after ?? NOT_SET }];
    });
  });
}
