import { describe, expect, it } from 'vitest';
import { containerOf, processorLimit } from '../../../src/shell/host/container.ts';
import { treeOf } from './tree.ts';

describe('processorLimit', () => {
  it.each([
    [
      'version 2, in a namespace of its own',
      { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '150000 100000' },
      1.5,
    ],
    [
      'version 2, the lowest of all groups above',
      {
        'proc/self/cgroup': '0::/a/b\n',
        'sys/fs/cgroup/a/cpu.max': '50000 100000\n',
        'sys/fs/cgroup/a/b/cpu.max': '200000 100000\n',
      },
      0.5,
    ],
    ['version 2, without a limit', { 'proc/self/cgroup': '0::/a', 'sys/fs/cgroup/a/cpu.max': 'max 100000' }, undefined],
    [
      'version 1',
      {
        'proc/self/cgroup': '5:memory:/d\n4:cpu,cpuacct:/d\n',
        'sys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_quota_us': '250000',
        'sys/fs/cgroup/cpu,cpuacct/d/cpu.cfs_period_us': '100000',
      },
      2.5,
    ],
    [
      'version 1, in a container that sees its own group on top',
      {
        'proc/self/cgroup': '4:cpu:/docker/0123\n',
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      },
      0.5,
    ],
    [
      'version 1, without a limit',
      {
        'proc/self/cgroup': '4:cpu:/\n',
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      },
      undefined,
    ],
    ['nothing to read', {}, undefined],
  ])('%s', (_, files, limit) => {
    expect(processorLimit(treeOf(files))).toBe(limit);
  });
});

describe('containerOf', () => {
  it.each([
    [{ '.dockerenv': '' }, 'Docker'],
    [{ 'run/.containerenv': '' }, 'Podman'],
    [{ 'proc/self/cgroup': '0::/kubepods.slice/pod1' }, 'Kubernetes'],
    [{ 'proc/self/cgroup': '4:cpu:/docker/0123' }, 'Docker'],
    [{ 'proc/self/cgroup': '0::/user.slice/user-1000.slice' }, undefined],
    [{}, undefined],
  ])('%o', (files, name) => {
    expect(containerOf(treeOf(files))).toBe(name);
  });
});
