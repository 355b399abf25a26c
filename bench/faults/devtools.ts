/** What Quiesce and its browser say to each other: cut off, slow, or too much at once. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from '../../src/browser/install/find.ts';
import { type Allowed, mustHold, run } from './command.ts';
import { BY_CHANCE, type Fault } from './fault.ts';
import { AUDIT, BOUND_S, TRUTH } from './pages.ts';
import { startHostileSite } from './site.ts';

const BETWEEN = fileURLToPath(new URL('./between.ts', import.meta.url));
/** Until when an audit of an ordinary page is surely over, ms. */
const LONGEST_AUDIT_MS = 12_000;

function between(name: string, how: string, must: string, times: number, allowed: Allowed = {}): Fault {
  return {
    group: 'devtools',
    name,
    times,
    must,
    async inject(random) {
      const site = await startHostileSite();
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-between-'));
      try {
        const browser = await findBrowser(undefined, process.env);
        const file = path.join(folder, 'chrome');
        const settings = `FAULT_BROWSER='${browser.path}' FAULT_HOW=${how} FAULT_AFTER=${(500 + random() * LONGEST_AUDIT_MS).toFixed(0)}`;
        await writeFile(file, `#!/bin/sh\n${settings} exec '${process.execPath}' '${BETWEEN}' "$@"\n`);
        await chmod(file, 0o755);
        return await run({ args: ['audit', `${site.origin}/plain`, ...AUDIT, '--browser', file] }, (ran) =>
          mustHold(ran, { within: BOUND_S, truth: TRUTH, ...allowed }),
        );
      } finally {
        await site.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

export const devtools: readonly Fault[] = [
  between('the pipe is cut', 'cut', 'right, or not measured; nothing is left', BY_CHANCE),
  between('a slow pipe (0.5 MB/s, 25 ms each)', 'slow', 'ends in time; right, doubtful or not measured', 3),
  between('messages of 50 MB that nobody asked for', 'large', 'right, or not measured; below 1 GB', 3),
];
