/**
 * `npm run bench:packages`: what does a comparison name between two released versions of a real package? One page draws
 * two line charts of 3,000 points with Chart.js, in the base with 2.9.4, in the candidate with 3.9.1, both from npm.
 *
 * Then the mend that its developer would try is compared with the candidate, to see if what was named was the cause:
 * `animation: false` instead of animations that last 0 ms. Prints what the comparisons say and writes
 * bench/results/packages.json. `--pairs <n>` sets the pairs of loads of each (default 10).
 */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import { table } from '../support/table.ts';

const CLI = process.env.QUIESCE_CLI ?? fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
const RESULTS = new URL('../results/packages.json', import.meta.url);
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '10' } } });
const POINTS = 3_000;
/** Proof enough for pages that ask for nothing after a second, ms. */
const QUIET_WINDOW = '1000';

/** The readable build of each version, by its path in the package. */
const VERSIONS = { '2.9.4': 'dist/Chart.js', '3.9.1': 'dist/chart.js' } as const;
type Version = keyof typeof VERSIONS;

/** What both versions understand. */
const page = (animation: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Prices</title><link rel="icon" href="data:,"></head>
<body>
<h1>Prices</h1>
<canvas id="day" width="900" height="300"></canvas>
<canvas id="year" width="900" height="300"></canvas>
<script src="chart.js"></script>
<script>
const labels = Array.from({ length: ${POINTS} }, (_, i) => 'Minute ' + i);
for (const id of ['day', 'year']) {
  const data = labels.map((_, i) => 100 + 20 * Math.sin(i / 90) + (i * 7919 % 13));
  new Chart(document.getElementById(id), {
    type: 'line',
    data: { labels, datasets: [{ label: id, data }] },
    options: { responsive: false, animation: ${animation} },
  });
}
</script>
</body>
</html>
`;

const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-packages-'));
const run = promisify(execFile);

/** A site with a version of Chart.js out of npm. */
async function siteOf(name: string, version: Version, animation = '{ duration: 0 }'): Promise<string> {
  const site = path.join(folder, name);
  const unpacked = path.join(folder, version);
  await mkdir(site);
  await mkdir(unpacked, { recursive: true });
  await run('npm', ['pack', `chart.js@${version}`, '--pack-destination', unpacked], { cwd: folder });
  await run('tar', ['-xzf', path.join(unpacked, `chart.js-${version}.tgz`), '-C', unpacked]);
  await copyFile(path.join(unpacked, 'package', VERSIONS[version]), path.join(site, 'chart.js'));
  await writeFile(path.join(site, 'index.html'), page(animation));
  return site;
}

async function compare(name: string, base: string, candidate: string): Promise<CompareResult> {
  const out = path.join(folder, name);
  const options = ['--quiet-window', QUIET_WINDOW, '--max-pairs', values.pairs, '--looks', values.pairs, '--seed', '1'];
  const child = spawn(
    process.execPath,
    [CLI, 'compare', base, candidate, ...options, '--format', 'json', '--out', out],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  // 1 says that it is slower, 4 that nothing was decided: both are answers.
  if (code !== 0 && code !== 1 && code !== 4) throw new Error(`quiesce ended with ${code}`);
  return JSON.parse(await readFile(path.join(out, 'result.json'), 'utf8')) as CompareResult;
}

/** What of an answer is shown and kept. */
function saidBy({ decision, comparisons, mainThread, coverage, changes }: CompareResult) {
  return {
    decision,
    metrics: comparisons
      .filter(({ metric }) => ['pageComplete', 'totalBlockingTime', 'mainThreadTime'].includes(metric))
      .map(({ metric, base, candidate, difference }) => ({
        metric,
        base: base.median,
        candidate: candidate.median,
        difference: difference?.absolute,
        relative: difference?.relative,
        low: difference?.low,
        high: difference?.high,
      })),
    mainThread: mainThread?.sentence,
    scripts: mainThread?.byScript,
    coverage: coverage?.sentence,
    files: coverage?.files,
    grown: changes.grown.map(({ name, base, candidate }) => ({
      name,
      base: base?.transferSize,
      candidate: candidate?.transferSize,
    })),
  };
}

try {
  const base = await siteOf('base', '2.9.4');
  const candidate = await siteOf('candidate', '3.9.1');
  const mended = await siteOf('mended', '3.9.1', 'false');
  const cases = {
    'chart.js 2.9.4 → 3.9.1': saidBy(await compare('versions', base, candidate)),
    'chart.js 3.9.1 → with animation: false': saidBy(await compare('mend', candidate, mended)),
  };
  const whole = (value: number | undefined): string => (value === undefined ? '–' : `${Math.round(value)} ms`);
  for (const [name, said] of Object.entries(cases)) {
    console.log(`\n${name}: ${said.decision}\n\n${said.mainThread}\n${said.coverage}\n`);
    const rows = said.metrics.map((each) => [
      each.metric,
      whole(each.base),
      whole(each.candidate),
      whole(each.difference),
    ]);
    console.log(table(['metric', 'base', 'candidate', 'difference'], rows));
  }
  await writeFile(
    RESULTS,
    `${JSON.stringify({ at: new Date().toISOString(), points: POINTS, cases }, undefined, 2)}\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
