/** Processes that are ended, stopped or cut off at a moment that chance decides. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as settle } from 'node:timers/promises';
import { mustHold, type Running, run, runIn, type Started } from './command.ts';
import { BY_CHANCE, type Fault, type Happened } from './fault.ts';
import { AUDIT, TIMEOUT_S, TRUTH } from './pages.ts';
import { type HostileSite, startHostileSite } from './site.ts';

const LONGEST_WAIT_MS = 12_000;
/** An audit of more runs, so that there is something to keep. */
const ARGS = [...AUDIT, '--runs', '3'];
const WITHIN_S = 7 * TIMEOUT_S + 10;
const SCRIPT_TIMEOUT_S = 5;

/** How many timed runs it has said to be over. */
const finishedRuns = (stderr: string): number =>
  [...stderr.matchAll(/ run \d+ of \d+: (?!failed|tried again)/g)].length;

async function onSite<T>(work: (site: HostileSite) => Promise<T>): Promise<T> {
  const site = await startHostileSite();
  try {
    return await work(site);
  } finally {
    await site.close();
  }
}

const audit = (site: HostileSite): readonly string[] => ['audit', `${site.origin}/plain`, ...ARGS];

/** The browser's first process, or one of its renderers. */
function isBrowser({ command }: Started): boolean {
  return /chrom/i.test(command) && !/--type=/.test(command);
}
const isRenderer = ({ command }: Started): boolean => /--type=renderer/.test(command);

/** Sends a signal to a process of the command, at a moment by chance. */
function toProcess(name: string, signal: NodeJS.Signals, which: (started: Started) => boolean, must: string): Fault {
  return {
    group: 'kill',
    name,
    times: BY_CHANCE,
    must,
    inject: (random) =>
      onSite((site) =>
        run(
          {
            args: audit(site),
            async during(running) {
              await settle(800 + random() * 9_000);
              const [one] = (await running.processes()).filter(which);
              if (one && !running.ended) process.kill(one.pid, signal);
            },
          },
          (ran) => mustHold(ran, { within: WITHIN_S, kept: finishedRuns(ran.stderr), truth: TRUTH }),
        ),
      ),
  };
}

/** Ends the command itself. */
function toQuiesce(name: string, signal: NodeJS.Signals, must: string): Fault {
  return {
    group: 'kill',
    name,
    times: BY_CHANCE,
    must,
    inject: (random) => onSite((site) => endedBy(signal, random, site)),
  };
}

async function endedBy(signal: NodeJS.Signals, random: () => number, site: HostileSite): Promise<Happened> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-'));
  const folders = { folder, temporary: path.join(folder, 't'), out: path.join(folder, 'out') };
  await mkdir(folders.temporary);
  try {
    const during = async (running: Running): Promise<void> => {
      await settle(500 + random() * LONGEST_WAIT_MS);
      if (!running.ended) running.child.kill(signal);
    };
    const ran = await runIn(folders, { args: audit(site), during });
    const isHard = signal === 'SIGKILL';
    const held = mustHold(ran, {
      killed: true,
      leavesFiles: isHard,
      kept: finishedRuns(ran.stderr),
      truth: TRUTH,
      within: WITHIN_S,
    });
    if (!isHard) return held;
    // What a dead run left is removed when the next one starts.
    const next = await runIn(folders, { args: ['audit', `${site.origin}/plain`, ...AUDIT] });
    const after = mustHold(next, { exits: [0, 4], truth: TRUTH });
    return { ...held, violations: [...held.violations, ...after.violations.map((each) => `the next start: ${each}`)] };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Ends with one line and code 3, whatever a script does to the process. */
function script(name: string, source: string): Fault {
  return {
    group: 'kill',
    name: `a script ${name}`,
    times: 1,
    must: 'one line, exit 3, what is finished is kept',
    inject: () =>
      onSite(async (site) => {
        const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-script-'));
        try {
          const file = path.join(folder, 'script.mjs');
          await writeScript(file, source);
          return await run(
            { args: [...audit(site), '--script', file, '--script-timeout', `${SCRIPT_TIMEOUT_S}s`] },
            (ran) => mustHold(ran, { exits: [3], within: WITHIN_S + SCRIPT_TIMEOUT_S }),
          );
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
  };
}

async function writeScript(file: string, source: string): Promise<void> {
  await writeFile(file, `export async function before(page) { ${source} }\n`);
}

export const kills: readonly Fault[] = [
  toProcess('the browser is killed', 'SIGKILL', isBrowser, 'the runs before are kept; right, or not measured'),
  toProcess('a renderer is killed', 'SIGKILL', isRenderer, 'the runs before are kept; right, or not measured'),
  toProcess('the browser stands still', 'SIGSTOP', isBrowser, 'ends in time, the runs before are kept'),
  toQuiesce('Ctrl-C', 'SIGINT', 'the finished runs are kept, nothing is left'),
  toQuiesce('SIGTERM', 'SIGTERM', 'the finished runs are kept, nothing is left'),
  toQuiesce('SIGKILL', 'SIGKILL', 'no process is left; the next start removes the files'),
  script('ends the process', 'process.exit(0);'),
  script('rejects later', `Promise.reject(new Error('later')); await new Promise((done) => setTimeout(done, 300));`),
  script(
    'throws in a timer',
    `setTimeout(() => { throw new Error('timer'); }, 10); await new Promise((done) => setTimeout(done, 500));`,
  ),
  script('never ends', 'await new Promise(() => {});'),
  script('loops for ever', 'for (;;);'),
];
