import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { readKernelFile } from './kernel-file.ts';

/** Letters of a hash that tell all machines apart that ever measure together. */
const LETTERS = 16;

/**
 * Names this machine so that another measurement on it can be told: the same until it is started again, also in
 * containers, and nothing can be learnt from it about the machine.
 *
 * @param proc where the kernel's files are
 */
export function machineName(proc = '/proc'): string {
  // Containers have host names of their own, on one and the same machine. Source: man 4 random, boot_id.
  const name = readKernelFile(path.join(proc, 'sys/kernel/random/boot_id')) ?? os.hostname();
  return createHash('sha256').update(`quiesce ${name}`).digest('hex').slice(0, LETTERS);
}
