import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { ProcessorUser } from '../../model/doctor.ts';
import type { Ms } from '../../model/units.ts';
import { readKernelFile } from './kernel-file.ts';

/** Source: man 5 proc, USER_HZ. */
const MS_PER_TICK = 10;
/** Below this nobody is disturbed, in processors. */
const WORTH_NAMING = 0.05;
/** How many are named. */
const LISTED = 3;

/** CPU time of a process so far, ms. */
export interface ProcessTime {
  readonly name: string;
  /** A number is given again when its process is gone: the start tells whether it is the same one. */
  readonly startedAt: string;
  readonly used: Ms;
}

/** CPU times of all processes that can be seen, by process id; undefined where there is no such folder. */
export function readProcessTimes(proc: string): ReadonlyMap<number, ProcessTime> | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(proc).filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  const times = new Map<number, ProcessTime>();
  for (const name of names) {
    // Only what the kernel counts is read, never a command line or an environment: they hold passwords.
    const folder = path.join(proc, name);
    const time = parse(readKernelFile(path.join(folder, 'stat')));
    if (time) times.set(Number(name), { ...time, name: executable(folder) ?? time.name });
  }
  return times.size === 0 ? undefined : times;
}

/** What the kernel calls a process is the name of its first thread: all of Node's are a "MainThread". */
function executable(folder: string): string | undefined {
  try {
    // " (deleted)" is added when the file was replaced by an update.
    return path.basename(readlinkSync(path.join(folder, 'exe')).replace(/ \(deleted\)$/, ''));
  } catch {
    return undefined;
  }
}

/** "pid (name) state ppid … utime stime …": the name may hold blanks and brackets. Source: man 5 proc_pid_stat. */
function parse(text: string | undefined): ProcessTime | undefined {
  const match = /^\d+ \((.*)\) (.*)$/s.exec(text ?? '');
  const fields = match?.[2]?.split(' ');
  const [utime, stime, startedAt] = [fields?.[11], fields?.[12], fields?.[19]];
  if (utime === undefined || stime === undefined || startedAt === undefined) return undefined;
  return { name: match?.[1] ?? '', startedAt, used: (Number(utime) + Number(stime)) * MS_PER_TICK };
}

/**
 * The programs that used the most CPU time between two readings, processes of one name together.
 *
 * @param wall time between the readings, ms
 * @param except process id of this program
 */
export function greediest(
  before: ReadonlyMap<number, ProcessTime> | undefined,
  after: ReadonlyMap<number, ProcessTime> | undefined,
  wall: Ms,
  except: number,
): readonly ProcessorUser[] | undefined {
  if (before === undefined || after === undefined) return undefined;
  const byName = new Map<string, number>();
  for (const [pid, now] of after) {
    if (pid === except) continue;
    const then = before.get(pid);
    const used = now.used - (then?.startedAt === now.startedAt ? then.used : 0);
    byName.set(now.name, (byName.get(now.name) ?? 0) + used / wall);
  }
  return [...byName]
    .map(([name, processors]) => ({ name, processors }))
    .filter(({ processors }) => processors >= WORTH_NAMING)
    .sort((a, b) => b.processors - a.processors)
    .slice(0, LISTED);
}
