import { pageDifferencesOf } from '../../core/changes/page-differences.ts';
import type { StopReason } from '../../model/compare/comparison.ts';
import { noted } from '../engine/progress-events.ts';
import type { OpenBuilds } from './builds.ts';
import type { CompareContext } from './compare-context.ts';
import type { CompareWriter } from './compare-writer.ts';
import { type Comparison, resultOf, sidesOf } from './comparison.ts';
import { createProving, moveBuilds, type Proving, type ToProve } from './prove-builds.ts';

/**
 * Proves both builds, or goes on where an interrupted comparison was. Gives a reason to stop when a build cannot be measured.
 *
 * @param prove how, where other pages are proved meanwhile
 */
export async function beginComparison(
  builds: OpenBuilds,
  comparison: Comparison,
  writer: Pick<CompareWriter, 'saveHead'>,
  context: CompareContext,
  prove = () => proveAlone({ builds, comparison, context }),
): Promise<StopReason | undefined> {
  const { onProgress } = context;
  if (sidesOf(comparison)) {
    onProgress(noted({ code: 'resumed', blocks: comparison.blocks.length }));
    moveBuilds(builds.urls, comparison);
    return undefined;
  }
  const stopped = await prove();
  if (stopped) return stopped;
  await writer.saveHead();
  const differences = pageDifferencesOf(resultOf('base', comparison), resultOf('candidate', comparison));
  for (const difference of differences) onProgress(noted({ code: 'page-difference', difference }));
  return undefined;
}

async function proveAlone(page: ToProve): ReturnType<Proving['prove']> {
  const proving = createProving([page]);
  try {
    return await proving.prove(0);
  } finally {
    await proving.close();
  }
}
