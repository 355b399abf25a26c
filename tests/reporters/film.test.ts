import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import type { Evidence } from '../../src/model/result/result.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { stepColumns } from '../../src/reporters/html/compare/compare-evidence.tsx';
import { filmAxis, placeOn } from '../../src/reporters/html/film/film-axis.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { placeLabels } from '../../src/reporters/html/waterfall/geometry.ts';
import { filmMarks, type StripFrame, stripOf, thereFrom } from '../../src/reporters/visual.ts';
import { partInWords, partOf } from '../support/visible-text.ts';
import { comparisonReport } from './comparison.ts';
import { drawn } from './example-pictures.ts';
import { exampleReport, exampleWith, type TargetSketch } from './example-report.ts';

/** A part of a page, as markup and in words. */
const partsOf = (html: string, title: string) => ({ markup: partOf(html, title), text: partInWords(html, title) });
const looked = (report: AuditReport) => partsOf(renderHtml(report), 'Film');

function evidenceOf(sketch: TargetSketch): Evidence {
  if (sketch.evidence === undefined) throw new Error('the example has evidence');
  return sketch.evidence;
}

describe('the filmstrip', () => {
  const html = renderHtml(exampleReport());

  test('holds each picture once, however often it is shown', () => {
    const urls = [...html.matchAll(/<image [^>]*href="(data:[^"]+)"/g)].map(([, url]) => url);
    expect(new Set(urls).size).toBe(urls.length);
    expect(html.match(/<use href="#picture-\d+"/g)?.length).toBeGreaterThan(urls.length);
    expect(html).not.toContain('<img');
    expect(html).toContain('<a class="picture" href="evidence/01b-hero.png">');
    for (const [, id] of html.matchAll(/<use href="#(picture-\d+)"/g)) {
      expect(html.match(new RegExp(`id="${id}"`, 'g'))).toHaveLength(1);
    }
  });

  test('of a page that drew nothing has one frame and no curve', () => {
    const { markup: blank, text: said } = looked(
      exampleWith((sketch) => {
        const { progress: _, speedIndex: __, ...rest } = evidenceOf(sketch);
        return {
          runs: sketch.runs.filter(({ role }) => role !== 'evidence'),
          evidence: {
            ...rest,
            film: [{ at: 0, file: 'evidence/00-blank.png' }],
            pictures: [{ at: 9000, file: 'evidence/00-blank.png', caption: 'the end of watching' }],
          },
        };
      }),
    );
    expect(blank.match(/<li>/g)).toHaveLength(1);
    expect(blank).not.toContain('class="curve"');
    expect(said).not.toMatch(/Speed Index|NaN|undefined/);
  });

  test('of a result that kept no film is made of its pictures', () => {
    const { markup: old } = looked(
      exampleWith((sketch) => {
        const { film: _, progress: __, ...rest } = evidenceOf(sketch);
        return { evidence: rest };
      }),
    );
    // The last two moments look the same.
    expect(old.match(/<li>/g)).toHaveLength(3);
  });

  test.each([
    ['is not there', undefined],
    ['is an address', 'https://other.example/x.png'],
    ['is a drawing', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['is broken', 'data:image/png;base64,AAAA'],
  ])('links a picture that %s', (_, url) => {
    const page = renderHtml(
      exampleWith(() => ({
        pictures: Object.fromEntries(url === undefined ? [] : [['evidence/01-first-paint.png', url]]),
      })),
    );
    expect(page).not.toContain('<image');
    expect(page).toContain('<a href="evidence/01-first-paint.png">evidence/01-first-paint.png</a>');
  });

  test('links what is beyond a page’s weight', () => {
    const heavy = (shade: number) => {
      const url = drawn([], [shade, 0, 0]);
      return `${url.slice(0, -24)}${'A'.repeat(2_000_000)}${url.slice(-24)}`;
    };
    const files = ['a', 'b', 'c', 'd'].map((name) => `evidence/${name}.png`);
    const page = renderHtml(
      exampleWith(() => ({
        evidence: {
          watchedUntil: 1,
          watchedBecause: '',
          pictures: files.map((file, i) => ({ at: i, file, caption: file })),
        },
        pictures: Object.fromEntries(files.map((file, i) => [file, heavy(i * 9)])),
      })),
    );
    expect(page.match(/<image /g)).toHaveLength(2);
    expect(page).toContain('<a href="evidence/c.png">');
  });

  test('of a hostile result is bounded, and opens nothing', () => {
    const evil = '</svg><script>alert(1)</script>\u202e';
    const page = renderHtml(
      exampleWith((sketch) => ({
        evidence: {
          ...evidenceOf(sketch),
          film: Array.from({ length: 5000 }, (_, i) => ({ at: i, file: `../${evil}${i}`, progress: Number.NaN })),
          progress: [{ at: Number.NaN, share: Number.POSITIVE_INFINITY }],
          pictures: [{ at: Number.NEGATIVE_INFINITY, file: '__proto__', caption: evil }],
        },
      })),
    );
    const { markup: part } = partsOf(page, 'Film');
    expect(part.match(/<li>/g)).toHaveLength(12);
    expect(part).not.toContain('<script');
    expect(part).not.toMatch(/[\u202e]|NaN/);
  });
});

describe('two filmstrips in step', () => {
  const html = renderComparisonHtml(comparisonReport());
  const { markup } = partsOf(html, 'What both builds looked like');

  test('have a column for each time at which either changed, on one axis', () => {
    const times = [...markup.matchAll(/<th scope="col">([^<]+)<\/th>/g)].map(([, time]) => time);
    expect(times).toEqual(['0 ms', '2.90 s', '3.12 s', '5.21 s', '5.60 s', '8.74 s', '9.41 s', '10.12 s']);
    const rows = [...markup.matchAll(/<tr\b[\s\S]*?<\/tr>/g)].slice(1).map(([row]) => row.match(/<td/g)?.length);
    expect(rows).toEqual([8, 8]);
  });

  test('have both curves in one drawing', () => {
    expect(markup.match(/class="curve"/g)).toHaveLength(1);
  });

  const strip = (...times: readonly (readonly [at: number, progress: number, caption?: string])[]): StripFrame[] =>
    times.map(([at, progress, caption]) => ({
      at,
      file: `${at}.png`,
      progress,
      moments: caption === undefined ? [] : [{ at, caption }],
    }));

  test('take changes that lie close together into one column, but never two of one build', () => {
    const columns = stepColumns(
      { base: strip([0, 0], [500, 0.5], [510, 0.6]), candidate: strip([0, 0], [512, 1]) },
      1000,
    );
    expect(columns.map(({ at, base, candidate }) => [at, base?.frame.at, candidate?.frame.at])).toEqual([
      [0, 0, 0],
      [500, 500, 0],
      [512, 510, 512],
    ]);
    expect(columns.map(({ base, candidate }) => [base?.isNew, candidate?.isNew])).toEqual([
      [true, true],
      [true, false],
      [true, true],
    ]);
  });

  test('leave out the least when there are too many', () => {
    const base = strip([0, 0], [100, 0.1], [200, 0.5], [300, 0.52, 'page complete'], [400, 1]);
    expect(stepColumns({ base, candidate: [] }, 1000, 4).map(({ at }) => at)).toEqual([0, 200, 300, 400]);
  });

  test('may lack one build', () => {
    const columns = stepColumns({ base: [], candidate: strip([10, 0]) }, 100);
    expect(columns).toEqual([{ at: 10, candidate: { frame: strip([10, 0])[0], isNew: true } }]);
    expect(stepColumns({ base: [], candidate: [] }, 0)).toEqual([]);
  });
});

test('a moment stands at the frame that shows it, also when that picture comes back', () => {
  const film = [
    { at: 0, file: 'a', progress: 0 },
    { at: 100, file: 'b', progress: 1 },
    { at: 200, file: 'a' },
  ];
  const pictures = [
    { at: 90, file: 'b', caption: 'paint' },
    { at: 900, file: 'a', caption: 'end' },
    { at: 50, file: 'c', caption: 'stray' },
  ];
  const strip = stripOf({ watchedUntil: 1, watchedBecause: '', film, pictures });
  expect(strip.map(({ file, moments }) => [file, moments.map(({ caption }) => caption)])).toEqual([
    ['a', []],
    ['c', ['stray']],
    ['b', ['paint']],
    ['a', ['end']],
  ]);
});

test('a share was there from when it stayed', () => {
  const progress = [
    { at: 0, share: 0 },
    { at: 10, share: 0.9 },
    { at: 20, share: 0.4 },
    { at: 30, share: 1 },
  ];
  expect(thereFrom(progress, 0.3)).toBe(10);
  expect(thereFrom(progress, 0.85)).toBe(30);
  expect(thereFrom(progress.slice(0, 3), 0.85)).toBeUndefined();
  expect(thereFrom(undefined, 0.85)).toBeUndefined();
  expect(filmMarks(undefined)).toEqual([]);
});

test('an axis is to scale as far as the load goes, and holds the rest', () => {
  const axis = filmAxis(1000, 20_000);
  expect(placeOn(axis, 0)).toBe(0);
  expect(placeOn(axis, 540)).toBeCloseTo(0.42, 4);
  expect(placeOn(axis, 20_000)).toBe(1);
  expect(placeOn(axis, 99_000)).toBe(1);
  expect(placeOn(filmAxis(1000, 1100), 1100)).toBe(1);
  expect(placeOn(filmAxis(0, 0), 5)).toBe(1);
  expect(placeOn(filmAxis(Number.NaN, Number.POSITIVE_INFINITY), Number.NaN)).toBe(0);
});

test('labels of marks never touch, whatever their order and the width', () => {
  const wide = 326;
  const rooms = [[60, 90, 100, 240], [10, 12, 14, 16], [300, 310, 320], [50, 200, 200, 201, 230], []];
  for (const total of [wide, 1200]) {
    for (const places of rooms) {
      const labels = places.map((at, i) => ({ at: (at / wide) * total, width: 60 + i * 30 }));
      const placed = placeLabels(labels, wide);
      const spans = placed.map(({ lane, toLeft }, i) => {
        const { at, width } = labels[i] ?? { at: 0, width: 0 };
        return { lane, from: toLeft ? at - width : at, to: toLeft ? at : at + width };
      });
      for (const [i, a] of spans.entries()) {
        for (const b of spans.slice(i + 1)) expect(a.lane === b.lane && a.from < b.to && b.from < a.to).toBe(false);
      }
    }
  }
});
