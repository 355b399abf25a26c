import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { readKernelFile } from './kernel-file.ts';

/** Characters of the hash: enough for all machines that measure together. */
const ID_LENGTH = 16;

/**
 * An id that two measurements on this machine have in common: the same until the machine is restarted, also in containers.
 * It reveals nothing about the machine.
 *
 * @param proc the folder of the kernel's files
 */
export function machineId(proc = '/proc'): string {
  // Not the host name, which differs between containers of a machine. Source: man 4 random, boot_id.
  const name = readKernelFile(path.join(proc, 'sys/kernel/random/boot_id')) ?? os.hostname();
  return createHash('sha256').update(`quiesce ${name}`).digest('hex').slice(0, ID_LENGTH);
}
