/**
 * `npm run corpus:record`: loads every page with a known answer, and real applications, as an audit does, and makes the files
 * of `fixtures/corpus` from that. Twice: on this machine as it is, which should be quiet, and beside programs that never rest.
 *
 *   --only <names>           pages, separated by commas; applications are called app-<name>
 *   --raw <folder>           where recordings are kept, pictures included; what is there is not loaded again (default: a
 *                            temporary folder)
 *   --applications <folder>  where applications are installed (default: a temporary folder)
 *   --seed <n>               what the delays are drawn from (default 1)
 *   --concurrency <n>        pages at a time (default 3)
 *   --machine <quiet|busy>   on one of the two machines alone
 *   --pack                   load nothing: make the files from what is kept
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type CorpusPage, type CorpusRecording, corpusFile, encodePage } from '../../fixtures/corpus-file.ts';
import { loadScenarios, TUNED } from '../../fixtures/scenario.ts';
import type { ServedLoad } from '../accuracy/server.ts';
import { APPLICATIONS } from '../applications/list.ts';
import { folderName, install, started } from '../applications/place.ts';
import { startTruthServer, type TruthServer } from '../support/truth-server.ts';
import type { RawPage, RecordJob } from './raw.ts';
import { readLoads, withReference } from './read.ts';
import { APPLICATION, isApplication } from './score.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    raw: { type: 'string', default: path.join(os.tmpdir(), 'quiesce-corpus') },
    applications: { type: 'string', default: path.join(os.tmpdir(), 'quiesce-applications') },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '3' },
    machine: { type: 'string' },
    pack: { type: 'boolean', default: false },
  },
});

/**
 * The machines of the corpus: how many programs never rest beside the browser, and the folder of its recordings. A starved load
 * takes several times as long to record, so that some pages will do for the second.
 */
const MACHINES = [
  { name: 'quiet', beside: 0 },
  { name: 'busy', beside: 2 },
] as const;
type Machine = (typeof MACHINES)[number];

/** What is known of a page beside its recordings. */
interface Known {
  readonly seed: string;
  readonly beside: number;
  /** What the server knows; nothing of an application. */
  readonly loads: readonly ServedLoad[];
}

// An ended recording ends what it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const folderOf = ({ name }: Machine): string => path.resolve(values.raw, name);
const rawFile = (machine: Machine, name: string): string => path.join(folderOf(machine), `${name}.json.gz`);
const knownFile = (machine: Machine, name: string): string => path.join(folderOf(machine), `${name}.truth.json`);
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const applications = new Map(APPLICATIONS.map((each) => [`${APPLICATION}${folderName(each)}`, each]));
const pages = (await loadScenarios(...TUNED)).flatMap(({ name, expected }) => (expected ? [name] : []));
const only = values.only?.split(',');
const names = [...pages, ...applications.keys()].filter((name) => only?.includes(name) ?? true);
const unknown = only?.filter((name) => !names.includes(name)) ?? [];
if (unknown.length > 0) throw new Error(`no such page: ${unknown.join(', ')}`);

const machines = MACHINES.filter(({ name }) => values.machine === undefined || name === values.machine);
if (!values.pack) for (const machine of machines) await recordOn(machine);
if (values.pack || values.machine === undefined) for (const name of names) await pack(name);

// --- Recording ----------------------------------------------------------------------------------------------------

async function recordOn(machine: Machine): Promise<void> {
  await mkdir(folderOf(machine), { recursive: true });
  const queue = names.filter((name) => !existsSync(knownFile(machine, name)));
  if (queue.length === 0) return;
  const server = await startTruthServer(`${values.seed}-${machine.name}`);
  const loops = Array.from({ length: machine.beside }, () => spawn(process.execPath, ['-e', 'for (;;);']));
  const endLoops = (): void => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
  process.once('exit', endLoops);
  const began = performance.now();
  const total = queue.length;
  const work = async (): Promise<void> => {
    const worker = startWorker();
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const failure = await recordPage(name, machine, worker, server).catch(String);
      const done = total - queue.length;
      const left = Math.ceil((((performance.now() - began) / done) * queue.length) / 60_000);
      process.stderr.write(
        `[${machine.name} ${done}/${total}] ${name}${failure ? `: ${failure}` : ''}, ${left} min left\n`,
      );
    }
    worker.close();
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, work));
  await server.close();
  endLoops();
  process.off('exit', endLoops);
}

async function recordPage(name: string, machine: Machine, worker: RecordWorker, server: TruthServer): Promise<void> {
  const application = applications.get(name);
  const file = rawFile(machine, name);
  let loads: readonly ServedLoad[] = [];
  if (application) {
    const place = await install(application, path.resolve(values.applications));
    await started(application, place, (url) => worker.record({ name, url, file }));
  } else {
    await worker.record({ name, url: `${server.origin}/${name}/`, file });
    loads = await server.loads(name);
  }
  const known: Known = { seed: `${values.seed}-${machine.name}`, beside: machine.beside, loads };
  await writeFile(knownFile(machine, name), JSON.stringify(known));
}

interface RecordWorker {
  /** Rejects when it could not be recorded. */
  record(job: RecordJob): Promise<void>;
  close(): void;
}

/** A process that loads pages, and another one when it has ended. */
function startWorker(): RecordWorker {
  const start = (): ChildProcess => fork(fileOf('./record-worker.ts'));
  let child = start();
  return {
    async record(job) {
      child.send(job);
      const ended = new AbortController();
      const done = once(child, 'message', { signal: ended.signal }).then(() => true);
      const exit = once(child, 'exit', { signal: ended.signal }).then(() => false);
      const isDone = await Promise.race([done, exit]);
      ended.abort();
      await Promise.allSettled([done, exit]);
      if (isDone) return;
      child = start();
      throw new Error('not recorded');
    },
    close: () => child.disconnect(),
  };
}

// --- Making the files ---------------------------------------------------------------------------------------------

async function pack(name: string): Promise<void> {
  const recordings: CorpusRecording[] = [];
  for (const machine of MACHINES) {
    if (existsSync(knownFile(machine, name))) recordings.push(await recordingOf(machine, name));
  }
  if (recordings.length === 0) return;
  const page: CorpusPage = { name, recordings };
  const bytes = encodePage(isApplication(name) ? await withReference(page) : page);
  const file = corpusFile(name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, bytes);
  process.stderr.write(`${name}: ${Math.ceil(bytes.length / 1024)} kB\n`);
}

async function recordingOf(machine: Machine, name: string): Promise<CorpusRecording> {
  const page = JSON.parse(gunzipSync(await readFile(rawFile(machine, name))).toString()) as RawPage;
  const { seed, beside, loads } = JSON.parse(await readFile(knownFile(machine, name), 'utf8')) as Known;
  return { beside, ...(!isApplication(name) && { seed }), loads: await readLoads(page, loads) };
}
