import type { JudgedHar } from '../../src/index.ts';

/** No page takes longer, ms, and none transfers more, bytes. */
const MOST = 1e12;

/** What is wrong with the figures of a judged file, whatever is in the file; undefined when all can be. */
export function checkJudged({ pages, faults }: JudgedHar): string | undefined {
  for (const { pageComplete, metrics, background } of pages) {
    const { state, at } = pageComplete;
    if (state === 'complete' && (at === undefined || !can(at))) return `complete at ${at}`;
    for (const [name, figure] of Object.entries(metrics)) if (!can(figure)) return `${name} of ${figure}`;
    for (const { cost, firstStartedAt, lastActivityAt, period } of background) {
      for (const figure of [firstStartedAt, lastActivityAt])
        if (!Number.isFinite(figure)) return `background at ${figure}`;
      for (const figure of [cost, period])
        if (figure !== undefined && !Number.isFinite(figure)) return `a cost of ${figure}`;
    }
    if (/\bNaN\b|\[object Object\]|Infinity/.test(JSON.stringify(pageComplete))) return 'a figure that is none';
  }
  return faults.find((fault) => /\bNaN\b|\[object Object\]|\n/.test(fault)) && 'a fault that is no sentence';
}

const can = (figure: number | undefined): boolean =>
  figure === undefined || (Number.isFinite(figure) && figure >= 0 && figure < MOST);
