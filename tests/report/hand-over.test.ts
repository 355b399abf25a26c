import { expect, test } from 'vitest';
import type { TargetReport } from '../../src/model/result/report.ts';
import { commandOf } from '../../src/report/command.ts';
import { fixToHandOver, regressionToHandOver } from '../../src/report/hand-over.ts';
import { writeMarkdown } from '../../src/reporters/markdown/write.ts';
import type { Problem } from '../../src/result/fixes.ts';
import { comparisonReport } from '../reporters/comparison.ts';
import { exampleReport, exampleTarget } from '../reporters/example-report.ts';

const HERO = 'https://cdn.shop.example/hero-1280.webp';
const PLACE = {
  url: 'https://shop.example/app.3f2a1b9c.js',
  line: 1,
  column: 900,
  source: { file: 'src/carousel.ts', line: 12, column: 3 },
};

/** The example, in which a source map tells the line that asks for the picture. */
function withPlace(target: TargetReport): TargetReport {
  const { representative } = target;
  if (representative?.criticalPath === undefined) throw new Error('the example has a path');
  const { rest, steps } = representative.criticalPath;
  const [first] = steps;
  if (first === undefined || first.cause === 'work') throw new Error('it begins with the page');
  const asked = { ...first, url: HERO, place: PLACE };
  return { ...target, representative: { ...representative, criticalPath: { rest, steps: [...steps, asked] } } };
}

test('a fix says what, who, where, in which chain, and how to check it', () => {
  const target = withPlace(exampleTarget());
  const fix: Problem = {
    code: 'late-discovery',
    message: 'The browser learns of this file only from another file.',
    urls: [HERO],
    savesMs: 120,
    about: HERO,
    who: 'front-end',
    alternatives: [],
  };
  const { settings } = exampleReport().result;
  expect(writeMarkdown(fixToHandOver(fix, target, { ...settings, network: 'slow-4g' }))).toBe(
    [
      '**`https://cdn.shop.example/hero-1280.webp`: Preload files the browser discovers late** (−120 ms, front end)',
      'The browser learns of this file only from another file.',
      'Where',
      '- `https://cdn.shop.example/hero-1280.webp`, requested by `src/carousel.ts:12`',
      'Critical path: `the page → app.20c9.js → /api/products → /api/reviews → hero-1280.webp`',
      'Check it with `quiesce audit https://shop.example/ --network slow-4g`',
    ].join('\n\n'),
  );
  const theirs = { ...fix, who: 'third-party', about: 'Google Tag Manager' } as const;
  expect(writeMarkdown(fixToHandOver(theirs, target, {}))).toContain('third party: Google Tag Manager');
});

test('a regression says why, in which chain, and how to compare again', () => {
  expect(writeMarkdown(regressionToHandOver(comparisonReport({ outcome: 'slower' })) ?? [])).toBe(
    [
      '**The candidate is slower. Page complete is 8.5% slower (6.6% to 10.4%).**',
      'Why',
      [
        '- renderGrid (`app.3f2a1b9c.js:12`) +41 ms (37–45 ms)',
        '- `hero-1280.webp` +30 ms (26–34 ms) requested later, by `carousel.js`, which is new, instead of the page',
        '- reviews +28 ms (24–32 ms) its server answers later',
        '- not explained: 18 ms',
      ].join('\n'),
      'Critical path: `the page → app.20c9.js → /api/products → /api/reviews`',
      'Check it with `quiesce compare ./dist-base ./dist-candidate`',
    ].join('\n\n'),
  );
  expect(regressionToHandOver(comparisonReport({ outcome: 'faster' }))).toBeUndefined();
  // A side with something of its own is called after it, and typed without it.
  const report = comparisonReport({ outcome: 'slower' });
  const settings = { ...report.result.settings, targets: ['./dist', './dist'], candidateQuery: 'flag=on' };
  const own = regressionToHandOver({ ...report, result: { ...report.result, settings } });
  expect(JSON.stringify(own)).toContain('quiesce compare ./dist ./dist --candidate-query flag=on');
});

test('a command is one that a shell reads as it was meant', () => {
  const usual = { device: 'desktop', network: 'none', cpu: 1, view: 'cold', header: ['cookie: secret'] };
  expect(commandOf('audit', ['https://shop.example/a?b=1&c=2'], usual)).toBe(
    "quiesce audit 'https://shop.example/a?b=1&c=2'",
  );
  expect(commandOf('audit', ['$(rm -rf /)', "it's"], { device: 'iPhone 15', cpu: 4 })).toBe(
    `quiesce audit '$(rm -rf /)' 'it'\\''s' --device 'iPhone 15' --cpu 4`,
  );
  expect(commandOf('compare', ['a', 'b'], { baseRef: 'main', build: 'npm run build', dist: 'dist' })).toBe(
    "quiesce compare --base-ref main --build 'npm run build' --dist dist",
  );
  const flag = { candidateQuery: 'flag=on', baseBlock: ['*/a.js', '*/b.js'], candidateHeader: ['X-Flag: [redacted]'] };
  expect(commandOf('compare', ['https://a.test/', 'https://a.test/'], flag)).toBe(
    "quiesce compare https://a.test/ https://a.test/ --candidate-query flag=on --base-block '*/a.js' --base-block '*/b.js' --candidate-header 'X-Flag: [redacted]'",
  );
  const served = { serveCommand: 'npm start', serveUrl: 'http://localhost:{port}', pages: ['/cart'] };
  expect(commandOf('compare', [], { baseRef: 'main', ...served, storageState: 'auth.json' })).toBe(
    "quiesce compare --base-ref main --serve-command 'npm start' --serve-url 'http://localhost:{port}' --pages /cart --storage-state auth.json",
  );
  expect(commandOf('audit', ['/cart'], { ...served, pages: [{ url: '/cart' }] })).toBe(
    "quiesce audit /cart --serve-command 'npm start' --serve-url 'http://localhost:{port}'",
  );
  expect(commandOf('compare', ['--out=/etc', './-b'], { cpu: 4 })).toBe('quiesce compare --cpu 4 -- --out=/etc ./-b');
});
