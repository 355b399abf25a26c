import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { axisOf } from '../../src/reporters/html/waterfall/geometry.ts';
import { shownWaterfall } from '../../src/reporters/html/waterfall/table/rows.ts';
import { wrap } from '../../src/reporters/terminal/columns.ts';
import { exampleReport, reportOf, shopWaterfall, type TargetSketch } from './example-report.ts';

/**
 * Two places of one report that say different things cost the trust in both. Others are tested where they are made: medians
 * beside a change of the other sign and raw names of settings in `first-screen`, a machine that is free and busy in `trend`,
 * two exit codes of one result in `one-exit-code`, a failed request that "had come" in `breakdown`.
 */
describe('a report does not contradict itself', () => {
  const words = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/[\s\u00a0]+/g, ' ');

  /** The example, complete at this time in the run that is shown, network idle at that. */
  function reportAt(at: number, idle?: number): string {
    const [target] = exampleReport().targets;
    const answer = target?.representative?.pageComplete;
    if (target?.representative === undefined || answer === undefined) throw new Error('the example is complete');
    const { result, representative, waterfalls, ...rest } = target;
    const raw = idle === undefined ? answer.raw : { state: 'complete' as const, at: idle };
    const own = { ...representative, pageComplete: { ...answer, at, raw } };
    const summary = { ...result.summary, pageComplete: { unit: 'ms' as const, n: 5, median: at } };
    const sketch: TargetSketch = {
      ...result,
      ...rest,
      summary,
      runs: result.runs.map((run) => (run.index === own.index ? own : run)),
      representative: own,
      waterfalls: waterfalls.map((waterfall) => ({
        ...waterfall,
        milestones: waterfall.milestones.map((each) => (each.name === 'page-complete' ? { ...each, at } : each)),
      })),
    };
    return words(renderHtml(reportOf(sketch)));
  }

  test('one time is the same figure in the heading of the waterfall and at its line', () => {
    const text = reportAt(559.478);
    expect(text).toContain('page complete: 559 ms');
    expect(text).toMatch(/page complete 559 ms/);
    expect(text).not.toMatch(/page complete:? 560 ms/);
  });

  test('a time is not said to be instead of itself', () => {
    const alike = reportAt(6_250.1, 6_252);
    expect(alike).toContain('If all of it counted (network idle): no later');
    expect(alike).not.toContain('6.25 s instead of 6.25 s');
    expect(reportAt(6_250, 7_000)).toContain('If all of it counted (network idle): 7.00 s instead of 6.25 s');
  });

  test('no line is faster than its network: 1.44 Mbit/s are 180 kB/s, however the bytes come in bursts', () => {
    // Chrome hands over what came in pieces: half a second's bytes in spans of 50 ms.
    const bytes = Array.from({ length: 100 }, (_, span) => (span % 10 === 0 ? 90_000 : 0));
    const waterfall = { ...shopWaterfall(1), bandwidth: { step: 50, bytes } };
    const { wire } = shownWaterfall(waterfall, axisOf(waterfall));
    expect(wire?.peak).toBe(180_000);
  });

  test('a figure keeps its unit where a line of the terminal ends', () => {
    for (let width = 10; width < 40; width += 1) {
      for (const line of wrap('between 41% faster and 2.5% slower, 97 ms or 2 B each, at 1.44 Mbit/s', width)) {
        expect(line).not.toMatch(/^(%|ms|B|Mbit\/s)\b/);
      }
    }
  });
});
