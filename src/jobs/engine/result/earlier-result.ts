import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Lab } from '../../../model/recording/lab.ts';
import { capacityFormats, fileFormats, trendFormats } from '../../../reporters/formats.ts';
import type { Writing } from '../../../settings/resolved.ts';
import { realPath } from '../../../shell/disk/real-path.ts';
import { indexResult, readPart } from '../../../shell/disk/result-index.ts';
import { writeFailed } from '../../../shell/disk/store.ts';
import { fileInside } from '../../../shell/disk/stored-file.ts';
import { LOG_FILES, RACE_FILE, RESULT_FILE, SHARD_FILE } from '../../../shell/disk/stored-results.ts';
import { QuiesceError } from '../../../wording/messages/messages.ts';
import { type StoredKind, storedName } from '../../../wording/text/text.ts';
import { pageFiles } from '../reports/audit-reports.ts';

/** Removes the files of the result that was there before, but for these paths. Rejects with the `QuiesceError` `write-failed`. */
export type ClearEarlier = (kept?: readonly string[]) => Promise<void>;

/** A job's browser in whose folder an earlier result is: it stays until the browser has started. */
export interface ClearingLab {
  lab(): Promise<Lab>;
  /** The browser never started: what is in the folder is still the earlier result. */
  hasEarlier(): boolean;
}

/** Clears the folder once the browser has started: what can be refused has been by then. */
export function clearingLab(lab: () => Promise<Lab>, clearEarlier: ClearEarlier | undefined): ClearingLab {
  let cleared: Promise<void> | undefined;
  return {
    async lab() {
      const started = await lab();
      cleared ??= clearEarlier?.();
      await cleared;
      return started;
    },
    hasEarlier: () => clearEarlier !== undefined && cleared === undefined,
  };
}

/** Names that are listed in a message. */
const MAX_NAMES = 3;

/**
 * Finds the result that an earlier job has left in a folder; undefined where there is none. Nothing is removed before the function that it gives is called.
 * Files that the result does not list are never removed, and neither are those behind links.
 *
 * @param job whether it writes anything, and whether it may write into a folder that holds files and no result
 * @throws QuiesceError `out-foreign` for a folder that it may not write into
 */
export async function earlierResult(
  folder: string,
  { formats, force }: Pick<Writing<string>, 'formats' | 'force'>,
): Promise<ClearEarlier | undefined> {
  if (formats.length === 0) return undefined;
  const listed = [...(await filesOfTrend(folder)), ...(await filesOfResult(folder))];
  if (listed.length === 0) {
    if (!force) await refuseOthers(folder);
    return undefined;
  }
  return async (kept = []) => {
    const needed = new Set(await Promise.all(kept.map(realPath)));
    const folders = new Set<string>();
    for (const name of listed) {
      const file = await fileInside(folder, name);
      if (file === undefined || needed.has(file)) continue;
      await rm(file, { force: true }).catch((error: unknown) => {
        throw writeFailed(file, error);
      });
      if (path.dirname(name) !== '.') folders.add(path.dirname(file));
    }
    // Those that are not empty stay.
    for (const each of folders) await rmdir(each).catch(() => undefined);
  };
}

async function refuseOthers(folder: string): Promise<void> {
  // A hidden file is no content: .gitkeep, .DS_Store.
  // Neither are logs: where a server does not come up, there is nothing else.
  const others = (await readdir(folder)).filter((name) => !name.startsWith('.') && !LOG_FILES.includes(name)).sort();
  if (others.length === 0) return;
  const more = others.length > MAX_NAMES ? ', …' : '';
  throw new QuiesceError('out-foreign', { path: folder, detail: others.slice(0, MAX_NAMES).join(', ') + more });
}

const text = z.string().optional();
const files = z.array(z.looseObject({ file: text })).optional();
const target = z.looseObject({
  target: z.string(),
  url: z.string(),
  name: text,
  step: text,
  runs: z.array(z.looseObject({ har: text })),
  evidence: z
    .looseObject({
      pictures: files,
      film: files,
      ablation: z.looseObject({ pictures: z.record(z.string(), z.unknown()) }).optional(),
    })
    .optional(),
  mainThread: z.looseObject({ trace: text }).optional(),
  lighthouse: z.looseObject({ report: text }).optional(),
});
const ours = z.looseObject({
  kind: z.string(),
  tool: z.looseObject({ name: z.literal('quiesce') }),
  settings: z.looseObject({ format: z.array(z.string()).optional() }),
});
const result = ours.extend({
  shard: z.unknown().optional(),
  base: target.optional(),
  candidate: z.unknown().optional(),
});

/** What a result lists, itself last; nothing where there is none of Quiesce. A file that cannot be read as one is none. */
async function filesOfResult(folder: string): Promise<readonly string[]> {
  const file = await fileInside(folder, RESULT_FILE);
  if (file === undefined) return [];
  const found = { name: file, path: file };
  try {
    const index = await indexResult(found);
    const { kind, settings, shard, base, candidate } = result.parse(JSON.parse(index.head));
    const targets = base && kind === 'compare' ? [base, target.parse(candidate)] : [];
    if (kind === 'compare' && base === undefined) {
      const pages: string[] = [];
      for (const part of index.targets) pages.push(...filesOfPage(JSON.parse(await readPart(found, part))));
      return [...new Set([...pages, ...reports(fileFormats, settings.format), RESULT_FILE])];
    }
    for (const part of index.targets) targets.push(target.parse(JSON.parse(await readPart(found, part))));
    // An analysis names HARs that others have recorded.
    const own = targets.flatMap((each) => [...filesOfTarget(each), ...(kind === 'analysis' ? [] : hars(each))]);
    const formats = kind === 'capacity' ? capacityFormats : fileFormats;
    const pages = settings.format?.includes('html') ? pagesOf(targets) : [];
    const others = [
      ...(shard === undefined ? [] : [SHARD_FILE]),
      ...(kind === 'compare' ? [RACE_FILE, ...LOG_FILES] : []),
    ];
    return [...new Set([...own, ...pages, ...others, ...reports(formats, settings.format), RESULT_FILE])];
  } catch {
    return [];
  }
}

const comparedPage = z.looseObject({ folder: z.string(), base: target, candidate: target });

/** The files of one of several pages that were compared, in its folder. */
function filesOfPage(page: unknown): readonly string[] {
  const { folder, base, candidate } = comparedPage.parse(page);
  const report = storedName('page', `${folder}/index.html`);
  if (report === undefined) return [];
  const own = [base, candidate].flatMap((each) => [...filesOfTarget(each), ...hars(each)]);
  return [report, ...[...own, RACE_FILE].map((name) => `${folder}/${name}`)];
}

/** Of many pages each has a file of its own. */
function pagesOf(targets: readonly z.infer<typeof target>[]): readonly string[] {
  const pages = targets.filter(({ step }) => step === undefined);
  return pageFiles(pages.map(({ target: called, url, name }) => ({ target: called, url, name })));
}

async function filesOfTrend(folder: string): Promise<readonly string[]> {
  const name = trendFormats.find(({ format }) => format === 'json')?.file ?? '';
  const file = await fileInside(folder, name);
  if (file === undefined) return [];
  try {
    const { kind, settings } = ours.parse(JSON.parse(await readFile(file, 'utf8')));
    return kind === 'trend' ? [...reports(trendFormats, settings.format), name] : [];
  } catch {
    return [];
  }
}

/** The files of formats that were asked for, but for the result, which is removed last. */
function reports(
  formats: readonly { readonly format: string; readonly file: string }[],
  asked: readonly string[] = [],
): readonly string[] {
  return formats.flatMap(({ format, file }) => (format !== 'json' && asked.includes(format) ? [file] : []));
}

function filesOfTarget({ evidence, mainThread, lighthouse }: z.infer<typeof target>): readonly string[] {
  const { pictures = [], film = [], ablation } = evidence ?? {};
  const shown = [...pictures, ...film].map(({ file }) => file);
  return [
    ...stored('picture', [...shown, ...Object.values(ablation?.pictures ?? {})]),
    ...stored('trace', [mainThread?.trace]),
    ...stored('lighthouse', [lighthouse?.report]),
  ];
}

const hars = ({ runs }: z.infer<typeof target>): readonly string[] =>
  stored(
    'har',
    runs.map(({ har }) => har),
  );

/** A result may be a stranger's: only what Quiesce gives to files of this kind is a name. */
function stored(kind: StoredKind, names: readonly unknown[]): readonly string[] {
  return names.flatMap((name) => (typeof name === 'string' ? (storedName(kind, name) ?? []) : []));
}
