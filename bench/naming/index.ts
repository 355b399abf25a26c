/**
 * `npm run bench:naming`: does a comparison name the right function, and none where nothing changed? Forty modules do real
 * work (bench/naming/builds.ts); in some builds one function takes 20, 40 or 60 ms longer, by the clock.
 *
 * Profiled loads of all builds are taken in turns. Then each window of sixteen loads (eight of each build, as a comparison has
 * them) is judged: equal builds are ways to halve sixteen loads of one build, drawn at random. What is judged here skips
 * the question whether the timed runs differ, which keeps most equal builds from being looked at at all.
 *
 * Prints a Markdown table and writes bench/results/naming.json. `--loads <n>` sets the loads of each build (default 32).
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../src/browser/install/find.ts';
import { openChromeLab } from '../../src/browser/lab.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { warmUpPolicy } from '../../src/core/completion/warm-up.ts';
import { joinProfiles, readCodeProfile } from '../../src/core/main-thread/code-profile.ts';
import { profileChanges } from '../../src/core/main-thread/profile-changes.ts';
import { isWorthNaming } from '../../src/core/main-thread/worth-naming.ts';
import { visitOf } from '../../src/core/measure.ts';
import { median } from '../../src/core/time/median.ts';
import { lookupsIn, scriptSources } from '../../src/jobs/engine/code/script-sources.ts';
import type { ScriptTime } from '../../src/model/main-thread.ts';
import { serveBuilds } from '../../src/shell/servers/static-server.ts';
import { fetchScript } from '../../src/shell/source-maps/fetch.ts';
import { functionInWords } from '../../src/wording/main-thread.ts';
import { randomFor } from '../statistics/random.ts';
import { table } from '../support/table.ts';
import { GROWS, type NamingBuild, writeNamingBuild } from './builds.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '32' } } });
const LOADS = Number(values.loads);
/** Loads of each build in a comparison. */
const OF_A_BUILD = 8;
if (!Number.isInteger(LOADS) || LOADS < 2 * OF_A_BUILD) throw new Error('--loads takes a whole number from 16 on');
/** Ways to halve the loads of one build that are drawn for each window. */
const HALVINGS = 200;

const BUILDS: Readonly<Record<string, NamingBuild>> = {
  plain: { more: 0, minified: false, moved: false },
  'plain +20 ms': { more: 20, minified: false, moved: true },
  'plain +40 ms': { more: 40, minified: false, moved: true },
  'plain +60 ms': { more: 60, minified: false, moved: true },
  minified: { more: 0, minified: true, moved: false },
  'minified +20 ms': { more: 20, minified: true, moved: true },
  'minified +40 ms': { more: 40, minified: true, moved: true },
};

const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-naming-'));
const never = new AbortController().signal;
const { path: browserPath } = await findBrowser(undefined, process.env);
const lab = await openChromeLab({ sandbox: process.getuid?.() !== 0, browserArg: [] }, browserPath);
const names = Object.keys(BUILDS);
const folders = names.map((_, i) => path.join(folder, String(i)));
for (const [i, build] of Object.values(BUILDS).entries()) await writeNamingBuild(folders[i] ?? '', build);
const servers = await Promise.all(folders.map((each) => serveBuilds([each])));
const sources = scriptSources((url) => fetchScript(url, never));
const policy = warmUpPolicy(DEFAULT_POLICY);

/** What one profiled load of a build shows, read as a comparison reads it. */
async function profiled(url: string): Promise<readonly ScriptTime[]> {
  const outcome = await lab.record({ url, policy, content: false, profile: true }, never);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { complete } = visitOf(outcome.recording, policy);
  if (!outcome.recording.profile || complete.state !== 'complete') throw new Error('nothing was profiled');
  const maps = lookupsIn(await sources([{ url: `${url}app.js` }]));
  return readCodeProfile(outcome.recording.profile, { until: complete.at, pageUrl: url, sources: maps });
}

interface Named {
  readonly script: boolean;
  readonly functions: readonly string[];
}

/** What a comparison would name of these loads. */
function named(base: readonly (readonly ScriptTime[])[], candidate: readonly (readonly ScriptTime[])[]): Named {
  const nameOf = (url: string): string => new URL(url).pathname;
  const { scripts } = profileChanges(
    { profile: joinProfiles(base), nameOf },
    { profile: joinProfiles(candidate), nameOf },
  );
  const change = scripts.get('/app.js');
  return {
    script: change !== undefined && isWorthNaming(change.profiled),
    functions: (change?.functions ?? []).map((each) => functionInWords('app.js', each)),
  };
}

/** All windows of so many loads that do not overlap. */
const windows = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.floor(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

try {
  const loads = new Map(names.map((name) => [name, [] as (readonly ScriptTime[])[]]));
  for (let i = 0; i < LOADS; i += 1) {
    process.stderr.write(`\rprofiled loads: round ${i + 1} of ${LOADS}`);
    for (const at of names.map((_, n) => (n + i) % names.length)) {
      loads.get(names[at] ?? '')?.push(await profiled(servers[at]?.url ?? ''));
    }
  }
  process.stderr.write('\n');
  const rows = names.map((name) => {
    const build = BUILDS[name];
    const own = loads.get(name) ?? [];
    const random = randomFor(names.indexOf(name));
    const equal = windows(own, 2 * OF_A_BUILD).flatMap((window) =>
      Array.from({ length: HALVINGS }, () => {
        const drawn = window.map((load) => ({ load, at: random.uniform() })).toSorted((a, b) => a.at - b.at);
        const half = drawn.map(({ load }) => load);
        return named(half.slice(0, OF_A_BUILD), half.slice(OF_A_BUILD));
      }),
    );
    const base = windows(loads.get(build?.minified ? 'minified' : 'plain') ?? [], OF_A_BUILD);
    const against =
      build?.more === 0 ? [] : windows(own, OF_A_BUILD).map((candidate, i) => named(base[i] ?? [], candidate));
    return {
      name,
      ms: median(own.map((scripts) => scripts.reduce((sum, { ms }) => sum + ms, 0))),
      equal: equal.length,
      equalScripts: equal.filter(({ script }) => script).length,
      equalFunctions: equal.filter(({ functions }) => functions.length > 0).length,
      compared: against.length,
      scripts: against.filter(({ script }) => script).length,
      right: against.filter(({ functions: [first] }) => first?.startsWith(`${GROWS.name} (`)).length,
      functions: against.map(({ functions }) => functions.join(' and ') || 'none'),
    };
  });
  console.log(
    table(
      [
        'build',
        'halves of equal loads',
        'script named',
        'function named',
        'against the build without',
        'script',
        'right function',
      ],
      rows.map((row) => [
        row.name,
        String(row.equal),
        String(row.equalScripts),
        String(row.equalFunctions),
        String(row.compared),
        String(row.scripts),
        String(row.right),
      ]),
    ),
  );
  for (const { name, functions } of rows) if (functions.length > 0) console.log(`${name}: ${functions.join(', ')}`);
  await writeFile(
    new URL('../results/naming.json', import.meta.url),
    `${JSON.stringify({ at: new Date().toISOString(), loads: LOADS, ofABuild: OF_A_BUILD, rows }, undefined, 2)}\n`,
  );
} finally {
  await lab.close();
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true, force: true });
}
