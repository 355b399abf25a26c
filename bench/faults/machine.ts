/** Machines that have too little of something, or whose clock is set. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Allowed, type Asked, mustHold, run } from './command.ts';
import type { Fault } from './fault.ts';
import { AUDIT, BOUND_S, TRUTH } from './pages.ts';
import { startHostileSite } from './site.ts';

const isRoot = process.getuid?.() === 0;
const shell = (prepare: string): readonly string[] => ['sh', '-c', `${prepare} exec "$@"`, 'sh'];
/** A shell in a mount namespace of its own. */
const mounted = (prepare: string): readonly string[] => ['unshare', '--mount', ...shell(prepare)];

const AUDIT_ONE = 'the page is right, or the reason is named';

function audited(
  name: string,
  asked: (folder: string) => Omit<Asked, 'args'>,
  allowed: Allowed = {},
  times = 1,
): Fault {
  return {
    group: 'machine',
    name,
    times,
    must: AUDIT_ONE,
    async inject() {
      const site = await startHostileSite();
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-machine-'));
      try {
        const args = ['audit', `${site.origin}/plain`, ...AUDIT];
        return await run({ args, ...asked(folder) }, (ran) =>
          mustHold(ran, { within: BOUND_S, truth: TRUTH, ...allowed }),
        );
      } finally {
        await site.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** cgroup v1, as containers have them: made here, for this one command. */
function inGroup(name: string, controller: string, file: string, value: string): readonly Fault[] {
  const root = `/sys/fs/cgroup/${controller}`;
  if (!isRoot || !existsSync(root)) return [];
  const fault = audited(name, () => ({}), { leavesFiles: true });
  return [
    {
      ...fault,
      async inject() {
        const group = `${root}/quiesce-fault-${process.pid}-${Math.random().toString(36).slice(2)}`;
        await mkdir(group);
        try {
          await writeFile(`${group}/${file}`, value);
          const site = await startHostileSite();
          try {
            const within = shell(`echo $$ > ${group}/cgroup.procs;`);
            return await run({ args: ['audit', `${site.origin}/plain`, ...AUDIT], within }, (ran) =>
              // The kernel may end any of its processes, Quiesce too.
              mustHold(ran, { within: BOUND_S, truth: TRUTH, killed: ran.signal === 'SIGKILL', leavesFiles: true }),
            );
          } finally {
            await site.close();
          }
        } finally {
          await rm(group, { recursive: false, force: true }).catch(() => undefined);
        }
      },
    },
  ];
}

/** Sets the clock of the process that measures by a module that it loads first. */
function clock(name: string, by: number): Fault {
  const module = `const real = Date.now; const from = real() + 1500 + Math.random() * 5000; Date.now = () => real() > from ? real() + ${by} : real();`;
  const url = `data:text/javascript,${encodeURIComponent(module)}`;
  return audited(name, () => ({ env: { NODE_OPTIONS: `--import "${url}"` } }), { exits: [0, 4] }, 5);
}

export const machine: readonly Fault[] = [
  ...(isRoot
    ? [
        audited('/dev/shm of 64 kB', () => ({ within: mounted('mount -t tmpfs -o size=64k tmpfs /dev/shm;') })),
        audited('a disk of 2 MB for the results', () => ({
          within: mounted('mkdir -p out; mount -t tmpfs -o size=2m tmpfs out;'),
        })),
        audited('a full disk for the results', () => ({
          within: mounted('mkdir -p out; mount -t tmpfs -o size=4k tmpfs out;'),
        })),
        audited('a full disk for temporary files', () => ({ within: mounted('mount -t tmpfs -o size=64k tmpfs t;') }), {
          leavesFiles: true,
        }),
      ]
    : []),
  ...inGroup('512 MB of memory', 'memory', 'memory.limit_in_bytes', '512M'),
  ...inGroup('200 MB of memory', 'memory', 'memory.limit_in_bytes', '200M'),
  ...inGroup('40 processes and threads', 'pids', 'pids.max', '40'),
  audited('64 open files', () => ({ within: shell('ulimit -n 64;') })),
  audited('200 open files', () => ({ within: shell('ulimit -n 200;') })),
  audited('a long path for temporary files', () => ({ temporary: 't'.repeat(120) })),
  clock('the clock is set back by an hour', -3_600_000),
  clock('the clock is set forward by a day', 86_400_000),
  {
    group: 'machine',
    name: 'a full disk behind the standard output',
    times: 1,
    must: 'one line, exit 3; the result is kept',
    async inject() {
      const site = await startHostileSite();
      const full = await open('/dev/full', 'w');
      try {
        return await run({ args: ['audit', `${site.origin}/plain`, ...AUDIT, '--json'], stdout: full.fd }, (ran) =>
          mustHold(ran, { within: BOUND_S, exits: [3], kept: 1 }),
        );
      } finally {
        await full.close();
        await site.close();
      }
    },
  },
  {
    group: 'machine',
    name: 'two audits in one --out',
    times: 5,
    must: 'one of them is refused, the other is whole',
    async inject() {
      const site = await startHostileSite();
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-shared-'));
      try {
        const args = ['audit', `${site.origin}/plain`, ...AUDIT, '--out', path.join(folder, 'out')];
        const both = await Promise.all(
          [1, 2].map(() => run({ args }, (ran) => ({ exit: ran.exit, held: mustHold(ran, { within: 2 * BOUND_S }) }))),
        );
        const refused = both.filter(({ exit }) => exit === 2).length;
        const [first, second] = both;
        return {
          violations: [
            ...both.flatMap(({ held }) => held.violations),
            ...(refused === 1 ? [] : [`${refused} refused`]),
          ],
          outcome: both.map(({ exit }) => `exit ${exit}`).join(', '),
          seconds: Math.max(first?.held.seconds ?? 0, second?.held.seconds ?? 0),
          peak: Math.max(first?.held.peak ?? 0, second?.held.peak ?? 0),
        };
      } finally {
        await site.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
];
