import type { Conditions } from '../../model/host/conditions.ts';
import type { ResultHeader, RunResult, Settings } from '../../model/result/result.ts';
import type { ConditionChangeFacts } from '../../model/trend.ts';

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
  'force',
  'format',
  'harContent',
  'harSecrets',
  'commit',
  'failOn',
  'allowBroken',
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
  'import',
  'iMayLoadThisHost',
  'levelTime',
  'maxRequests',
  'p90',
  'page',
  'serverPid',
]);

/** From this share of unfit runs on the machine counts as busy. */
const MOST_UNFIT = 0.5;

/**
 * What may explain a difference between two results besides the page: settings by their names, and 'browser',
 * 'browserSandbox', 'tool', 'job' and 'machine'.
 *
 * @param own what the page itself was loaded under, where that is known: it may have settings of its own
 */
export function conditionsOf(
  { browser, tool, settings, kind }: ResultHeader & { readonly kind: string },
  runs: readonly RunResult[],
  own?: Conditions,
): Readonly<Record<string, unknown>> {
  const known = runs.flatMap(({ host }) => (host === undefined || host.verdict === 'unknown' ? [] : host.verdict));
  const unfit = known.filter((verdict) => verdict === 'unfit').length;
  return {
    browser: browser.product,
    browserSandbox: browser.sandbox,
    tool: tool.version,
    job: kind === 'compare' ? 'comparison' : 'audit',
    ...(known.length > 0 && { machine: unfit > known.length * MOST_UNFIT ? 'busy' : 'free' }),
    ...settingsThatCount({ ...settings, ...(own && asSettings(own)) }),
  };
}

/** The settings that may explain a difference. */
export function settingsThatCount(settings: Settings): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => !NO_CONDITION.has(name) && value !== undefined && value !== null,
    ),
  );
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

/** Where the conditions of one result differ from those of the one before it. */
export function conditionChanges(
  points: readonly { readonly conditions: Readonly<Record<string, unknown>> }[],
): readonly ConditionChangeFacts[] {
  return points.flatMap(({ conditions }, point): readonly ConditionChangeFacts[] => {
    const last = points[point - 1]?.conditions;
    if (last === undefined) return [];
    const isOtherTool = last.tool !== conditions.tool;
    const isOtherJob = last.job !== conditions.job;
    return [...new Set([...Object.keys(last), ...Object.keys(conditions)])].flatMap((name) => {
      const [before, after] = [last[name], conditions[name]];
      if (canonical(before) === canonical(after)) return [];
      const isKnown = before !== undefined && after !== undefined;
      // What the machine did may be unknown; a new version has new settings, and each job has some of its own.
      if (!isKnown && (name === 'machine' || name === 'browserSandbox' || isOtherTool || isOtherJob)) return [];
      return [{ point, name, before, after }];
    });
  });
}

/** Equal for equal values; an empty list is as good as none. */
function canonical(value: unknown): string | undefined {
  return Array.isArray(value) && value.length === 0 ? undefined : JSON.stringify(value);
}
