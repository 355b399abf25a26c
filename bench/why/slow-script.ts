/**
 * `npm run bench:slow-script`: does `slow-script` promise what it saves? The sites of `npm run bench:why` are audited as they are
 * and with a function that computes 250 ms before the data is asked for, or a script that blocks the page and does, in turns. What
 * the fix promises on the slower one for these 250 ms (of all that the script does) is compared with the difference of the medians
 * of page complete.
 *
 * Prints a Markdown table and writes bench/results/slow-script.json. `--runs <n>` sets the timed runs of each audit (default 5),
 * `--only <text>` takes sites whose names hold that text.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { audit } from '../../src/api.ts';
import { median } from '../../src/core/time/median.ts';
import { table } from '../support/table.ts';
import { CHANGES } from './changes.ts';
import { serveSite } from './serve.ts';
import { buildSite, SITES, type Site, type Source, sourceOf } from './site.ts';

const RESULTS = new URL('../results/slow-script.json', import.meta.url);
/** An estimate is right within so much, or within this share of what is saved. */
const GOAL_MS = 50;
const GOAL_SHARE = 0.25;
/** What the changes compute, ms. */
const COMPUTED_MS = 250;
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', default: '' } },
});

async function auditOf(site: Site, source: Source) {
  const served = await serveSite(await buildSite(site, source), source);
  try {
    const { result } = await audit(served.url, {
      ...(process.getuid?.() === 0 && { sandbox: false }),
      runs: Number(values.runs),
      quietWindow: 500,
      sourceMaps: true,
      format: [],
    });
    const [target] = result.targets;
    if (target === undefined) throw new Error('there is one');
    return target;
  } finally {
    await served.close();
  }
}

interface Row {
  readonly site: string;
  readonly change: string;
  readonly promised?: number;
  readonly saved: number;
  readonly isRight: boolean;
  readonly fix: string;
}

const rows: Row[] = [];
for (const site of SITES.filter(({ name }) => name.includes(values.only))) {
  for (const name of ['slower function', 'new blocking script']) {
    const change = CHANGES.find((each) => each.name === name);
    if (change === undefined) throw new Error(`there is no change called ${name}`);
    const source = sourceOf(1);
    const slow = await auditOf(site, change.make(source));
    const fast = await auditOf(site, source);
    const medians = [slow, fast].map(({ summary }) => summary.pageComplete?.median ?? Number.NaN);
    const saved = Math.round((medians[0] ?? 0) - (medians[1] ?? 0));
    const all = (slow.fixes ?? []).flatMap((each) => [each, ...each.alternatives]);
    const fix = all.find(({ code }) => code === 'slow-script');
    const ran = median(
      slow.runs.flatMap(({ findings = [] }) =>
        findings.flatMap(({ code, facts }) => {
          const { ms } = (facts ?? {}) as { readonly ms?: unknown };
          return code === 'slow-script' && typeof ms === 'number' ? ms : [];
        }),
      ),
    );
    const promised = fix && Math.round(fix.savesMs * Math.min(1, COMPUTED_MS / ran));
    const isRight = promised !== undefined && Math.abs(promised - saved) <= Math.max(GOAL_MS, GOAL_SHARE * saved);
    rows.push({
      site: `${site.name}, ${site.builder}`,
      change: name,
      saved,
      isRight,
      fix: fix?.message ?? '',
      ...(promised !== undefined && { promised }),
    });
    process.stderr.write(
      `${site.name}, ${name}: promised ${promised ?? 'nothing'}, saved ${saved} ms: ${fix?.message ?? ''}\n`,
    );
    await writeFile(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), rows }, undefined, 2)}\n`);
  }
}
console.log(
  table(
    ['site', 'what is slow', 'promised', 'saved', 'within 25% or 50 ms'],
    rows.map(({ site, change, promised, saved, isRight }) => [
      site,
      change,
      promised === undefined ? '–' : `${promised} ms`,
      `${saved} ms`,
      isRight ? 'yes' : 'no',
    ]),
  ),
);
