import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { manifestErrors } from './kubernetes-schema.ts';
import { filesIn, textOf } from './places.ts';

const FOLDER = 'examples/kubernetes';
const KUSTOMIZATION = `${FOLDER}/kustomization.yaml`;
const MANIFESTS = filesIn(FOLDER, '.yaml').filter((file) => file !== KUSTOMIZATION);

/** So far as these tests look. */
interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args: readonly string[];
  readonly resources: { readonly requests: Record<string, string>; readonly limits: Record<string, string> };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}
interface PodSpec {
  readonly securityContext: { readonly runAsNonRoot?: boolean; readonly seccompProfile: Record<string, string> };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: { readonly name: string };
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly hostPath?: { readonly path: string };
  }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
}
interface PodTemplate {
  readonly template?: { readonly spec: PodSpec };
}

/** Strict as the API server is: a key that stands twice is an error here too. */
function manifestsIn(text: string): readonly Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}
const only = (file: string): Manifest => {
  const [first] = manifestsIn(textOf(`${FOLDER}/${file}`));
  if (first === undefined) throw new Error(`nothing in ${file}`);
  return first;
};
/** Of a Job or a DaemonSet, or the pod itself. */
function podOf(file: string): PodSpec {
  const { spec } = only(file);
  return (spec as PodTemplate).template?.spec ?? (spec as unknown as PodSpec);
}

test.each(MANIFESTS)('%s is what the API takes', async (file) => {
  const manifests = manifestsIn(textOf(file));
  expect(manifests).toHaveLength(1);
  for (const manifest of manifests) expect(await manifestErrors(manifest)).toEqual([]);
});

describe('what the API would refuse is found', () => {
  test.each([
    ['an unknown field', 'completions:', 'completion:'],
    ['an unknown field, deep inside', 'allowPrivilegeEscalation:', 'allowPrivilegesEscalation:'],
    ['a wrong type', 'parallelism: 4', 'parallelism: four'],
    ['a number in place of a text', 'name: tmp', 'name: 1'],
    ['an unknown word', 'completionMode: Indexed', 'completionMode: indexed'],
    ['a quantity', 'memory: 2Gi', 'memory: 2 GB'],
    ['what is missing', 'topologyKey: kubernetes.io/hostname', ''],
    ['another version of the API', 'apiVersion: batch/v1', 'apiVersion: batch/v2'],
  ])('%s', async (_what, from, to) => {
    const text = textOf(`${FOLDER}/job.yaml`);
    expect(text).toContain(from);
    const [manifest] = manifestsIn(text.replace(from, to));
    expect(await manifestErrors(manifest)).not.toEqual([]);
  });
});

test('kustomization.yaml names files that are there, and the image of the others', () => {
  // The API server never sees it. Source: kubectl.docs.kubernetes.io, the kustomization file.
  const schema = z.strictObject({
    apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
    kind: z.literal('Kustomization'),
    resources: z.array(z.string()),
    images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
  });
  const { resources, images } = schema.parse(manifestsIn(textOf(KUSTOMIZATION))[0]);
  for (const file of resources) expect(MANIFESTS).toContain(`${FOLDER}/${file}`);
  for (const file of ['job.yaml', 'merge.yaml']) {
    expect(resources).toContain(file);
    const { initContainers = [], containers } = podOf(file);
    for (const { image } of [...initContainers, ...containers]) {
      expect(images.map(({ name, newTag }) => `${name}:${newTag}`)).toEqual([image]);
    }
  }
});

test('the merge waits until the shards have ended, and the README starts it', () => {
  expect(only('merge.yaml').spec).toMatchObject({ suspend: true });
  expect(textOf(`${FOLDER}/README.md`)).toContain(
    `kubectl patch job/${only('merge.yaml').metadata.name} -p '{"spec": {"suspend": false}}'`,
  );
  // It would wait for one of the two for ever. Source: github.com/kubernetes/kubectl/issues/1629.
  expect(textOf(`${FOLDER}/README.md`)).not.toMatch(/kubectl wait\b.*condition=(complete|failed)/i);
});

describe('the Job of the shards', () => {
  const { spec } = only('job.yaml');
  const pod = podOf('job.yaml');
  const [container] = pod.containers;

  test('has as many pods as there are shards, each with a folder of its own', () => {
    const [, of] = /^--shard=auto\/(\d+)$/.exec(container?.args.find((arg) => arg.startsWith('--shard')) ?? '') ?? [];
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: Number(of), parallelism: Number(of) });
    expect(container?.args).toContain('--out=/results/$(JOB_COMPLETION_INDEX)');
  });

  test('gives each whole CPUs, all its own', () => {
    // One container without them, and the pod is not "Guaranteed".
    for (const { resources } of [...(pod.initContainers ?? []), ...pod.containers]) {
      expect(resources.requests).toEqual(resources.limits);
      expect(resources.limits.cpu).toMatch(/^[1-9]\d*$/);
    }
  });

  test('lets a second try begin anew: Quiesce refuses the folder of a comparison that was cut short', () => {
    const [, out] = container?.args.find((arg) => arg.startsWith('--out='))?.split('=') ?? [];
    expect(pod.initContainers?.map(({ command }) => command)).toEqual([['rm', '-rf', out]]);
  });

  test('keeps Chrome’s sandbox on, with the profile that the nodes are given', () => {
    const { type, localhostProfile } = pod.securityContext.seccompProfile;
    const onNodes = podOf('seccomp-nodes.yaml').volumes.find(({ hostPath }) => hostPath)?.hostPath?.path;
    expect(type).toBe('Localhost');
    expect(`/var/lib/kubelet/seccomp/${localhostProfile}`).toBe(`${onNodes}/seccomp-chrome.json`);
    for (const file of ['job.yaml', 'merge.yaml', 'configmap.yaml']) {
      expect(textOf(`${FOLDER}/${file}`)).not.toMatch(/no-sandbox|sandbox: *(false|off|no)/i);
    }
  });
});

describe.each(['job.yaml', 'merge.yaml', 'results.yaml'])('the pod of %s', (file) => {
  const pod = podOf(file);
  const [container] = pod.containers;
  const all = [...(pod.initContainers ?? []), ...pod.containers];

  // Source: kubernetes.io, Pod Security Standards, "restricted".
  test('keeps to the standard "restricted"', () => {
    expect(pod.securityContext.runAsNonRoot).toBe(true);
    expect(['Localhost', 'RuntimeDefault']).toContain(pod.securityContext.seccompProfile.type);
    for (const { securityContext } of all) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
    expect(pod.volumes.filter(({ hostPath }) => hostPath)).toEqual([]);
  });

  test('mounts what is there', () => {
    expect(container?.volumeMounts.map(({ name }) => name).toSorted()).toEqual(
      pod.volumes.map(({ name }) => name).toSorted(),
    );
    for (const { configMap, persistentVolumeClaim } of pod.volumes) {
      if (configMap) expect(configMap.name).toBe(only('configmap.yaml').metadata.name);
      if (persistentVolumeClaim) expect(persistentVolumeClaim.claimName).toBe(only('pvc.yaml').metadata.name);
    }
  });
});

test.each(['job.yaml', 'merge.yaml'])('what %s runs can write to /tmp', (file) => {
  expect(podOf(file).containers[0]?.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp');
});

describe('seccomp-chrome.json', () => {
  // Source: OCI runtime specification, config-linux, seccomp. Docker's conditions (includes, excludes) are no part of it.
  const schema = z.strictObject({
    defaultAction: z.literal('SCMP_ACT_ERRNO'),
    defaultErrnoRet: z.int(),
    architectures: z.array(z.enum(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'])),
    syscalls: z.array(
      z.strictObject({
        names: z.array(z.string().regex(/^[a-z_][a-z0-9_]*$/)).min(1),
        action: z.enum(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']),
        errnoRet: z.int().optional(),
        args: z
          .array(
            z.strictObject({
              index: z.int().min(0).max(5),
              value: z.int().min(0),
              valueTwo: z.int().min(0).optional(),
              op: z.enum(['SCMP_CMP_MASKED_EQ', 'SCMP_CMP_NE']),
            }),
          )
          .optional(),
      }),
    ),
  });
  const { syscalls } = schema.parse(JSON.parse(textOf(`${FOLDER}/seccomp-chrome.json`)));
  const rule = (name: string) => syscalls.filter(({ names }) => names.includes(name));

  test('says one thing of each call', () => {
    const names = syscalls.flatMap((each) => each.names);
    expect(names).toHaveLength(new Set(names).size);
  });

  test('lets Chrome build its sandbox: user, process and network namespaces, chroot', () => {
    // Source: linux/sched.h.
    const NEW = { user: 0x10000000, process: 0x20000000, network: 0x40000000 };
    const NOT = { mount: 0x00020000, cgroup: 0x02000000, uts: 0x04000000, ipc: 0x08000000 };
    const mask = Object.values(NOT).reduce((all, flag) => all | flag, 0);
    for (const name of ['clone', 'unshare']) {
      const args = [{ index: 0, value: mask, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }];
      expect(rule(name)).toMatchObject([{ action: 'SCMP_ACT_ALLOW', args }]);
    }
    for (const flag of Object.values(NEW)) expect(mask & flag).toBe(0);
    expect(rule('chroot')).toMatchObject([{ action: 'SCMP_ACT_ALLOW' }]);
    // Its arguments lie in memory, where a filter does not see them. ENOSYS makes libc take clone.
    expect(rule('clone3')).toEqual([{ names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 }]);
  });

  // Source: Docker's documentation, "Significant syscalls blocked by the default profile".
  test.each([
    ...['acct', 'add_key', 'bpf', 'clock_settime', 'delete_module', 'init_module', 'finit_module', 'ioperm', 'iopl'],
    ...['io_uring_setup', 'kexec_load', 'keyctl', 'mount', 'umount2', 'move_mount', 'open_by_handle_at', 'open_tree'],
    ...[
      'perf_event_open',
      'pivot_root',
      'process_vm_readv',
      'quotactl',
      'reboot',
      'request_key',
      'setns',
      'settimeofday',
    ],
    ...['swapon', 'swapoff', 'syslog', 'userfaultfd'],
  ])('does not allow %s', (name) => {
    expect(rule(name)).toEqual([]);
  });
});
