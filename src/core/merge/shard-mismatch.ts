import type { ResultHeader, Settings, Source } from '../../model/result/result.ts';
import type { ShardPlace } from '../../model/shards/shard.ts';

/** What tells whether the results of two shards are of one job. */
export interface ShardHeader extends Pick<ResultHeader, 'tool' | 'settings' | 'startedAt' | 'browser' | 'interrupted'> {
  readonly kind: 'audit' | 'compare';
  readonly place: ShardPlace;
  /** Which states of the source were measured, by what they are of: 'pages', or 'base' and 'candidate'. */
  readonly sources: Readonly<Record<string, Source | undefined>>;
}

/** Options that each machine has for itself. All others must be the same, or figures of different things would be joined. */
export const OWN_OPTIONS: ReadonlySet<string> = new Set([
  // What tells the shards apart.
  'shard',
  // Where results lie and how they are written down says nothing of them.
  'out',
  'force',
  'format',
  // A shard that was gone on with is as good as any, and so is a build wherever it was taken from.
  'resume',
  'buildCache',
  // Where the browser lies or runs; which one it is is compared by its version, and reported.
  'browser',
  'browserWs',
  // What a machine needs to run one, which is reported when it differs, or allows.
  'browserArg',
  'sandbox',
  // What was measured is compared by the commits of the results.
  'commit',
  // A shard names those that it could measure; the plan, which is compared, holds all.
  'gate',
  // Where a list lies; the pages in it are compared.
  'urlsFile',
  // Where a script lies.
  'script',
]);

/** Shortest hash by which git tells commits apart. */
const SHORT_COMMIT = 7;

/** Longest value of an option that is shown. */
const LONGEST_VALUE = 60;

/** Why two results cannot be shards of one job, a clause; undefined when nothing speaks against it. */
export function shardMismatch(a: ShardHeader, b: ShardHeader): string | undefined {
  if (a.kind !== b.kind) return 'one is of an audit, the other of a comparison';
  if (a.tool.version !== b.tool.version) {
    return `one was measured with Quiesce ${a.tool.version}, the other with ${b.tool.version}`;
  }
  if (a.place.of !== b.place.of) return `one is of ${a.place.of} shards, the other of ${b.place.of}`;
  const name = differingOption(a.settings, b.settings);
  if (name !== undefined) {
    return `${name} is ${shown(a.settings[name])} in one and ${shown(b.settings[name])} in the other`;
  }
  for (const what of Object.keys(a.sources)) {
    const [one, other] = [a.sources[what]?.commit, b.sources[what]?.commit];
    if (one === undefined || other === undefined || sameCommit(one, other)) continue;
    const [short, otherShort] = [one.slice(0, SHORT_COMMIT), other.slice(0, SHORT_COMMIT)];
    return `the ${what} of one ${what === 'pages' ? 'are' : 'is'} of commit ${short}, of the other of ${otherShort}`;
  }
  if (a.place.work !== b.place.work || a.place.total !== b.place.total) {
    return a.kind === 'audit' ? 'they share different lists of pages' : 'they share different plans of loads';
  }
  return undefined;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** The first option, by name, that is not the same. */
function differingOption(a: Settings, b: Settings): string | undefined {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
  return names.find((each) => !OWN_OPTIONS.has(each) && canonical(a[each]) !== canonical(b[each]));
}

/** Equal for equal values, whatever the order of their members. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'object' && each !== null && !Array.isArray(each)
        ? Object.fromEntries(Object.entries(each).sort(([x], [y]) => (x < y ? -1 : 1)))
        : each,
    ) ?? ''
  );
}

/** A user may have given only the beginning of one. */
function sameCommit(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}
