/**
 * `npm run bench:fixes`: is what "fix first" promises what a fix really saves?
 *
 * Loads small pages with a fault and without it, in turns, and compares the saving that Quiesce estimates from the faulty
 * page with the difference of the medians of page complete. The goal is within 25% or 50 ms. Beside it: what Lighthouse
 * estimates of the same fault, of the metric that it changes most.
 *
 * Prints a Markdown table and writes bench/results/fixes.json. `--loads <n>` sets the loads of each page (default 7),
 * `--only redirect,slow-server` measures only the pages of these fixes and keeps the rest of the file.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBrowser } from '../../src/browser/connect/start-browser.ts';
import { findBrowser } from '../../src/browser/install/find.ts';
import { runLighthouse } from '../../src/browser/lighthouse.ts';
import { loadPage } from '../../src/browser/record/load.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { coverageFindings } from '../../src/core/coverage/findings.ts';
import { readLighthouse } from '../../src/core/lighthouse/summary.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { defined } from '../../src/core/text/defined.ts';
import { median } from '../../src/core/time/median.ts';
import { coverageOf } from '../../src/jobs/engine/code/coverage.ts';
import type { Access } from '../../src/model/access.ts';
import type { Conditions } from '../../src/model/host/conditions.ts';
import type { Visit } from '../../src/model/network/visit.ts';
import { isSameAdvice } from '../../src/result/lighthouse-advice.ts';
import { table } from '../support/table.ts';
import { type FaultyPage, type Origins, PAGES, type Shown } from './pages.ts';
import { drawPictures } from './pictures.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '7' }, only: { type: 'string' } } });
const LOADS = Number(values.loads);
if (!Number.isInteger(LOADS) || LOADS < 1) throw new Error('--loads takes a whole number from 1 on');
const only = values.only?.split(',');
/** Within so much, or within this share of the difference, an estimate is right. */
const GOAL_MS = 50;
const GOAL_SHARE = 0.25;
/** The pages are silent once they are loaded, ms. */
const policy = { ...DEFAULT_POLICY, quietWindow: 1_000 };

const never = new AbortController().signal;
const { path: executable } = await findBrowser(undefined, process.env);
const settings = { sandbox: process.getuid?.() !== 0, browserArg: ['--ignore-certificate-errors'] };
const shown: Shown = {
  pictures: await drawPictures(executable, settings.sandbox ? [] : ['--no-sandbox']),
  font: await readFile(new URL('../../fixtures/pages/shop/fonts/nunito-sans.woff2', import.meta.url)),
};
const child = fork(fileURLToPath(new URL('./pages.ts', import.meta.url)), { serialization: 'advanced' });
child.send(shown);
const [origins] = (await once(child, 'message')) as [Origins];
const browser = await startBrowser(settings, executable);

async function visit(index: number, state: 'faulty' | 'fixed', trace = false): Promise<Visit> {
  const url = `${origins.own}/${index}/${state}/`;
  const outcome = await loadPage(browser, { url, policy, content: false, trace }, never);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return visitOf(outcome.recording, policy);
}

/** What Lighthouse's advice for the same would save at most, ms; undefined where it gives none. */
async function lighthouseOn(index: number, code: FaultyPage['code']): Promise<number | undefined> {
  const conditions: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };
  const access: Access = { headers: [], cookies: [], block: [], ignoreCertificateErrors: true };
  const url = `${origins.own}/${index}/faulty/`;
  const outcome = await runLighthouse(browser, { url, conditions, access, block: [], firstVisit: 0 }, never);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { opportunities } = readLighthouse(outcome.lhr, { index, wallTime: outcome.wallTime, block: [] });
  const same = opportunities.filter((each) => isSameAdvice(each, code));
  return same.length === 0 ? undefined : Math.max(...same.map(({ savingsMs = 0 }) => savingsMs));
}

interface Row {
  readonly page: string;
  readonly code: string;
  readonly faulty: number;
  readonly fixed: number;
  readonly saved: number;
  readonly estimated: number;
  readonly right: boolean;
  /** What Lighthouse estimates; absent where it does not advise it. */
  readonly lighthouse?: number;
}

const rows: Row[] = [];
const round = (ms: number): number => Math.round(ms);
try {
  for (const [index, { name, code }] of PAGES.entries()) {
    if (only !== undefined && !only.includes(code)) continue;
    const faulty: number[] = [];
    const fixed: number[] = [];
    const estimates: number[] = [];
    await visit(index, 'fixed');
    // As in an audit, a load of its own tells what was not used.
    const traced = code === 'unused-code' ? await visit(index, 'faulty', true) : undefined;
    const coverage = await coverageOf(defined({ visit: traced }), undefined);
    for (let i = 0; i < LOADS; i += 1) {
      const loaded = await visit(index, 'faulty');
      const before = measure(loaded, policy);
      const after = measure(await visit(index, 'fixed'), policy);
      faulty.push(before.pageComplete.at ?? Number.NaN);
      fixed.push(after.pageComplete.at ?? Number.NaN);
      const findings = [...before.findings, ...coverageFindings(coverage?.files ?? [], loaded)];
      const found = findings.find((each) => each.code === code);
      estimates.push(found !== undefined && 'savesMs' in found ? found.savesMs : 0);
    }
    const [was, is, estimated] = [median(faulty), median(fixed), median(estimates)];
    const saved = was - is;
    const lighthouse = await lighthouseOn(index, code);
    const off = Math.abs(estimated - saved);
    const right = off <= GOAL_MS || off <= GOAL_SHARE * saved;
    rows.push({
      page: name,
      code,
      faulty: round(was),
      fixed: round(is),
      saved: round(saved),
      estimated: round(estimated),
      right,
      ...(lighthouse !== undefined && { lighthouse: round(lighthouse) }),
    });
    process.stderr.write(`${name}: ${round(saved)} ms saved, ${round(estimated)} ms estimated\n`);
  }
} finally {
  await browser.close();
  child.disconnect();
}

const RESULTS = new URL('../results/fixes.json', import.meta.url);
if (only !== undefined) {
  const { rows: kept } = JSON.parse(await readFile(RESULTS, 'utf8')) as { readonly rows: readonly Row[] };
  rows.push(...kept.filter(({ page }) => !rows.some((row) => row.page === page)));
}
const names = PAGES.map(({ name }) => name);
rows.sort((x, y) => names.indexOf(x.page) - names.indexOf(y.page));
await writeFile(RESULTS, `${JSON.stringify({ browser: browser.product, loads: LOADS, rows }, undefined, 2)}\n`);
const ms = (value: number): string => `${value} ms`;
console.log(
  table(
    ['page', 'fix', 'with the fault', 'without', 'saved', 'estimated', 'off', 'Lighthouse'],
    rows.map((row) => [
      row.page,
      `\`${row.code}\``,
      ms(row.faulty),
      ms(row.fixed),
      ms(row.saved),
      ms(row.estimated),
      `${ms(row.estimated - row.saved)}${row.right ? '' : ' ✗'}`,
      row.lighthouse === undefined ? '–' : ms(row.lighthouse),
    ]),
  ),
);
process.exitCode = rows.every(({ right }) => right) ? 0 : 1;
