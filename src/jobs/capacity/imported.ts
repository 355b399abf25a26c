import type { ImportedLevel } from '../../core/capacity/import/imported-level.ts';
import { readImport } from '../../core/capacity/import/read-import.ts';
import { levelOf } from '../../core/capacity/level.ts';
import type { CapacityLevel } from '../../model/capacity.ts';
import type { ResolvedCapacity } from '../../settings/resolved.ts';
import { readText } from '../../shell/disk/read-pieces.ts';
import { whyUnreadable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** The longest file that is read, bytes: results are short, and logs are not results. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** What other tools measured, as levels. Rejects with `import-unreadable`. */
export async function importLevels({
  imports,
  levels: named,
  thinkTime,
}: Pick<ResolvedCapacity, 'imports' | 'levels' | 'thinkTime'>): Promise<{
  readonly tool: string;
  readonly levels: readonly CapacityLevel[];
}> {
  const found: { readonly level: ImportedLevel; readonly path: string }[] = [];
  const tools = new Set<string>();
  for (const path of imports) {
    const read = readImport(await contentOf(path));
    if ('problem' in read) throw new QuiesceError('import-unreadable', { path, detail: read.problem });
    tools.add(read.tool);
    for (const level of read.levels) found.push({ level, path });
  }
  const passes = new Map<number, ImportedLevel[]>();
  let unnamed = 0;
  for (const { level, path } of found) {
    const concurrency = level.concurrency ?? named?.[unnamed++];
    if (concurrency === undefined) {
      throw new QuiesceError('import-unreadable', {
        path,
        detail: 'it does not say how many connections were used: give them with --levels, in the order of the files',
      });
    }
    passes.set(concurrency, [...(passes.get(concurrency) ?? []), level]);
  }
  return {
    tool: [...tools].join(', '),
    levels: [...passes].map(([concurrency, all]) =>
      levelOf(
        { concurrency, thinkTime },
        all.map(({ figures }) => ({ figures })),
      ),
    ),
  };
}

async function contentOf(path: string): Promise<string> {
  const refuse = (detail: string, cause?: unknown) =>
    new QuiesceError('import-unreadable', { path, detail }, { cause });
  const content = await readText(path, process.stdin, { most: MAX_FILE_BYTES }).catch((error: unknown) => {
    throw refuse(whyUnreadable(error), error);
  });
  if (content.includes('\u0000')) throw refuse('it is not the result of a load test');
  return content;
}
