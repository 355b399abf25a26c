import { existsSync } from 'node:fs';
import path from 'node:path';
import { readKernelFile } from './kernel-file.ts';

/** Folders of the CPU controller of cgroup v1 below /sys/fs/cgroup, which differ between systems. */
const V1_CONTROLLERS = ['cpu', 'cpu,cpuacct', 'cpuacct,cpu'];

/** Signs of a container, the most specific first. The environment is not read: it may hold secrets. */
const SIGNS: readonly { readonly name: string; readonly group: RegExp; readonly file?: string }[] = [
  { name: 'Kubernetes', group: /\/kubepods/, file: 'var/run/secrets/kubernetes.io' },
  { name: 'Docker', group: /\/docker[/-]/, file: '.dockerenv' },
  { name: 'Podman', group: /\/libpod-/, file: 'run/.containerenv' },
  { name: 'LXC', group: /\/lxc[./]/ },
];

/** The kind of container that this program runs in; undefined without any sign of one. */
export function containerOf(root: string): string | undefined {
  const groups = readKernelFile(path.join(root, 'proc/self/cgroup')) ?? '';
  return SIGNS.find(
    ({ group, file }) => group.test(groups) || (file !== undefined && existsSync(path.join(root, file))),
  )?.name;
}

/**
 * How many processors the control groups of this program may use; undefined without a limit. Source: Documentation/admin-guide/cgroup-v2.rst (cpu.max) and scheduler/sched-bwc.rst (cpu.cfs_quota_us).
 */
export function processorLimit(root: string): number | undefined {
  const lines = readKernelFile(path.join(root, 'proc/self/cgroup'))?.split('\n') ?? [];
  const limits = lines.flatMap((line) => {
    const [id, controllers = '', ...rest] = line.split(':');
    const group = rest.join(':');
    if (id === '0') return groupsFrom(path.join(root, 'sys/fs/cgroup'), group).map(limitV2);
    if (!controllers.split(',').includes('cpu')) return [];
    return V1_CONTROLLERS.flatMap((folder) => groupsFrom(path.join(root, 'sys/fs/cgroup', folder), group).map(limitV1));
  });
  const known = limits.filter((limit) => limit !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** The group's folder and its parents: each may set a limit. In a container the last one is the container's own. */
function groupsFrom(top: string, group: string): readonly string[] {
  const parts = group.split('/').filter((part) => part !== '' && part !== '..');
  return parts.map((_, index) => path.join(top, ...parts.slice(0, parts.length - index))).concat(top);
}

/** "max 100000" or "150000 100000": time in each period, both in microseconds. */
function limitV2(folder: string): number | undefined {
  const [quota, period] = (readKernelFile(path.join(folder, 'cpu.max')) ?? '').split(' ').map(Number);
  return ratio(quota, period);
}

/** A quota of −1 means no limit. */
function limitV1(folder: string): number | undefined {
  const quota = Number(readKernelFile(path.join(folder, 'cpu.cfs_quota_us')));
  return ratio(quota, Number(readKernelFile(path.join(folder, 'cpu.cfs_period_us'))));
}

function ratio(quota: number | undefined, period: number | undefined): number | undefined {
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return quota / period;
}
