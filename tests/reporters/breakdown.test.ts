import fc from 'fast-check';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it, test } from 'vitest';
import type { CompareReport, TargetReport } from '../../src/model/result/report.ts';
import type { CriticalPath, WorkStep } from '../../src/model/result/result.ts';
import { criticalPath as criticalPathChapter } from '../../src/report/audit/critical-path.ts';
import { paths } from '../../src/report/compare/paths.ts';
import {
  chainInWords,
  lengthOf,
  longestFirst,
  pathSentence,
  pieceInWords,
  piecesOf,
} from '../../src/report/critical-path.ts';
import { pairPaths } from '../../src/report/path-pairs.ts';
import { WhereTimeWentPart } from '../../src/reporters/html/critical-path/where-time-went.tsx';
import { writePlain } from '../../src/reporters/plain.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { wordsIn } from '../support/visible-text.ts';
import { criticalPath, longPath, shopPath } from './breakdown.ts';
import { comparisonReport } from './comparison.ts';
import { exampleReport, exampleTarget } from './example-report.ts';

fc.configureGlobal({ seed: 20251122 });

const EVIL = '</script><img src=x onerror=alert(1)>\u202e"\'';

/** The example's target with a critical path. */
function targetWith(path: CriticalPath): TargetReport {
  const target = exampleTarget();
  return { ...target, ...targetRunOf(target, path) };
}

/** A run that stands for a target, with another path. */
function targetRunOf(
  { representative }: TargetReport,
  path: CriticalPath | undefined,
): Pick<TargetReport, 'representative'> {
  if (representative === undefined) throw new Error('a run stands for it');
  const { criticalPath: _known, ...run } = representative;
  return { representative: { ...run, ...(path && { criticalPath: path }) } };
}

function rendered(target: TargetReport): string {
  const part = WhereTimeWentPart({ target, report: exampleReport(), pictures: new Map(), id: 't1', analysis: false });
  return part === undefined ? '' : renderToString(part);
}

const html = (path: CriticalPath): string => rendered(targetWith(path));

const url = 'https://a.test/next';
const of = (parts: Parameters<typeof criticalPath>[0][number], rest = 0) =>
  pathSentence(criticalPath([{ url: 'https://a.test/', wait: 10 }, parts], rest));

it('the sentence on top, and pieces and chains in words, are approved', () =>
  expectApproved(
    'reports/critical-path',
    outlined({
      'a shop that waits for its reviews': pathSentence(shopPath),
      'before a request': of({ url, delay: 70, wait: 20 }),
      'meanwhile others came': of({
        url,
        delay: 70,
        wait: 20,
        meanwhile: ['https://a.test/api/items?n=1', 'https://a.test/b.json'],
      }),
      'waiting for a connection': of({ url, wait: 90, queued: 80 }),
      downloading: of({ url, wait: 10, receive: 180 }),
      'after the last': of({ url, wait: 10 }, 180),
      'a redirect': of({ url, wait: 50, because: 'redirected', reason: { code: 'redirected' } }),
      'a page that replaced another': of({
        url,
        wait: 50,
        because: 'replaced /',
        reason: { code: 'replaced', by: { url: 'https://a.test/', isPage: false } },
      }),
      'before the page': pathSentence(criticalPath([{ url: 'https://a.test/', delay: 90, wait: 10 }])),
      'no piece stands out': pathSentence(longPath),
      'no time': [pathSentence(criticalPath([{ url: 'https://a.test/' }])), pathSentence({ steps: [], rest: 0 })],
      'nothing shows what led to it': of({
        url,
        delay: 70,
        wait: 20,
        cause: 'unknown',
        because: 'started 70 ms after hero.png ended; nothing shows that one led to the other',
      }),
      'what took long is no matter of what led there': of({
        url,
        wait: 80,
        reason: { code: 'after', by: { url: 'https://a.test/hero.png', isPage: false } },
        because: 'started 70 ms after hero.png ended; nothing shows that one led to the other',
      }),
      'work before a request': pathSentence(workPath()),
      'work before the end': pathSentence(workPath(false)),
      'work and its pieces': piecesOf(workPath()).map((piece) => pieceInWords(workPath(), piece)),
      'work in a chain': chainInWords(workPath()),
      pieces: piecesOf(shopPath).map((piece) => pieceInWords(shopPath, piece)),
      chains: [
        chainInWords(
          criticalPath([{ url: 'https://a.test/' }, { url: 'https://a.test/hero.png' }, { url, cause: 'unknown' }]),
        ),
        chainInWords(shopPath),
        chainInWords(longPath),
      ],
    }),
  ));

/** Of 400 ms a script ran for 180, before a request or before the end. */
function workPath(beforeRequest = true): CriticalPath {
  const { steps } = criticalPath([
    { url: 'https://a.test/', wait: 10 },
    { url: 'https://a.test/theme.css', type: 'stylesheet', wait: 110 },
    { url, delay: 190, wait: 90 },
  ]);
  const [document, style, request] = steps;
  if (!document || !style || !request) throw new Error('the path has three requests');
  const work: WorkStep = {
    cause: 'work',
    category: 'scriptEvaluation',
    place: { url: 'https://a.test/vendor.js', line: 3, column: 1, function: 'build' },
    startedAt: 125,
    endsAt: 305,
    delay: 5,
    work: 180,
    because: 'ran build (vendor.js:3)',
  };
  return beforeRequest
    ? { steps: [document, style, work, { ...request, delay: 5 }], rest: 0 }
    : { steps: [document, style, work], rest: 10 };
}

describe('pieces', () => {
  it('tile the path, longest first where that is asked', () => {
    const anyStep = fc.record({
      delay: fc.nat(500),
      wait: fc.nat(500),
      receive: fc.nat(500),
      url: fc.constant('https://a.test/x'),
    });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 8 }), fc.nat(500), (steps, rest) => {
        const path = criticalPath(steps, rest);
        const pieces = piecesOf(path);
        let at = 0;
        for (const { from, to } of pieces) {
          expect(from).toBe(at);
          expect(to).toBeGreaterThan(from);
          at = to;
        }
        expect(at).toBe(lengthOf(path));
        const lengths = longestFirst(path).map(({ from, to }) => to - from);
        expect(lengths).toEqual(lengths.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe('in the page', () => {
  it('work has a row of its own, and what nothing led to is muted', () => {
    const markup = html(workPath());
    expect(wordsIn(markup)).toContain('Main thread at work 180 ms');
    expect(wordsIn(markup)).toContain('The page ran build (vendor.js:3) before it requested /next');
    expect(wordsIn(markup)).toContain('These 3 requests decided');
    const because = 'started 70 ms after hero.png ended; nothing shows that one led to the other';
    const unknown = criticalPath([
      { url: 'https://a.test/', wait: 10 },
      { url, wait: 80, cause: 'unknown', because },
    ]);
    expect(html(unknown)).toContain('<li class="path-step unknown">');
    expect(html(unknown)).toMatch(/<small class="unknown">started 70\sms after/);
    expect(wordsIn(html(unknown))).toContain('In italics: why it started when it did is not known.');
  });

  test('a long chain folds, and no step is lost', () => {
    const markup = html(longPath);
    expect(markup.match(/class="path-step"/g)).toHaveLength(61);
    const open = markup.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(open.match(/class="path-step"/g)?.length).toBeLessThan(30);
    expect(wordsIn(markup)).toMatch(/\d+ more steps, \d+ ms in all/);
  });

  test('a chain of one, and no chain at all', () => {
    expect(wordsIn(html(criticalPath([{ url: 'https://a.test/', wait: 10 }])))).toContain('One request decided');
    const { criticalPath: _, ...run } = targetWith(shopPath).representative ?? {};
    const without = { ...targetWith(shopPath), representative: run } as TargetReport;
    expect(rendered(without)).toBe('');
  });

  test('what the page says is text', () => {
    const markup = html(
      criticalPath([
        { url: `https://a.test/${EVIL}`, wait: 10 },
        { url: `x${EVIL.repeat(3_000)}`, wait: 90, because: EVIL },
      ]),
    );
    expect(markup).not.toContain('<img');
    expect(markup).not.toContain('\u202e');
    expect(markup).not.toMatch(/ style=/);
    expect(markup.length).toBeLessThan(40_000);
  });
});

const pathOf = (target: TargetReport) => {
  const { result, columns } = exampleReport();
  const [figure] = criticalPathChapter({ target, result, columns, analysis: false, detail: 'normal' });
  return figure?.kind === 'figure' ? figure.title : undefined;
};

test('nothing is told of a path that is not known', () => {
  expect(pathOf({ ...targetWith(shopPath), representative: undefined } as unknown as TargetReport)).toBeUndefined();
});

describe('the chains of two builds', () => {
  const url = (path: string): string => `https://a.test${path}`;
  it('stand side by side where they ask for the same, whatever a build called it', () => {
    const base = criticalPath([{ url: url('/') }, { url: url('/app.1f3c.js') }, { url: url('/api?x=1') }]);
    const candidate = criticalPath([
      { url: 'https://b.test/' },
      { url: url('/app.99aa02bc.js') },
      { url: url('/session') },
      { url: url('/api?x=2') },
    ]);
    expect(
      pairPaths(base, candidate).map((pair) => [pair.name, pair.base !== undefined, pair.candidate !== undefined]),
    ).toEqual([
      ['the page', true, true],
      ['app.99aa02bc.js', true, true],
      ['/session', false, true],
      ['/api', true, true],
    ]);
  });

  it('are a part of a comparison where both are known', () => {
    const report = comparisonReport();
    const ours = (path: CriticalPath | undefined): CompareReport => ({
      ...report,
      base: { ...report.base, ...targetRunOf(report.base, shopPath) },
      candidate: { ...report.candidate, ...targetRunOf(report.candidate, path) },
    });
    const part = (path: CriticalPath | undefined): string => writePlain(paths(ours(path), 'all')).join('\n');
    const slower = criticalPath([{ url: 'https://shop.example/', wait: 160, receive: 62 }]);
    expect(part(slower)).toMatch(
      /the page, base 210 ms, candidate 222 ms, change \+12 ms\n.* 643 ms, candidate –, change only in the base/s,
    );
    expect(part(undefined)).toBe('');
    expect(part(longPath)).toMatch(/\d+ steps that took about the same are left out/);
  });

  it('lose no step', () => {
    const anyPath = fc
      .array(fc.constantFrom('/a', '/b', '/c', '/d'), { maxLength: 12 })
      .map((paths) => criticalPath(paths.map((path) => ({ url: url(path) }))));
    fc.assert(
      fc.property(anyPath, anyPath, (base, candidate) => {
        const pairs = pairPaths(base, candidate);
        expect(pairs.flatMap((pair) => pair.base ?? [])).toEqual(base.steps);
        expect(pairs.flatMap((pair) => pair.candidate ?? [])).toEqual(candidate.steps);
      }),
    );
  });
});

test('a path says of which run it is, where the median is of none', () => {
  const title = (median: number) => {
    const target = targetWith(shopPath);
    const { pageComplete } = target.result.summary;
    if (pageComplete === undefined) throw new Error('the example has a time');
    const summary = { ...target.result.summary, pageComplete: { ...pageComplete, median } };
    return pathOf({ ...target, result: { ...target.result, summary } });
  };
  expect(title(lengthOf(shopPath))).toBe('Critical path');
  expect(title(lengthOf(shopPath) + 90)).toMatch(/^Critical path of run \d$/);
});
