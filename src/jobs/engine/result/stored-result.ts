import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { OWN_NAME } from '../../../core/metrics/index.ts';
import { MOST_BYTES } from '../../../core/requests/har-fields.ts';
import type { Stored } from '../../../core/trend/measurements.ts';
import type { CapacityResult } from '../../../model/capacity.ts';
import type { ComparePagesResult, CompareResult } from '../../../model/compare/comparison.ts';
import type { AuditResult, ResultVersion } from '../../../model/result/result.ts';
import { type FoundResult, readResultText } from '../../../shell/disk/stored-results.ts';
import { QuiesceError } from '../../../wording/messages/messages.ts';
import { firstIssue } from '../first-issue.ts';

/** The version that this program writes and reads. */
const VERSION: ResultVersion = 1;

/** The types of results as a JSON Schema, published with the package; from `src/jobs` and from `dist/jobs` alike. */
const SCHEMA = new URL('../../../../schema/result.v1.schema.json', import.meta.url);

/** Of all that is measured bytes have the largest figures. Sums of figures that can be are numbers, too. */
const figure = z.number().min(-MOST_BYTES).max(MOST_BYTES);
const source = z.object({
  commit: z.string().regex(/^[0-9a-f]{7,64}$/i),
  ref: z.string().optional(),
  modified: z.boolean().optional(),
});
const conditions = z.looseObject({
  sentence: z.string(),
  device: z.looseObject({ name: z.string() }),
  network: z.looseObject({ name: z.string() }).optional(),
  cpu: z.number(),
  view: z.string(),
  userAgent: z.string().optional(),
  locale: z.string().optional(),
  timezone: z.string().optional(),
  geolocation: z.looseObject({ latitude: z.number(), longitude: z.number() }).optional(),
});
const target = z.looseObject({
  target: z.string(),
  name: z.string().optional(),
  url: z.string(),
  step: z.string().optional(),
  conditions: conditions.optional(),
  title: z.string().optional(),
  source: source.optional(),
  ownMetrics: z
    .array(
      z.looseObject({
        name: z.string().regex(OWN_NAME),
        from: z.string(),
        unit: z.enum(['ms', 'bytes', 'count', 'score']),
        better: z.enum(['lower', 'higher']),
      }),
    )
    .optional(),
  runs: z.array(
    z.looseObject({
      role: z.string(),
      ok: z.boolean(),
      excluded: z.string().optional(),
      metrics: z.record(z.string(), figure).optional(),
      host: z.looseObject({ verdict: z.string() }).optional(),
    }),
  ),
});
const header = {
  startedAt: z.iso.datetime(),
  tool: z.looseObject({ version: z.string() }),
  browser: z.looseObject({ product: z.string(), sandbox: z.boolean().optional() }),
  settings: z.record(z.string(), z.unknown()),
  source: source.optional(),
  shard: z.looseObject({ index: z.int(), of: z.int() }).optional(),
  merged: z.looseObject({ shards: z.array(z.looseObject({ index: z.int(), startedAt: z.string() })) }).optional(),
};
const server = {
  url: z.string(),
  levels: z.array(z.looseObject({ concurrency: figure })),
  max: z.looseObject({ throughput: figure.positive(), low: figure.optional(), high: figure.optional() }).optional(),
  knee: z.looseObject({ concurrency: figure.positive() }).optional(),
  limit: z.string(),
  findings: z.array(z.looseObject({ code: z.string() })),
};
/** What a trend reads of a result. */
const measured = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('capacity'),
    ...header,
    ...server,
    interrupted: z.boolean().optional(),
    load: z.string(),
    engine: z.string(),
    shared: z.boolean(),
    candidate: z.looseObject(server).optional(),
  }),
  z.looseObject({ kind: z.literal('audit'), ...header, targets: z.array(target) }),
  z.looseObject({ kind: z.literal('compare'), ...header, base: target, candidate: target }),
]);
/** The same of a comparison of several pages. */
const measuredPages = z.looseObject({
  ...header,
  targets: z.array(z.looseObject({ settings: header.settings, base: target, candidate: target })),
});

/**
 * A stored audit, comparison or capacity as far as a trend reads it.
 *
 * @throws QuiesceError with one line for a file that is none.
 */
export async function readMeasured(found: FoundResult): Promise<Stored | CapacityResult> {
  const value = await readKind(found, ['audit', 'capacity', 'compare']);
  const result = (isOfPages(value) ? measuredPages : measured).safeParse(value);
  if (!result.success) throw refused('result-broken', found, result.error);
  // The schema holds what is read; nothing else of it is.
  return result.data as unknown as Stored | CapacityResult;
}

/**
 * A stored audit, analysis or comparison, checked against all of its types: reports read every part of it.
 *
 * @throws QuiesceError with one line for a file that is none.
 */
export async function readComplete(found: FoundResult): Promise<AuditResult | ComparePagesResult | CompareResult> {
  return (await readChecked(found, ['audit', 'analysis', 'compare'])) as
    | AuditResult
    | ComparePagesResult
    | CompareResult;
}

/**
 * The same, or the capacity of a server.
 *
 * @throws QuiesceError with one line for a file that is none.
 */
export async function readReported(found: FoundResult): Promise<ReportedResult> {
  const kinds = ['audit', 'analysis', 'capacity', 'compare'] as const;
  return (await readChecked(found, kinds)) as ReportedResult;
}

type ReportedResult = AuditResult | CapacityResult | ComparePagesResult | CompareResult;

/** Is it a comparison of several pages? */
const isOfPages = ({ kind, targets }: KnownResult): boolean => kind === 'compare' && Array.isArray(targets);

async function readChecked(found: FoundResult, kinds: readonly Kind[]): Promise<unknown> {
  const value = await readKind(found, kinds);
  return checked(value, isOfPages(value) ? 'ComparePagesResult' : (TYPES[value.kind] ?? 'AuditResult'), found);
}

const TYPES: Readonly<Record<string, StoredType>> = { capacity: 'CapacityResult', compare: 'CompareResult' };

/** What of a stored result can be checked by itself. */
export type StoredType =
  | 'AuditResult'
  | 'CapacityResult'
  | 'CodeProfile'
  | 'ComparePagesResult'
  | 'CompareResult'
  | 'Coverage'
  | 'Evidence'
  | 'MainThread'
  | 'RunResult'
  | 'TargetResult';

/**
 * The value, when it is of that type.
 *
 * @throws QuiesceError `result-broken` when it is not.
 */
export async function checked(value: unknown, type: StoredType, found: FoundResult): Promise<unknown> {
  const result = (await schemaOf(type)).safeParse(value);
  if (!result.success) throw refused('result-broken', found, result.error);
  return result.data;
}

const schemas = new Map<StoredType, Promise<z.ZodType>>();

/** The schema of a type, as it is published. */
export function schemaOf(type: StoredType): Promise<z.ZodType> {
  const known = schemas.get(type) ?? readSchema(type);
  schemas.set(type, known);
  return known;
}

async function readSchema(type: StoredType): Promise<z.ZodType> {
  const schema = JSON.parse(await readFile(SCHEMA, 'utf8')) as {
    readonly $schema: string;
    readonly definitions: Record<string, unknown>;
  };
  return z.fromJSONSchema({
    // Where definitions stand depends on the draft.
    $schema: schema.$schema,
    $ref: `#/definitions/${type}`,
    definitions: schema.definitions,
  } as Parameters<typeof z.fromJSONSchema>[0]);
}

type Kind = (AuditResult | CapacityResult | CompareResult)['kind'];

/** The value of a file when it is a result of one of these kinds, of our version. */
async function readKind(found: FoundResult, kinds: readonly Kind[]): Promise<KnownResult> {
  const text = await readResultText(found);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused('result-not-json', found, error);
  }
  return ofKind(value, kinds, found);
}

/** A value that says of itself to be a result. */
export interface KnownResult {
  readonly kind: string;
  readonly [key: string]: unknown;
}

/**
 * The value, when it says to be a result of one of these kinds, of our version.
 *
 * @throws QuiesceError with one line when it does not.
 */
export function ofKind(value: unknown, kinds: readonly Kind[], found: FoundResult): KnownResult {
  const known = z.looseObject({ kind: z.string(), version: z.number(), tool: z.looseObject({ name: z.string() }) });
  const result = known.safeParse(value);
  if (!result.success || result.data.tool.name !== 'quiesce') throw refused('result-foreign', found, result.error);
  const { version, kind } = result.data;
  if (version !== VERSION) {
    throw new QuiesceError('result-version', { path: found.name, detail: `version ${version}` });
  }
  if (!kinds.some((each) => each === kind)) throw new QuiesceError('result-kind', { path: found.name, detail: kind });
  return result.data;
}

/** The error for a file that is not what it should be, as zod or JSON's parser found it. */
export function refused(
  code: 'result-foreign' | 'result-broken' | 'result-not-json',
  { name }: FoundResult,
  cause: unknown,
): QuiesceError {
  return new QuiesceError(code, { path: name, detail: firstIssue(cause) }, { cause });
}
