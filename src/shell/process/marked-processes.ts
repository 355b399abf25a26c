import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ends every process whose environment holds this entry (`NAME=value`), at once. So a process is found that has left the
 * group of the one that started it, as daemons do. Only Linux shows environments, and only of processes of the same user.
 */
export function endMarkedProcesses(entry: string): void {
  if (process.platform !== 'linux') return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry))
        process.kill(Number(pid), 'SIGKILL');
    } catch {
      // Another user's, or gone.
    }
  }
}
