import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { ProcessorUser } from '../../model/host/doctor.ts';
import type { Ms } from '../../model/units.ts';
import { readKernelFile } from './kernel-file.ts';

/** Source: man 5 proc, USER_HZ. */
const MS_PER_TICK = 10;
/** Programs that use less than this do not disturb, processors. */
const MIN_PROCESSORS = 0.05;
/** How many programs are listed. */
const MAX_PROGRAMS = 3;

/** CPU time of a process so far, ms. */
export interface ProcessTime {
  readonly name: string;
  /** Ids are reused: the start time shows whether it is the same process. */
  readonly startedAt: string;
  readonly used: Ms;
}

/** CPU times of all visible processes, by process id; undefined without such a folder. */
export function readProcessTimes(proc: string): ReadonlyMap<number, ProcessTime> | undefined {
  let names: readonly string[];
  try {
    names = readdirSync(proc).filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  const times = new Map<number, ProcessTime>();
  for (const name of names) {
    // Command lines and environments are not read: they may hold passwords.
    const folder = path.join(proc, name);
    const time = parse(readKernelFile(path.join(folder, 'stat')));
    if (time) times.set(Number(name), { ...time, name: executable(folder) ?? time.name });
  }
  return times.size === 0 ? undefined : times;
}

/** The name of the executable. The kernel's name is that of the first thread, which is "MainThread" for all Node programs. */
function executable(folder: string): string | undefined {
  try {
    // The kernel adds " (deleted)" when an update has replaced the file.
    return path.basename(readlinkSync(path.join(folder, 'exe')).replace(/ \(deleted\)$/, ''));
  } catch {
    return undefined;
  }
}

/** "pid (name) state ppid … utime stime …": the name may hold blanks and brackets. Source: man 5 proc_pid_stat. */
function parse(text: string | undefined): ProcessTime | undefined {
  const match = /^\d+ \((.*)\) (.*)$/s.exec(text ?? '');
  const fields = match?.[2]?.split(' ');
  const startedAt = fields?.[19];
  if (fields === undefined || startedAt === undefined) return undefined;
  const [utime, stime] = fields.slice(11, 13).map(Number) as [number, number];
  return { name: match?.[1] ?? '', startedAt, used: (utime + stime) * MS_PER_TICK };
}

/**
 * The programs that used the most CPU time between two readings, processes of one name together.
 *
 * @param wall time between the readings, ms
 * @param except process id of this program
 */
export function topProcessorUsers(
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
    .filter(({ processors }) => processors >= MIN_PROCESSORS)
    .sort((a, b) => b.processors - a.processors)
    .slice(0, MAX_PROGRAMS);
}
