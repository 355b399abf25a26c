import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type AuditHooks, type AuditOutcome } from '../../src/jobs/audit/audit.ts';
import { EXIT } from '../../src/wording/messages/messages.ts';
import { type AuditOptions, audit } from './jobs.ts';
import { sharedLab } from './lab.ts';
import { IMPATIENT } from './patience.ts';
import { COMMON } from './settings.ts';

/** Settings for a short audit in the real browser; tests set what they are about. */
export function chromeSettings(more: Partial<AuditOptions> & Pick<AuditOptions, 'targets'>): AuditOptions {
  return {
    ...COMMON,
    quietWindow: 1_000,
    timeout: 30_000,
    runs: 1,
    observation: IMPATIENT,
    // Chrome cannot use its sandbox as root.
    ...(more.browserWs === undefined && { sandbox: process.getuid?.() !== 0 }),
    ...more,
  };
}

/**
 * Audits in the real browser, results in a folder that is gone afterwards unless `keep` looks at it first. It is the
 * browser that all tests of the process share, unless one is asked for in any way.
 */
export async function auditInChrome(
  { ownBrowser = false, ...more }: Partial<AuditOptions> & Pick<AuditOptions, 'targets'> & { ownBrowser?: boolean },
  hooks: AuditHooks = {},
  keep: (folder: string) => Promise<void> = async () => undefined,
): Promise<AuditOutcome> {
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
  try {
    const mayShare = !ownBrowser && [more.browser, more.browserWs, more.browserArg].every((each) => each === undefined);
    const outcome = await audit(chromeSettings({ out, ...more }), {
      ...(mayShare && { openLab: sharedLab }),
      ...hooks,
    });
    await keep(out);
    return withoutHost(outcome);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** As on a machine with nothing else to do: the one that tests is busy with other tests. */
function withoutHost(outcome: AuditOutcome): AuditOutcome {
  const problems = outcome.problems.filter(({ code }) => code !== 'host-unfit');
  const isDecided = outcome.exit === EXIT.undecided && problems.length === 0;
  return { ...outcome, problems, exit: isDecided ? EXIT.ok : outcome.exit };
}

/** A process of a browser that this test started. */
export interface ChromeProcess {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly args: string;
}

/** Every process below this one that belongs to a browser started by Quiesce (Linux only). */
export async function chromeProcesses(): Promise<readonly ChromeProcess[]> {
  const all = new Map<number, ChromeProcess>();
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const [stat, args] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
      readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    ]);
    // pid (name) state ppid …; the name may hold spaces and brackets.
    const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    all.set(pid, { pid, parent: Number(parent), state, args: args.replaceAll('\0', ' ') });
  }
  const isBelow = (each: ChromeProcess): boolean => {
    for (let parent = all.get(each.parent); parent; parent = all.get(parent.parent)) {
      if (parent.pid === process.pid) return true;
    }
    return each.parent === process.pid;
  };
  return [...all.values()].filter(
    (each) => each.pid !== process.pid && isBelow(each) && /chrom|<defunct>/i.test(each.args || 'chrom'),
  );
}

/** Profiles that Quiesce has left in the folder for temporary files. */
export async function leftProfiles(): Promise<readonly string[]> {
  return (await readdir(os.tmpdir())).filter((name) => name.startsWith('quiesce-profile-'));
}
