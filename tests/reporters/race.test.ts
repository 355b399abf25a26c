import { describe, expect, test } from 'vitest';
import { BUILDS, type PerBuild } from '../../src/model/compare/build.ts';
import type { CompareReport, TargetReport } from '../../src/model/result/report.ts';
import type { Evidence } from '../../src/model/result/result.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { raceOf } from '../../src/reporters/race.ts';
import { drawRace } from '../../src/reporters/race-drawing.ts';
import { comparisonReport } from './comparison.ts';
import { drawn } from './example-pictures.ts';

/** Frames at times, and when the filmed load was complete. */
interface Film {
  readonly at: readonly number[];
  readonly complete: number | undefined;
}

const PICTURE = drawn([], [200, 210, 220], 40, 25);

/** A comparison with these medians, whose builds were filmed so. */
function filmed(films: PerBuild<Film>, medians: PerBuild<number>): CompareReport {
  const report = comparisonReport();
  const side = (target: TargetReport, { at, complete }: Film): TargetReport => {
    const film = at.map((each, i) => ({ at: each, file: `evidence/${i}.png`, progress: i / at.length }));
    const last = { at: complete ?? 0, file: 'evidence/done.png', caption: 'page complete', moment: 'page-complete' };
    const evidence = {
      watchedUntil: 9000,
      watchedBecause: '',
      film,
      pictures: complete === undefined ? [] : [last],
    } as Evidence;
    const [run] = target.result.runs;
    if (run === undefined) throw new Error('the example has runs');
    const pageComplete = {
      ...(complete === undefined ? { state: 'never' as const } : { state: 'complete' as const, at: complete }),
      observedUntil: 9000,
      raw: { state: 'never' as const },
      waitingFor: [],
    };
    const runs = [...target.result.runs.filter(({ role }) => role !== 'evidence')];
    return {
      ...target,
      pictures: Object.fromEntries([...film, last].map(({ file }) => [file, PICTURE])),
      result: { ...target.result, evidence, runs: [...runs, { ...run, role: 'evidence', ok: true, pageComplete }] },
    };
  };
  const comparisons = report.result.comparisons.map((each) =>
    each.metric === 'pageComplete'
      ? {
          ...each,
          base: { ...each.base, median: medians.base },
          candidate: { ...each.candidate, median: medians.candidate },
        }
      : each,
  );
  return {
    ...report,
    result: { ...report.result, comparisons },
    base: side(report.base, films.base),
    candidate: side(report.candidate, films.candidate),
  };
}

const usual = () =>
  filmed(
    { base: { at: [0, 500, 2100], complete: 1000 }, candidate: { at: [0, 300], complete: 600 } },
    { base: 800, candidate: 1200 },
  );

describe('a race', () => {
  test('ends as the comparison does, though each film is of one load', () => {
    const race = raceOf(usual());
    expect(race?.length).toBe(1200);
    expect(race?.lanes.map(({ finish }) => finish)).toEqual([800, 1200]);
    expect(race?.lanes.map(({ frames }) => frames.map(({ at }) => at))).toEqual([
      [0, 400, 800],
      [0, 600, 1200],
    ]);
    expect(race?.lanes.map(({ frames }) => frames.at(-1)?.file)).toEqual(['evidence/done.png', 'evidence/done.png']);
  });

  test.each([
    [20, 0.02],
    [600, 0.2],
    [1300, 0.5],
    [2000, 1],
    [10_000, 1],
    [15_000, 2],
    [90_000, 10],
    [900_000, 20],
  ])('of %i ms is played %f times as fast', (length, speed) => {
    const film = { at: [0, 5], complete: 10 };
    expect(raceOf(filmed({ base: film, candidate: film }, { base: length / 2, candidate: length }))?.speed).toBe(speed);
  });

  test('goes on until the other build is complete where one never is', () => {
    const race = raceOf(
      filmed(
        { base: { at: [0, 500], complete: 1000 }, candidate: { at: [0, 400, 5000], complete: undefined } },
        { base: 1000, candidate: 0 },
      ),
    );
    expect(race?.length).toBe(1000);
    expect(race?.lanes[1]?.finish).toBeUndefined();
    expect(race?.lanes[1]?.frames.map(({ at }) => at)).toEqual([0, 400, 1000]);
  });

  test('shows the frames in which the most changed where there are many', () => {
    const many = { at: Array.from({ length: 40 }, (_, i) => i * 10), complete: 400 };
    const race = raceOf(filmed({ base: many, candidate: many }, { base: 400, candidate: 400 }), 5);
    expect(race?.lanes.map(({ frames }) => frames.length)).toEqual([5, 5]);
    expect(race?.lanes[0]?.frames[0]?.at).toBe(0);
  });

  test('needs two films and an end', () => {
    const film = { at: [0, 5], complete: 10 };
    const open = { at: [0, 5], complete: undefined };
    const report = usual();
    const { evidence: _, ...unfilmed } = report.base.result;
    expect(raceOf({ ...report, base: { ...report.base, result: unfilmed } })).toBeUndefined();
    expect(raceOf(filmed({ base: open, candidate: open }, { base: 0, candidate: 0 }))).toBeUndefined();
    expect(raceOf(filmed({ base: film, candidate: film }, { base: Number.NaN, candidate: 20 }))?.length).toBe(20);
  });
});

describe('in the report', () => {
  const figureOf = (report: CompareReport): string =>
    /<figure class="race">[\s\S]*?<\/figure>/.exec(renderComparisonHtml(report))?.[0] ?? '';

  test('frames come one after the other on one clock, and the bars run as long as the loads took', () => {
    const figure = figureOf(usual());
    // 1.2 s, half as fast, and two seconds of rest.
    expect(new Set(figure.match(/dur="[^"]+"/g))).toEqual(new Set(['dur="4.4s"']));
    expect(figure).toContain('keyTimes="0;0.3636;1"');
    expect([...figure.matchAll(/keyTimes="0;([\d.]+)"/g)].map(([, at]) => at)).toEqual(
      // Half of the way, complete, and the frame around what is complete: of each build.
      ['0.1818', '0.3636', '0.3636', '0.2727', '0.5455', '0.5455'],
    );
    expect(figure).toContain('values="0%;66.667%;66.667%"');
    expect(figure).toContain('played 2 times slower');
  });

  test('it stands still where nothing may move, with its end', () => {
    const stills = [...figureOf(usual()).matchAll(/<g class="still">(.*?)<\/g>/g)].map(([, still = '']) => still);
    expect(stills).toHaveLength(BUILDS.length);
    for (const still of stills) expect(still).not.toContain('animate');
    expect(figureOf(usual())).toMatch(/<button type="button" class="race-play" hidden>/);
  });

  test('it leads to the file for comments where there is one', () => {
    expect(figureOf({ ...usual(), race: 'race.png' })).toContain('href="race.png"');
    expect(figureOf(usual())).not.toContain('href="race');
  });

  test('pictures stand side by side where a frame is missing', () => {
    const report = usual();
    const { 'evidence/1.png': _, ...others } = report.base.pictures ?? {};
    const html = renderComparisonHtml({ ...report, base: { ...report.base, pictures: others } });
    expect(html).not.toContain('class="race"');
    expect(html).toContain('class="both-pictures"');
  });
});

describe('as a drawing', () => {
  const race = raceOf(usual());
  if (race === undefined) throw new Error('there is a race');
  const picture = () => ({ url: PICTURE, width: 40, height: 25 });

  test('the bars grow with the time, and whoever is complete says when', () => {
    const bars = (at: number) =>
      [...drawRace(race, at, picture, 300).matchAll(/width="(\d+)" height="8" rx="4" fill="(#59616a|#1d5fb0)"/g)].map(
        ([, width]) => Number(width),
      );
    expect(bars(0)).toEqual([]);
    expect(bars(600)).toEqual([150, 150]);
    expect(bars(1200)).toEqual([200, 300]);
    const done = (at: number) => drawRace(race, at, picture, 300).match(/stroke="#0b6655"/g)?.length ?? 0;
    expect([799, 800, 1200].map(done)).toEqual([0, 1, 2]);
  });

  test('every letter of it has strokes', () => {
    const letters = (text: string): number => [...text.replaceAll(/\s/g, '')].length;
    const paths = drawRace(race, 1200, picture, 300).match(/<path /g)?.length;
    expect(paths).toBe(letters('Base 800 ms Candidate 1.20 s'));
    const figures = raceOf(
      filmed(
        { base: { at: [0, 5], complete: 10 }, candidate: { at: [0, 5], complete: 10 } },
        { base: 3456, candidate: 7890 },
      ),
    );
    const drawing = figures && drawRace(figures, 7890, picture, 300);
    expect(drawing?.match(/<path /g)?.length).toBe(letters('Base 3.46 s Candidate 7.89 s'));
  });
});
