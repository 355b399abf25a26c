import path from 'node:path';
import { readKernelFile } from './kernel-file.ts';

/**
 * How many files this program, and each that it starts, may have open; undefined where nothing limits that, or says so. Source:
 * man 5 proc_pid_limits.
 */
export function openFilesLimit(root = '/'): number | undefined {
  const limits = readKernelFile(path.join(root, 'proc/self/limits')) ?? '';
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
