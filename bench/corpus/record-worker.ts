/** Loads one page at a time as an audit does, and keeps all that was recorded of each load. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { findBrowser } from '../../src/browser/install/find.ts';
import { openChromeLab } from '../../src/browser/lab.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { gatherEvidence } from '../../src/jobs/engine/evidence/evidence.ts';
import { loadRun, type PlannedRun, type RunContext } from '../../src/jobs/engine/run.ts';
import type { Lab, LoadOutcome, LoadRequest } from '../../src/model/recording/lab.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { RunRole } from '../../src/model/result/result.ts';
import type { RawLoad, RawPage, RecordJob } from './raw.ts';

/** Timed loads of each page. */
const TIMED = 2;

const { path: executable } = await findBrowser(undefined, process.env);
const signal = new AbortController().signal;

process.on('message', (job: RecordJob) => {
  record(job).then(
    () => process.connected && process.send?.({ done: job.name }),
    (error: unknown) => {
      console.error(`${job.name}:`, error);
      process.exit(1);
    },
  );
});
process.once('disconnect', async () => {
  await (await opened)?.close();
  process.exit();
});

let opened: Promise<Lab> | undefined;

/** The browser of this process: each load has a context of its own. */
async function openLab(): Promise<Lab> {
  opened ??= openChromeLab({ sandbox: process.getuid?.() !== 0, browserArg: [] }, executable);
  const lab = await opened;
  if (lab.alive()) return lab;
  opened = undefined;
  return await openLab();
}

async function record({ name, url, file }: RecordJob): Promise<void> {
  const page: RawPage = { name, url, loads: await loadsOf(await openLab(), url) };
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await promisify(gzip)(JSON.stringify(page), { level: 1 }));
}

async function loadsOf(lab: Lab, url: string): Promise<readonly RawLoad[]> {
  const loads: RawLoad[] = [];
  const load = (planned: PlannedRun) => loadRun(planned, contextOf(url, keeping(lab, planned, loads)));
  const proof = await gatherEvidence({
    policy: DEFAULT_POLICY,
    trace: true,
    ablation: true,
    oneAtATime: false,
    includesLate: false,
    ablationIndex: TIMED + 1,
    load,
    write: async () => undefined,
    writeTrace: async () => undefined,
  });
  if (!proof) throw new Error('the page was not filmed');
  const { learntPolicy, drawing } = proof;
  for (let index = 1; index <= TIMED; index += 1) {
    const policy = { ...DEFAULT_POLICY, ...learntPolicy };
    await load({ index, role: 'timed', policy, ...(drawing && { drawing }) });
  }
  return loads;
}

/** A lab that keeps what it gives. Timed loads are filmed, and their document watched, whether that is asked for or not. */
function keeping(lab: Lab, { role }: PlannedRun, loads: RawLoad[]): Lab {
  return {
    ...lab,
    async record(request, ended) {
      const wanted: LoadRequest =
        role === 'timed'
          ? {
              ...request,
              domChanges: true,
              filmWhenQuiet: true,
            }
          : request;
      const outcome = await lab.record(wanted, ended);
      loads.push(rawLoad(role, request, outcome));
      return outcome;
    },
  };
}

function rawLoad(role: RunRole, { hold, watchUntil }: LoadRequest, outcome: LoadOutcome): RawLoad {
  const held = { ...(hold && { hold }), ...(watchUntil !== undefined && { watchUntil }) };
  if (!outcome.ok) return { role, ...held, failure: outcome.failure };
  const { trace: _trace, coverage: _coverage, profile: _profile, ...rest } = outcome.recording;
  const recording: Recording = { ...rest, bodies: [] };
  return { role, ...held, recording };
}

function contextOf(url: string, lab: Lab): RunContext {
  return {
    target: url,
    url,
    of: TIMED,
    content: false,
    options: {
      conditions: { device: DESKTOP, cpu: 1, view: 'cold' },
      access: { headers: [], cookies: [], block: [], ignoreCertificateErrors: false },
    },
    signal,
    retry: () => undefined,
    lab: async () => lab,
    onProgress: () => undefined,
  };
}
