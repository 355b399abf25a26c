/** The schemas of the Kubernetes API, loaded one at a time: all of them together are 18 MB. */
const SCHEMAS: Readonly<Record<string, () => Promise<{ validate(manifest: unknown): boolean }>>> = {
  'batch/v1 Job': () => import('kubernetes-models/_schemas/IoK8sApiBatchV1Job'),
  'apps/v1 DaemonSet': () => import('kubernetes-models/_schemas/IoK8sApiAppsV1DaemonSet'),
  'v1 ConfigMap': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap'),
  'v1 Pod': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1Pod'),
  'v1 PersistentVolumeClaim': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1PersistentVolumeClaim'),
};

interface SchemaError {
  readonly instancePath: string;
  readonly message?: string;
  readonly keyword: string;
}

/**
 * What the API server would refuse of a manifest, with strict validation of fields.
 *
 * The schemas are compiled and let unknown fields pass. But they read every field that they know: what nobody has read
 * afterwards is none of theirs.
 */
export async function manifestErrors(manifest: unknown): Promise<readonly string[]> {
  const { apiVersion, kind } = manifest as Readonly<Record<string, unknown>>;
  const load = SCHEMAS[`${apiVersion} ${kind}`];
  if (load === undefined) return [`no schema here for ${apiVersion} ${kind}`];
  const { validate } = (await load()) as {
    validate: { (it: unknown): boolean; errors?: readonly SchemaError[] | null };
  };
  const unread = new Set<string>();
  if (!validate(watched(manifest, '', unread))) {
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? error.keyword}`);
  }
  return [...unread].map((field) => `${field} is not known`);
}

/** The same value; `unread` holds the paths of its fields until they are read. */
function watched<T>(value: T, path: string, unread: Set<string>): T {
  if (value === null || typeof value !== 'object') return value;
  for (const name of Object.keys(value)) unread.add(`${path}/${name}`);
  const inside = new Map<string, unknown>();
  return new Proxy(value, {
    get(target, name) {
      const field = Reflect.get(target, name) as unknown;
      if (typeof name !== 'string' || !Object.hasOwn(target, name)) return field;
      unread.delete(`${path}/${name}`);
      if (!inside.has(name)) inside.set(name, watched(field, `${path}/${name}`, unread));
      return inside.get(name);
    },
  });
}
