/**
 * Real applications, as the registries have them: installs each into a cache folder, starts it on a free port, audits its
 * page, stops it. Prints page complete beside network idle and the last change of the film, and which endpoints are
 * background. Nobody knows the truth of these pages: the pictures in the reports must be looked at.
 *
 *   node bench/applications/index.ts [--only name,name] [--cache folder] [--install]
 *   node bench/applications/index.ts --print     only the table of what was audited before
 *   node bench/applications/index.ts --keep folder [--runs 8]
 *                                          only record: loads that are watched for the whole window, for bench:cut --from
 *
 * Results of applications that are not audited this time stay in bench/results/applications.json.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { AuditOptions } from '../../src/index.ts';
import type { AuditResult, RunResult, TargetResult } from '../../src/model/result/result.ts';
import { table } from '../support/table.ts';
import { APPLICATIONS, type Application } from './list.ts';
import { folderName, install, started } from './place.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    cache: { type: 'string' },
    install: { type: 'boolean', default: false },
    keep: { type: 'string' },
    runs: { type: 'string', default: '8' },
    print: { type: 'boolean', default: false },
  },
});
const RESULTS = new URL('../results/applications.json', import.meta.url);
const cache = path.resolve(values.cache ?? path.join(os.tmpdir(), 'quiesce-applications'));
/** Visual progress that differs by less is the same picture. */
const SAME_SHARE = 0.001;

/** More endpoints than this make a table too wide. */
const MOST_ENDPOINTS = 4;

/** One row of the table. */
interface Row {
  readonly name: string;
  readonly what: string;
  readonly package: string;
  /** Why there are no figures. */
  readonly failure?: string;
  /** Of the timed run. */
  readonly state?: string;
  readonly complete?: number;
  readonly because?: string;
  readonly raw?: string;
  readonly rawAt?: number;
  /** Of the evidence run, which is filmed. */
  readonly filmed?: {
    readonly complete?: number;
    /** The last change on the way to what was to be seen at page complete, moving parts left out. */
    readonly lastChange?: number;
    /** The last picture of the film that shows anything new. */
    readonly lastPicture?: number;
    readonly watched: number;
  };
  readonly ablation?: string;
  readonly background?: readonly {
    readonly kind: string;
    readonly endpoint: string;
    readonly requests: number;
    readonly excluded: boolean;
    readonly impact: string;
    readonly because: string;
  }[];
}

// An ended benchmark ends what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const wanted = APPLICATIONS.filter(({ name }) => values.only?.split(',').includes(name) ?? true);
if (!values.print) await mkdir(cache, { recursive: true });
if (values.keep !== undefined) {
  for (const application of wanted) await record(application, values.keep);
} else {
  if (!values.print) for (const application of wanted) await turn(application);
  print((await stored()).filter(({ name }) => APPLICATIONS.some((each) => each.name === name)));
}

async function turn(application: Application): Promise<void> {
  const { name, what, packages } = application;
  console.error(name);
  const about = { name, what, package: `${application.from}: ${packages[0]}` };
  let row: Row;
  try {
    const place = await install(application, cache);
    if (values.install) return;
    const report = path.join(place.folder, '.report');
    row = { ...about, ...(await started(application, place, (url) => audited(url, report))) };
  } catch (error) {
    row = { ...about, failure: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) };
    console.error(`  ${error instanceof Error ? error.message : String(error)}`);
  }
  if (values.install) return;
  const rows = [...(await stored()).filter((each) => each.name !== name), row];
  const order = APPLICATIONS.map((each) => each.name);
  rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  await writeFile(RESULTS, `${JSON.stringify(rows, null, 2)}\n`);
}

/** Loads of an application, each watched for the whole window, in a folder of its own. */
async function record(application: Application, kept: string): Promise<void> {
  console.error(application.name);
  const out = path.resolve(kept, folderName(application));
  const options = { out, runs: Number(values.runs), fullWindow: true, format: ['json', 'har'] } satisfies AuditOptions;
  try {
    await started(application, await install(application, cache), (url) => auditOf(url, options));
  } catch (error) {
    console.error(`  ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function stored(): Promise<readonly Row[]> {
  return existsSync(RESULTS) ? (JSON.parse(await readFile(RESULTS, 'utf8')) as readonly Row[]) : [];
}

// --- Auditing -----------------------------------------------------------------------------------------------------

/** Into an empty folder. Modules with TSX come from the build: Node runs TypeScript, but not TSX. */
async function auditOf(url: string, options: AuditOptions & { readonly out: string }): Promise<AuditResult> {
  const { audit } = (await import(
    new URL('../../dist/index.js', import.meta.url).href
  )) as typeof import('../../src/index.ts');
  await rm(options.out, { recursive: true, force: true });
  const { result } = await audit(url, { ...options, sandbox: process.getuid?.() !== 0 });
  return result;
}

/** As `quiesce audit` says it. */
async function audited(url: string, out: string): Promise<Partial<Row>> {
  const result = await auditOf(url, { out, runs: 1 });
  const [target] = result.targets;
  if (!target) throw new Error('no result');
  const timed = target.runs.findLast(({ role }) => role === 'timed');
  const complete = timed?.pageComplete;
  if (!complete) throw new Error(timed?.failure?.message ?? 'the timed run failed');
  const { at, state, because, raw } = complete;
  return {
    state,
    raw: raw.state,
    ...(at !== undefined && { complete: Math.round(at) }),
    ...(because !== undefined && { because }),
    ...(raw.at !== undefined && { rawAt: Math.round(raw.at) }),
    ...filmedOf(target),
    background: target.background.map(({ kind, endpoint, requests, excluded, visualImpact, because }) => ({
      kind,
      endpoint: endpoint.replace(/:\d{4,5}\b/, ''),
      requests,
      excluded,
      impact: visualImpact,
      because: because.replaceAll(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1'),
    })),
  };
}

function filmedOf({ evidence, runs }: TargetResult): Partial<Row> {
  const complete = runs.findLast(({ role }: RunResult) => role === 'evidence')?.pageComplete;
  if (!evidence) return {};
  const changes = (evidence.progress ?? []).filter(
    ({ share }, i, all) => i > 0 && Math.abs(share - (all[i - 1]?.share ?? 0)) > SAME_SHARE,
  );
  const lastChange = changes.at(-1)?.at;
  const lastPicture = evidence.film?.filter(({ file }, i, all) => i > 0 && file !== all[i - 1]?.file).at(-1)?.at;
  return {
    filmed: {
      ...(complete?.at !== undefined && { complete: Math.round(complete.at) }),
      ...(lastChange !== undefined && { lastChange: Math.round(lastChange) }),
      ...(lastPicture !== undefined && { lastPicture: Math.round(lastPicture) }),
      watched: Math.round(evidence.watchedUntil),
    },
    ...(evidence.ablation && { ablation: evidence.ablation.sentence }),
  };
}

// --- Printing -----------------------------------------------------------------------------------------------------

function print(rows: readonly Row[]): void {
  const time = (at: number | undefined): string => (at === undefined ? '–' : String(at));
  console.log(
    table(
      [
        'application',
        'page',
        'state',
        'page complete',
        'network idle',
        'filmed: complete',
        'last change',
        'last picture',
        'background',
      ],
      rows.map(({ name, what, failure, state, complete, raw, rawAt, filmed, background = [] }) => [
        name,
        what,
        failure ? `not run: ${failure}` : (state ?? ''),
        time(complete),
        raw === 'complete' ? time(rawAt) : (raw ?? '–'),
        time(filmed?.complete),
        time(filmed?.lastChange),
        time(filmed?.lastPicture),
        shortened(background.filter(({ kind }) => kind !== 'browser-internal')),
      ]),
    ),
  );
  console.log('\nTimes in ms since navigation; the last three of the filmed run. Icons of tabs are left out.');
}

function shortened(background: NonNullable<Row['background']>): string {
  const shown = background
    .slice(0, MOST_ENDPOINTS)
    .map(({ kind, endpoint, excluded }) => `${kind} ${pathOf(endpoint)}${excluded ? '' : ' (counted)'}`);
  const more = background.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ') || '–';
}

/** Of "GET http://127.0.0.1/path?keys". */
function pathOf(endpoint: string): string {
  return endpoint.replace(/^\S+ \w+:\/\/[^/]+/, '').replace(/\?.*$/, '');
}
