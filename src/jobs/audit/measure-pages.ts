import { roundOrder } from '../../core/experiment/round-order.ts';
import type { Progress } from '../../model/result/progress.ts';
import { createUntimedOverlap } from '../engine/evidence/untimed-overlap.ts';
import { attempt, type Problem } from '../engine/problem.ts';
import type { Sources } from '../engine/source.ts';
import { type AuditContext, AuditedPage } from './audited-page.ts';
import type { Page } from './pages.ts';
import type { ServerUnderTest } from './server.ts';

/** The pages of an audit, and what they are loaded from. */
export interface PagesToMeasure {
  readonly pages: readonly Page[];
  /** Which state of the source each was built from. */
  readonly sources: Sources;
  /** The server under test; absent when Quiesce did not start one. */
  readonly server: ServerUnderTest | undefined;
  onProgress(event: Progress): void;
}

/**
 * Measures all pages. What cannot be gone on with (the browser does not come up again, the disk is full, the server under
 * test has ended) joins the problems: what was measured stands.
 *
 * @param audited takes each page before its first load, in the order of the list
 */
export async function measurePages(
  { pages, sources, server, onProgress }: PagesToMeasure,
  audited: AuditedPage[],
  problems: Problem[],
  context: AuditContext,
): Promise<void> {
  const isOver = (): boolean => {
    const lost = server?.lost();
    if (lost && !problems.includes(lost)) problems.push(lost);
    return context.signal.aborted || lost !== undefined;
  };
  const closing: (() => Promise<void>)[] = [];
  try {
    for (const [i, page] of pages.entries()) {
      const { name, folder } = page.target;
      const { url, close } = await page.target.open();
      closing.push(close);
      if (folder !== undefined) onProgress({ kind: 'serving', target: name, url });
      const place = { name: page.name ?? name, index: i + 1, of: pages.length };
      const source = sources.targets[i];
      audited.push(new AuditedPage(page, { url, ...(pages.length > 1 && { place }), source }, context));
    }
    await attempt(problems, () => loadInRounds(audited, isOver, context));
    await attempt(problems, async () => {
      for (const [i, page] of audited.entries()) {
        if (pages.length > 1) onProgress({ kind: 'settling', index: i + 1, of: pages.length });
        await page.settle();
      }
    });
    await attempt(problems, async () => {
      for (const page of audited) if (!isOver()) await page.inspect();
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** Each page by itself first, then rounds of all, so that no page has the quiet hours to itself. */
async function loadInRounds(
  audited: readonly AuditedPage[],
  isOver: () => boolean,
  context: AuditContext,
): Promise<void> {
  const tellAhead = (): void => {
    const loads = audited.reduce((sum, { loadsAhead }) => sum + loadsAhead, 0);
    const within = audited.reduce((sum, { timeLeft }) => sum + timeLeft, 0);
    context.onProgress({ kind: 'loads-ahead', loads, atMost: false, within });
  };
  const untimed = createUntimedOverlap(audited, context, context.signal, (page, turn) => page.begin(turn));
  try {
    for (const i of audited.keys()) {
      if (isOver()) return;
      tellAhead();
      await untimed.result(i);
    }
  } finally {
    await untimed.close();
  }
  const rounds = Math.max(...audited.map(({ page }) => page.loading.runs));
  for (let round = 1; round <= rounds; round++) {
    for (const [order, which] of roundOrder(audited.length, round).entries()) {
      const page = audited[which];
      if (isOver()) return;
      if (!page?.takesPart(round)) continue;
      tellAhead();
      await page.load(round, audited.length > 1 ? order : undefined);
    }
  }
}
