import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/report.ts';
import type { Evidence } from '../../src/model/result.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { stepColumns } from '../../src/reporters/html/compare/compare-evidence.tsx';
import { filmAxis, placeOn } from '../../src/reporters/html/film/film-axis.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { placeLabels } from '../../src/reporters/html/waterfall/geometry.ts';
import { filmMarks, type StripFrame, stripOf, thereFrom } from '../../src/reporters/visual.ts';
import { comparisonReport } from './comparison.ts';
import { drawn } from './example-pictures.ts';
import { exampleReport, reportOf, type TargetSketch } from './example-report.ts';

/** The example with something else about its first target. */
function exampleWith(change: (target: TargetSketch) => Partial<TargetSketch>, settings: Record<string, unknown> = {}) {
  const report = exampleReport();
  const [first] = report.targets;
  if (first === undefined) throw new Error('the example has a target');
  const { result, ...rest } = first;
  const sketch = { ...result, ...rest };
  const made = reportOf({ ...sketch, ...change(sketch) });
  return { ...made, result: { ...made.result, settings: { ...made.result.settings, ...settings } } };
}

/** The part of a page with that title, and the words of it. */
function partOf(html: string, title: string): { readonly markup: string; readonly text: string } {
  const markup = html.slice(html.indexOf(`>${title}</h3>`)).split('</section')[0] ?? '';
  const text = markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  return { markup, text };
}
const looked = (report: AuditReport) => partOf(renderHtml(report), 'What it looked like');

function evidenceOf(sketch: TargetSketch): Evidence {
  if (sketch.evidence === undefined) throw new Error('the example has evidence');
  return sketch.evidence;
}

describe('the filmstrip', () => {
  const html = renderHtml(exampleReport());
  const { markup, text } = partOf(html, 'What it looked like');

  test('shows its frames in order of time, each with its share and what happened in it', () => {
    const frames = [...markup.matchAll(/<li>[\s\S]*?<\/li>/g)].map(([frame]) =>
      (/<figcaption>([\s\S]*)<\/figcaption>/.exec(frame)?.[1] ?? '').replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
    );
    expect(frames.map((each) => each.trim())).toEqual([
      '0 ms 0%',
      '2.00 s 0%',
      '4.00 s 11% first contentful paint 2.92 s',
      '6.00 s 64%',
      '8.00 s 90%',
      '10.00 s 100% page complete 8.80 s after data from GET /api/stock?* arrived 9.41 s',
      '14.23 s the end of watching 14.23 s',
    ]);
    expect(markup).toContain(
      'aria-label="The page at 4.00 s, 11% of the final page is visible: first contentful paint"',
    );
    expect(markup).toContain('<a class="picture" href="evidence/01b-hero.png">');
  });

  test('says that its times are those of a run of its own', () => {
    expect(text).toContain('One more load, which is not timed, filmed the page for 14.23 s: a poll every 1.00 s');
    expect(text).toContain('Filming slows a page down');
  });

  test('tells its curve in words, with the figures read off it', () => {
    expect(markup).toContain(
      'aria-label="Visual progress: 50% at 5.21 s, 85% at 6.11 s, 100% at 8.74 s. FCP at 2.92 s, ',
    );
    expect(text).toMatch(/Speed Index 6\.01 s .*85% visible 6\.11 s .*All visible 8\.74 s/);
    expect(text).toContain('how much of the page as it was at page complete was visible');
  });

  test('holds each picture once, however often it is shown', () => {
    const urls = [...html.matchAll(/<image [^>]*href="(data:[^"]+)"/g)].map(([, url]) => url);
    expect(new Set(urls).size).toBe(urls.length);
    expect(html.match(/<use href="#picture-\d+"/g)?.length).toBeGreaterThan(urls.length);
    expect(html).not.toContain('<img');
    for (const [, id] of html.matchAll(/<use href="#(picture-\d+)"/g)) {
      expect(html.match(new RegExp(`id="${id}"`, 'g'))).toHaveLength(1);
    }
  });

  test('of a page that never was complete measures against the end', () => {
    const { text: never } = looked(
      exampleWith(({ runs }) => ({
        runs: runs.map((run) =>
          run.role === 'evidence' && run.pageComplete
            ? { ...run, pageComplete: { ...run.pageComplete, state: 'never' } }
            : run,
        ),
      })),
    );
    expect(never).toContain('of the page as it was at the end of watching was visible');
    expect(never).not.toContain('page complete 8.80 s page complete');
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

  test('that is not there is said, with what would give it', () => {
    const bare = (settings: Record<string, unknown>) => {
      const made = exampleWith(() => ({}), settings);
      const strip = ({ evidence: _, ...rest }: AuditReport['result']['targets'][number]) => rest;
      return looked({ ...made, targets: made.targets.map((each) => ({ ...each, result: strip(each.result) })) }).text;
    };
    expect(bare({})).toContain('No run could film the page');
    expect(bare({ evidence: false })).toContain('(--no-evidence). Without that option one more load');
  });

  test('says when no run blocked the suspects', () => {
    const { text: unproved } = looked(
      exampleWith(
        (sketch) => {
          const { ablation: _, ...rest } = evidenceOf(sketch);
          return { evidence: rest };
        },
        { ablation: false },
      ),
    );
    expect(unproved).toContain('No run blocked the suspects (--no-ablation)');
  });

  test.each([
    ['is not there', undefined],
    ['is an address', 'https://other.example/x.png'],
    ['is a drawing', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['is broken', 'data:image/png;base64,AAAA'],
  ])('links a picture that %s', (_, url) => {
    const page = renderHtml(
      exampleWith(() => ({ pictures: url === undefined ? {} : { 'evidence/01-first-paint.png': url } })),
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
    const { markup: part } = partOf(page, 'What it looked like');
    expect(part.match(/<li>/g)).toHaveLength(12);
    expect(part).not.toContain('<script');
    expect(part).not.toMatch(/[\u202e]|NaN/);
  });
});

describe('two filmstrips in step', () => {
  const html = renderComparisonHtml(comparisonReport());
  const { markup, text } = partOf(html, 'What both builds looked like');

  test('have a column for each time at which either changed, on one axis', () => {
    const times = [...markup.matchAll(/<th scope="col">([^<]+)<\/th>/g)].map(([, time]) => time);
    expect(times).toEqual(['0 ms', '2.90 s', '3.12 s', '5.21 s', '5.60 s', '8.74 s', '9.41 s', '10.12 s']);
    const rows = [...markup.matchAll(/<tr\b[\s\S]*?<\/tr>/g)].slice(1).map(([row]) => row.match(/<td/g)?.length);
    expect(rows).toEqual([8, 8]);
    expect(text).toContain('as before');
  });

  test('have both curves in one drawing, which are not told apart by colour alone', () => {
    expect(markup.match(/class="curve"/g)).toHaveLength(1);
    expect(markup).toMatch(/aria-label="Visual progress of the base: [^"]* Visual progress of the candidate: /);
    expect(text).toContain('base: page complete 8.80 s');
    expect(text).toMatch(/Speed Index 6\.01 s Base 6\.46 s Candidate/);
    expect(text).toContain('These times do not affect the decision');
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
  expect(placeOn(axis, 540)).toBe(42);
  expect(placeOn(axis, 20_000)).toBe(100);
  expect(placeOn(axis, 99_000)).toBe(100);
  expect(placeOn(filmAxis(1000, 1100), 1100)).toBe(100);
  expect(placeOn(filmAxis(0, 0), 5)).toBe(100);
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
