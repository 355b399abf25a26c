import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownCausesOf, movedCauses } from '../../../src/core/causes/lookup.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { criticalPathOf, criticalRequestsOf } from '../../../src/core/path/critical-path.ts';
import { defined } from '../../../src/core/text/defined.ts';
import { toMicroseconds } from '../../../src/core/time/time.ts';
import type { RequestCause } from '../../../src/model/background/request-reason.ts';
import type { Verdict } from '../../../src/model/background/verdict.ts';
import type { ShownCause } from '../../../src/model/completion/causes.ts';
import type { Work } from '../../../src/model/main-thread.ts';
import type { Mark, Request } from '../../../src/model/network/timeline.ts';
import type { KnownOfPage, Visit } from '../../../src/model/network/visit.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import type { CriticalPathFacts } from '../../../src/model/result/run-facts.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';
import { leastPartOf, requestsOf, sumOf, workIn } from '../../support/path-steps.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

// The same cases in every run: a red build must be about the change, not about luck.
fc.configureGlobal({ seed: 20251122 });

const SITE = 'https://example.com';

/** What is complete when the last of the requests has ended, unless it is said when. */
function visit(
  requests: readonly Request[],
  parts: {
    readonly at?: number;
    readonly networkAt?: number;
    readonly marks?: readonly Mark[];
    readonly background?: readonly string[];
    readonly longTasks?: NonNullable<Recording['page']>['longTasks'];
    readonly longFrames?: NonNullable<Recording['page']>['longFrames'];
    readonly work?: readonly Work[];
    readonly known?: KnownOfPage;
    readonly causes?: readonly ShownCause[];
  } = {},
): Visit {
  const needed = requests.filter(({ id }) => !parts.background?.includes(id));
  const networkAt = parts.networkAt ?? Math.max(0, ...needed.map(({ endedAt }) => endedAt ?? 0));
  const verdicts = (parts.background ?? []).map(
    (requestId): Verdict => ({ requestId, kind: 'poll', reason: { code: 'web-transport' }, confidence: 'certain' }),
  );
  return {
    recording: recording({
      navigation: { url: `${SITE}/`, startedAt: 0, browser: '', userAgent: '' },
      page: {
        finalUrl: `${SITE}/`,
        title: '',
        longTasks: parts.longTasks ?? [],
        longFrames: parts.longFrames ?? [],
        layoutShifts: [],
      },
      ...defined({ work: parts.work, causes: parts.causes }),
    }),
    timeline: timeline(requests, { marks: parts.marks ?? [] }),
    verdicts: new Map(verdicts.map((verdict) => [verdict.requestId, verdict])),
    overruled: new Map(),
    complete: { state: 'complete', at: parts.at ?? networkAt, networkAt, decidedAt: 9_000 },
    raw: { state: 'never', waitingFor: [] },
    ...defined({ known: parts.known }),
  };
}

const document = request({
  id: 'doc',
  type: 'document',
  mainDocument: true,
  url: `${SITE}/`,
  frameId: 'F',
  loaderId: 'doc',
  endedAt: 100,
});
const part = (id: string, parts: Parameters<typeof request>[0] = {}): Request =>
  request({ id, url: `${SITE}/${id}`, frameId: 'F', loaderId: 'doc', ...parts });
const byParser = (line: number) => ({ initiator: { type: 'parser', url: `${SITE}/`, line } }) as const;
const byScript = (name: string, line = 1) =>
  ({ initiator: { type: 'script', url: `${SITE}/${name}`, line, stack: [] } }) as const;

const by = (path: string) => ({ url: `${SITE}${path}`, isPage: false });
const PAGE = { url: `${SITE}/`, isPage: true };

const chain = (path: CriticalPathFacts | undefined): readonly string[] =>
  requestsOf(path).map(({ url }) => url.replace(`${SITE}/`, '/').replace(`${ORIGIN}/`, '/'));

describe('criticalPathOf', () => {
  it('says what came in a long pause, though nothing tells that it was waited for', () => {
    const path = criticalPathOf(
      visit([
        part('', { endedAt: 100, mainDocument: true, response: response({ at: 50 }) }),
        part('app.js', {
          startedAt: 80,
          endedAt: 200,
          type: 'script',
          response: response({ at: 180 }),
          ...byParser(7),
        }),
        part('products', { startedAt: 220, endedAt: 400, response: response({ at: 390 }), ...byScript('app.js') }),
        part('gone', {
          startedAt: 230,
          endedAt: 300,
          response: response({ at: 290, status: 404 }),
          ...byScript('app.js'),
        }),
        part('offers', {
          startedAt: 900,
          endedAt: 1_000,
          response: response({ at: 990 }),
          initiator: { ...byScript('app.js').initiator, scheduledBy: 'setTimeout' },
        }),
      ]),
    );
    expect(chain(path).at(-1)).toBe('/offers');
    expect(requestsOf(path).at(-1)?.meanwhile).toEqual([`${SITE}/products`]);
    expect(
      requestsOf(path)
        .slice(0, -1)
        .every(({ meanwhile }) => meanwhile === undefined),
    ).toBe(true);
  });

  it('waits until an answer is handed over, whatever an emulated network lets the wire say', () => {
    const held = part('', {
      startedAt: 0,
      endedAt: 600,
      mainDocument: true,
      response: response({ at: 590 }),
      timing: { requestedAt: 0, sendEnd: 1, headersStart: 30, headersEnd: 580 },
    });
    expect(criticalPathOf(visit([held]))?.steps).toMatchObject([{ delay: 0, wait: 580, receive: 20 }]);
  });

  it('goes from the document over a script to what that asked for, and tells the shares', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('app.js', {
          type: 'script',
          startedAt: 80,
          endedAt: 200,
          response: response({ at: 180 }),
          ...byParser(7),
        }),
        part('logo.png', { type: 'image', startedAt: 81, endedAt: 390, ...byParser(9) }),
        part('api', { startedAt: 230, endedAt: 400, response: response({ at: 390 }), ...byScript('app.js', 12) }),
      ]),
    );
    expect(path).toEqual({
      steps: [
        {
          method: 'GET',
          url: `${SITE}/`,
          type: 'document',
          startedAt: 0,
          endsAt: 100,
          delay: 0,
          wait: 50,
          // Until the next was asked for: the parser had read enough by then.
          receive: 30,
          reason: { code: 'navigation' },
        },
        {
          method: 'GET',
          url: `${SITE}/app.js`,
          type: 'script',
          startedAt: 80,
          endsAt: 200,
          delay: 0,
          wait: 100,
          cause: 'parser',
          place: { url: `${SITE}/`, line: 7 },
          receive: 20,
          reason: { code: 'parser', by: PAGE, line: 7 },
        },
        {
          method: 'GET',
          url: `${SITE}/api`,
          type: 'fetch',
          startedAt: 230,
          endsAt: 400,
          delay: 30,
          wait: 160,
          receive: 10,
          cause: 'script',
          place: { url: `${SITE}/app.js`, line: 12 },
          reason: { code: 'file', by: by('/app.js'), line: 12 },
        },
      ],
      rest: 0,
    });
  });

  it('takes every hop of a redirect, each asked for by the one before', () => {
    const path = criticalPathOf(
      visit([
        { ...document, id: 'doc', outcome: 'redirected', endedAt: 40, url: `${SITE}/old` },
        { ...document, id: 'doc:1', hop: 1, startedAt: 40, endedAt: 100 },
        part('pic', { type: 'image', startedAt: 110, endedAt: 200, outcome: 'redirected', ...byParser(3) }),
        { ...part('pic', { type: 'image', startedAt: 200, endedAt: 300 }), id: 'pic:1', hop: 1, url: `${SITE}/new` },
      ]),
    );
    expect(chain(path)).toEqual(['/old', '/', '/pic', '/new']);
    expect(requestsOf(path).map(({ reason }) => reason)).toEqual([
      { code: 'navigation' },
      { code: 'redirected' },
      { code: 'parser', by: PAGE, line: 3 },
      { code: 'redirected' },
    ]);
    expect(requestsOf(path).map(({ delay }) => delay)).toEqual([0, 0, 10, 0]);
  });

  it('a picture that comes once the page is parsed was put there by a script: nothing shows for what', () => {
    const parsed: Mark = { name: 'dom-content-loaded', at: 200 };
    const requests = [
      document,
      part('app.js', { type: 'script', startedAt: 90, endedAt: 180, ...byParser(3) }),
      part('list', { type: 'fetch', startedAt: 190, endedAt: 2_000, ...byScript('app.js') }),
      part('pic', { type: 'image', startedAt: 2_010, endedAt: 2_900, ...byParser(92) }),
    ];
    const urls = (marks: readonly Mark[]) =>
      criticalRequestsOf(visit(requests, { marks })).map(({ request }) => request.id);
    expect(urls([parsed])).toEqual(['doc', 'app.js', 'list', 'pic']);
    // While a script keeps the parser, too: what stands in a document is found as soon as that has come.
    expect(urls([{ ...parsed, at: 2_500 }])).toEqual(['doc', 'app.js', 'list', 'pic']);
    expect(urls([])).toEqual(['doc', 'app.js', 'list', 'pic']);
    expect(requestsOf(criticalPathOf(visit(requests, { marks: [parsed] }))).at(-1)).toMatchObject({
      cause: 'unknown',
      reason: { code: 'after', by: by('/list'), since: 10 },
    });
  });

  it('a picture that is found with its document, or in the part that has come, waited for nothing else', () => {
    const found = (from: number, page: Request) =>
      criticalRequestsOf(
        visit([
          page,
          part('app.js', { type: 'script', startedAt: 70, endedAt: from - 5, ...byParser(3) }),
          part('pic', { type: 'image', startedAt: from, endedAt: 2_900, ...byParser(92) }),
        ]),
      ).map(({ request }) => request.id);
    expect(found(120, document)).toEqual(['doc', 'pic']);
    expect(found(2_010, document)).toEqual(['doc', 'app.js', 'pic']);
    expect(found(2_010, { ...document, endedAt: 2_005 })).toEqual(['doc', 'pic']);
  });

  it('finds who asked for a font, and the other style sheet that held it up', () => {
    const css = (id: string, line: number, endedAt: number, priority = 'VeryHigh') =>
      part(id, { type: 'stylesheet', startedAt: 80, endedAt, priority, ...byParser(line) });
    const font = (startedAt: number) =>
      part('f.woff2', {
        type: 'font',
        startedAt,
        endedAt: 400,
        initiator: { type: 'parser', url: `${SITE}/a.css` },
      });
    expect(chain(criticalPathOf(visit([document, css('a.css', 3, 200), font(205)])))).toEqual([
      '/',
      '/a.css',
      '/f.woff2',
    ]);
    const held = criticalPathOf(visit([document, css('a.css', 3, 200), css('b.css', 4, 280), font(285)]));
    expect(chain(held)).toEqual(['/', '/b.css', '/f.woff2']);
    expect(requestsOf(held).at(-1)?.reason).toEqual({
      code: 'file',
      by: by('/a.css'),
      awaited: { ...by('/b.css'), failed: false },
    });
    // One that holds up nothing, as for print.
    const beside = visit([document, css('a.css', 3, 200), css('b.css', 4, 280, 'VeryLow'), font(285)]);
    expect(chain(criticalPathOf(beside))).toEqual(['/', '/a.css', '/f.woff2']);
  });

  it('knows of a script that asks again who asked, and not for which of its answers', () => {
    const answered = (headersEnd: number, endedAt: number) => ({ response: response({ at: headersEnd }), endedAt });
    const more = (parts: Partial<Request>) =>
      criticalPathOf(
        visit([
          document,
          part('app.js', { type: 'script', startedAt: 80, endedAt: 200, ...byParser(7) }),
          part('api/list', { startedAt: 210, ...answered(480, 500), ...byScript('app.js', 2) }),
          part('api/more', { startedAt: 505, ...answered(690, 700), ...byScript('app.js', 5), ...parts }),
        ]),
      );
    const { initiator } = byScript('app.js', 5);
    // Neither the moment tells it, nor that something was awaited.
    for (const parts of [{}, { startedAt: 481 }, { initiator: { ...initiator, scheduledBy: 'await' } }]) {
      expect(chain(more(parts))).toEqual(['/', '/app.js', '/api/more']);
      expect(requestsOf(more(parts)).at(-1)).toMatchObject({
        cause: 'script',
        reason: { code: 'file', by: by('/app.js'), line: 5 },
      });
      expect(requestsOf(more(parts)).at(-1)?.reason.awaited).toBeUndefined();
    }
  });

  it('lets nothing hold up the import of a module, but what asked after it', () => {
    const imported = { initiator: { type: 'script', url: `${SITE}/app.js`, line: 2 } } as const;
    const path = criticalPathOf(
      visit([
        document,
        part('app.css', { type: 'stylesheet', startedAt: 80, endedAt: 205, ...byParser(4) }),
        part('app.js', { type: 'script', startedAt: 80, endedAt: 200, ...byParser(7) }),
        part('part.js', { type: 'script', startedAt: 206, endedAt: 300, ...imported }),
        part('api', { startedAt: 303, endedAt: 400, ...byScript('app.js', 5) }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/app.js', '/part.js', '/api']);
  });

  it('knows that a module waits for what it imports, however long it takes to run then', () => {
    const importedBy = (name: string) => ({ initiator: { type: 'script', url: `${SITE}/${name}`, line: 2 } }) as const;
    const path = (startedAt: number, asked: Request['initiator']) =>
      chain(
        criticalPathOf(
          visit([
            document,
            part('app.js', { type: 'script', startedAt: 80, endedAt: 200, ...byParser(7) }),
            part('part.js', { type: 'script', startedAt: 206, endedAt: 300, ...importedBy('app.js') }),
            part('deep.js', { type: 'script', startedAt: 306, endedAt: 400, ...importedBy('part.js') }),
            part('other.js', { type: 'script', startedAt: 80, endedAt: 210, ...byParser(8) }),
            part('far.js', { type: 'script', startedAt: 216, endedAt: 500, ...importedBy('other.js') }),
            part('api', { startedAt, endedAt: startedAt + 100, ...(asked && { initiator: asked }) }),
          ]),
        ),
      );
    const { initiator } = byScript('app.js', 5);
    expect(path(900, initiator)).toEqual(['/', '/app.js', '/part.js', '/deep.js', '/api']);
    // Where no stack was recorded, what looks like an import may have been put there by a script.
    const { stack: _, ...bare } = initiator;
    expect(path(900, bare)).toEqual(['/', '/app.js', '/api']);
  });

  it('does not go through what another frame had asked for', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('app.js', { type: 'script', startedAt: 80, endedAt: 200, ...byParser(7) }),
        part('ads', { frameId: 'G', startedAt: 210, endedAt: 300, ...byScript('app.js', 1) }),
        part('api', { startedAt: 302, endedAt: 400, ...byScript('app.js', 1) }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/app.js', '/api']);
  });

  it('follows a retry to what was in vain, which shows nothing', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('api', { startedAt: 120, endedAt: 200, response: response({ at: 190, status: 503 }), ...byScript('', 4) }),
        { ...part('api', { startedAt: 1_200, endedAt: 1_300, ...byScript('', 4) }), id: 'again' },
      ]),
    );
    expect(chain(path)).toEqual(['/', '/api', '/api']);
    expect(requestsOf(path).at(-1)).toMatchObject({
      cause: 'unknown',
      reason: { code: 'after', by: { ...by('/api'), failed: true }, since: 1_000 },
    });
  });

  it('knows that an inline script waits for the style sheets before it', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('a.css', { type: 'stylesheet', startedAt: 80, endedAt: 300, priority: 'VeryHigh', ...byParser(5) }),
        part('b.css', { type: 'stylesheet', startedAt: 80, endedAt: 303, priority: 'VeryHigh', ...byParser(40) }),
        part('api', { startedAt: 305, endedAt: 400, ...byScript('', 15) }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/a.css', '/api']);
  });

  it('knows that an inline script waits for the scripts before it, however long it takes to run then', () => {
    const path = (parts: Partial<Request>) =>
      chain(
        criticalPathOf(
          visit([
            document,
            part('lib.js', { type: 'script', startedAt: 80, endedAt: 300, ...byParser(5), ...parts }),
            part('api', { startedAt: 900, endedAt: 990, ...byScript('', 15) }),
          ]),
        ),
      );
    expect(path({ priority: 'Medium' })).toEqual(['/', '/lib.js', '/api']);
    expect(path({ priority: 'Low' })).toEqual(['/', '/api']);
  });

  it('puts a preflight before what it asks leave for', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('app.js', { type: 'script', startedAt: 80, endedAt: 200, ...byParser(7) }),
        part('api', { startedAt: 210, endedAt: 500, response: response({ at: 480 }), ...byScript('app.js', 3) }),
        {
          ...part('pre', { startedAt: 211, endedAt: 350, type: 'preflight', method: 'OPTIONS' }),
          url: `${SITE}/api`,
          initiator: { type: 'preflight', requestId: 'api' },
        },
      ]),
    );
    expect(requestsOf(path).map(({ method, reason }) => [method, reason])).toEqual([
      ['GET', { code: 'navigation' }],
      ['GET', { code: 'parser', by: PAGE, line: 7 }],
      ['OPTIONS', { code: 'file', by: by('/app.js'), line: 3, preflight: true }],
      ['GET', { code: 'preflight-answered' }],
    ]);
    expect(
      requestsOf(path)
        .map(({ delay, wait, receive }) => [delay, wait, receive])
        .slice(2),
    ).toEqual([
      [11, 50, 89],
      [0, 130, 20],
    ]);
  });

  it('names a preload by who preloads', () => {
    const preload = part('hero.webp', {
      type: 'image',
      startedAt: 60,
      endedAt: 300,
      initiator: { type: 'preload', url: `${SITE}/`, line: 4 },
    });
    expect(requestsOf(criticalPathOf(visit([document, preload]))).at(-1)?.reason).toEqual({
      code: 'preload',
      by: PAGE,
      line: 4,
    });
  });

  it('takes a picture painted right after it came for what made the page complete, and no older one', () => {
    const requests = [
      document,
      part('hero.webp', { type: 'image', startedAt: 110, endedAt: 480, ...byParser(9) }),
      part('late.js', { type: 'script', startedAt: 110, endedAt: 500, ...byParser(20) }),
    ];
    const painted = (at: number, url?: string) =>
      visit(requests, {
        at,
        networkAt: 500,
        marks: [{ name: 'largest-contentful-paint', at, ...(url !== undefined && { url }) }],
      });
    const path = criticalPathOf(painted(530, `${SITE}/hero.webp`));
    expect(chain(path)).toEqual(['/', '/hero.webp']);
    expect(path?.rest).toBe(50);
    expect(chain(criticalPathOf(painted(900, `${SITE}/hero.webp`)))).toEqual(['/', '/late.js']);
    expect(chain(criticalPathOf(painted(530)))).toEqual(['/', '/late.js']);
  });

  it('takes no picture that failed for what was drawn last', () => {
    const requests = (type: 'image' | 'fetch') => [
      document,
      part('app.js', { type: 'script', startedAt: 80, endedAt: 300, ...byParser(5) }),
      part('gone', { type, startedAt: 310, endedAt: 320, outcome: 'failed', ...byScript('app.js') }),
    ];
    expect(chain(criticalPathOf(visit(requests('image'), { at: 500, networkAt: 320 })))).toEqual(['/', '/app.js']);
    expect(chain(criticalPathOf(visit(requests('image'))))).toEqual(['/', '/app.js', '/gone']);
    // A page may say that its data failed.
    const told = criticalPathOf(visit(requests('fetch'), { at: 500, networkAt: 320 }));
    expect(chain(told)).toEqual(['/', '/app.js', '/gone']);
  });

  it('goes through documents of frames, and through the page that a script replaced', () => {
    const inFrame = criticalPathOf(
      visit([
        document,
        part('frame.html', {
          id: 'frame',
          type: 'document',
          frameId: 'G',
          loaderId: 'frame',
          startedAt: 120,
          endedAt: 200,
          ...byParser(4),
        }),
        part('api', { frameId: 'G', loaderId: 'frame', startedAt: 230, endedAt: 400, ...byScript('frame.html', 5) }),
      ]),
    );
    expect(chain(inFrame)).toEqual(['/', '/frame.html', '/api']);
    const replaced = criticalPathOf(
      visit([
        { ...document, url: `${SITE}/start`, fromPreviousDocument: true },
        {
          ...document,
          id: 'next',
          requestId: 'next',
          loaderId: 'next',
          url: `${SITE}/next`,
          startedAt: 600,
          endedAt: 700,
        },
        part('pic', { type: 'image', loaderId: 'next', startedAt: 710, endedAt: 900, initiator: { type: 'parser' } }),
      ]),
    );
    expect(chain(replaced)).toEqual(['/start', '/next', '/pic']);
    expect(requestsOf(replaced).map(({ reason }) => reason)).toEqual([
      { code: 'navigation' },
      { code: 'replaced', by: by('/start') },
      { code: 'parser' },
    ]);
  });

  it('takes the document of its frame for what came before, where nobody knows who asked', () => {
    const inFrame = { frameId: 'inner', loaderId: 'inner' };
    const path = criticalPathOf(
      visit([
        document,
        part('app.js', { type: 'script', startedAt: 80, endedAt: 300, ...byParser(5) }),
        part('frame.html', {
          type: 'document',
          startedAt: 310,
          endedAt: 500,
          response: response({ at: 400 }),
          ...byScript('app.js'),
          ...inFrame,
        }),
        // A module that a frame preloads: Chrome names no file.
        part('module.js', {
          type: 'script',
          startedAt: 420,
          endedAt: 900,
          initiator: { type: 'script', url: 'about:client', line: 1 },
          ...inFrame,
        }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/app.js', '/frame.html', '/module.js']);
  });

  it('says so when nobody knows who asked', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('list', { startedAt: 110, endedAt: 300, ...byScript('', 3) }),
        part('pic', { type: 'image', startedAt: 310, endedAt: 500, initiator: { type: 'other' } }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/list', '/pic']);
    expect(requestsOf(path).at(-1)).toMatchObject({
      cause: 'unknown',
      reason: { code: 'after', by: by('/list'), since: 10 },
    });
    expect(requestsOf(path).at(-1)?.place).toBeUndefined();
  });

  it('knows that nothing but a script opens an EventSource, though not which one', () => {
    const path = criticalPathOf(
      visit([
        document,
        part('hero.png', {
          type: 'image',
          startedAt: 110,
          endedAt: 300,
          initiator: { type: 'parser', url: `${SITE}/` },
        }),
        part('stream', { type: 'eventsource', startedAt: 302, endedAt: 500, initiator: { type: 'other' } }),
      ]),
    );
    expect(chain(path)).toEqual(['/', '/stream']);
    expect(requestsOf(path).at(-1)).toMatchObject({ cause: 'script', reason: { code: 'script' } });
  });

  it('leaves background out', () => {
    const poll = part('poll', { startedAt: 380, endedAt: 395, ...byScript('', 3) });
    const requests = [document, part('api', { startedAt: 110, endedAt: 370, ...byScript('', 3) }), poll];
    const next = part('next', { startedAt: 398, endedAt: 500, initiator: { type: 'other' } });
    expect(chain(criticalPathOf(visit([...requests, next], { background: ['poll'] })))).toEqual(['/', '/api', '/next']);
    expect(chain(criticalPathOf(visit(requests, { background: ['poll'] })))).toEqual(['/', '/api']);
  });

  it('counts what comes after the last answer as rest', () => {
    expect(criticalPathOf(visit([document], { at: 640 }))).toMatchObject({ rest: 540 });
  });

  it('is not known where page complete is not, or where there is nothing', () => {
    const open = recordingOf({ requests: page({ path: '/slow', from: 100 }), until: 1_000 });
    expect(criticalPathOf(visitOf(open, POLICY))).toBeUndefined();
    expect(criticalPathOf(visit([], { at: 10 }))).toBeUndefined();
    expect(criticalRequestsOf(visit([], { at: 10 }))).toEqual([]);
  });
});

const TYPES = ['document', 'script', 'stylesheet', 'image', 'fetch', 'font', 'preflight', 'eventsource'] as const;

/** Pages that no browser would make: any request may name any other as its initiator. */
const anyRequests = fc
  .array(
    fc.record({
      startedAt: fc.integer({ min: 0, max: 2_000 }),
      length: fc.option(fc.integer({ min: 0, max: 800 }), { nil: undefined }),
      answeredAfter: fc.integer({ min: 0, max: 900 }),
      type: fc.constantFrom(...TYPES),
      initiator: fc.constantFrom('parser', 'script', 'preload', 'other', 'preflight'),
      asker: fc.nat({ max: 12 }),
      hop: fc.boolean(),
      frame: fc.constantFrom('F', 'G', undefined),
    }),
    { maxLength: 12 },
  )
  .map((sketches) =>
    sketches.map((sketch, index): Request => {
      const isHop = sketch.hop && index > 0;
      return request({
        id: `r${index}`,
        ...(isHop && { requestId: `r${index - 1}`, hop: 1 }),
        url: `${SITE}/${sketch.asker % 2 === 0 ? index : 'same'}`,
        type: sketch.type,
        mainDocument: index === 0,
        startedAt: sketch.startedAt + 0.123456,
        endedAt: sketch.length === undefined ? undefined : sketch.startedAt + 0.123456 + sketch.length,
        response: response({ at: sketch.startedAt + sketch.answeredAfter }),
        ...(sketch.frame !== undefined && { frameId: sketch.frame }),
        initiator: {
          type: sketch.initiator,
          url: `${SITE}/${sketch.asker}`,
          requestId: `r${sketch.asker}`,
          line: sketch.asker,
        },
      });
    }),
  );

describe('work of the main thread', () => {
  const VENDOR = { url: `${SITE}/vendor.js`, line: 12, column: 3, function: 'build' };
  const css = part('theme.css', {
    type: 'stylesheet',
    startedAt: 60,
    endedAt: 140,
    priority: 'VeryHigh',
    ...byParser(3),
  });
  const vendor = part('vendor.js', { type: 'script', startedAt: 61, endedAt: 130, priority: 'High', ...byParser(4) });
  const widget = part('widget.js', {
    type: 'script',
    startedAt: 330,
    endedAt: 400,
    response: response({ at: 380 }),
    ...byScript('', 9),
  });
  const ofVendor = (at: number, until: number): Work => ({
    at,
    until,
    ms: until - at,
    category: 'scriptEvaluation',
    place: VENDOR,
  });
  const pathWith = (work: readonly Work[], at = 400) =>
    criticalPathOf(
      visit([document, css, vendor, widget], { at, networkAt: 400, work, longTasks: [{ at: 141, duration: 187 }] }),
    );

  it('that filled the time between two requests is a step with script, function and place', () => {
    const path = pathWith([ofVendor(142, 325)]);
    expect(path?.steps.map(({ cause }) => cause)).toEqual([undefined, 'parser', 'work', 'response']);
    expect(path?.steps[2]).toEqual({
      cause: 'work',
      category: 'scriptEvaluation',
      place: VENDOR,
      startedAt: 142,
      endsAt: 325,
      delay: 2,
      work: 183,
    });
    expect(requestsOf(path).at(-1)?.delay).toBe(5);
  });

  it('may be many short pieces', () => {
    const pieces = Array.from({ length: 12 }, (_, i) => ofVendor(142 + i * 15, 142 + i * 15 + 10));
    expect(workIn(pathWith(pieces))).toMatchObject([{ work: 120, delay: 57, place: VENDOR }]);
  });

  it('is no step where it ended long before the request, and nothing tells that it was waited for', () => {
    expect(workIn(pathWith([ofVendor(180, 260)]))).toEqual([]);
    expect(workIn(pathWith([ofVendor(290, 320)]))).toEqual([]);
  });

  it('of the step before counts also where a timer follows', () => {
    const late = { ...widget, initiator: { ...byScript('vendor.js').initiator, scheduledBy: 'setTimeout' } };
    const path = criticalPathOf(visit([document, vendor, late], { work: [ofVendor(131, 230)] }));
    expect(workIn(path)).toMatchObject([{ startedAt: 131, endsAt: 230, work: 99 }]);
    const after = { ...widget, initiator: { type: 'other' } as const };
    expect(workIn(criticalPathOf(visit([document, vendor, after], { work: [ofVendor(131, 230)] })))).toEqual([]);
  });

  it('of two scripts, and of style, is several steps in their order', () => {
    const path = pathWith([
      ofVendor(141, 200),
      { at: 200, until: 210, ms: 10, category: 'scriptEvaluation', place: { url: `${SITE}/small.js` } },
      { at: 210, until: 265, ms: 55, category: 'styleLayout' },
      ofVendor(265, 328),
    ]);
    expect(workIn(path).map(({ category, work }) => [category, work])).toEqual([
      ['scriptEvaluation', 59],
      ['styleLayout', 55],
      ['scriptEvaluation', 63],
    ]);
  });

  it('of many that are all short has no name', () => {
    const pieces = Array.from({ length: 6 }, (_, i): Work => {
      const at = 141 + i * 31;
      return { at, until: at + 30, ms: 30, category: 'scriptEvaluation', place: { url: `${SITE}/${i}.js` } };
    });
    const [step, ...others] = workIn(pathWith(pieces));
    expect(others).toEqual([]);
    expect(step).toMatchObject({ category: 'scriptEvaluation', work: 180 });
    expect(step?.place).toBeUndefined();
  });

  it('counts before the last paint, and is taken out of a download that it kept from going on', () => {
    const atEnd = pathWith([ofVendor(142, 325), ofVendor(402, 690)], 700);
    expect(atEnd?.steps.at(-1)).toMatchObject({ cause: 'work', work: 288, delay: 2 });
    expect(atEnd?.rest).toBe(10);
    const long = { ...document, endedAt: 600 };
    const held = criticalPathOf(visit([long, widget], { at: 600, networkAt: 600, work: [ofVendor(90, 329)] }));
    expect(workIn(held)).toEqual([]);
    const waited = criticalPathOf(
      visit([{ ...document, endedAt: 390 }, widget], { at: 400, networkAt: 400, work: [ofVendor(90, 329)] }),
    );
    expect(waited?.steps).toMatchObject([{ wait: 50, receive: 40 }, { work: 239, delay: 0 }, { delay: 1 }]);
  });

  it('of a timed load is known from its long frames, the function from the untimed load', () => {
    const script = { at: 143, duration: 180, url: VENDOR.url, invoker: VENDOR.url, position: 0, forced: 2 };
    const timed = {
      longTasks: [{ at: 142, duration: 185 }],
      longFrames: [{ at: 142, duration: 188, blocking: 130, scripts: [script] }],
    };
    const known = { places: [VENDOR] };
    const path = criticalPathOf(visit([document, css, vendor, widget], { ...timed, known }));
    expect(workIn(path)).toMatchObject([{ work: 180, category: 'scriptEvaluation', place: VENDOR }]);
    expect(workIn(criticalPathOf(visit([document, css, vendor, widget], timed)))).toMatchObject([
      { work: 180, place: { url: VENDOR.url } },
    ]);
    const styled = { ...timed, longFrames: [{ at: 142, duration: 188, blocking: 130, styleFrom: 240, scripts: [] }] };
    expect(workIn(criticalPathOf(visit([document, css, vendor, widget], styled)))).toMatchObject([
      { category: 'other', work: 98 },
      { category: 'styleLayout', work: 90 },
    ]);
  });

  it("is neither the browser's own, nor the profiler's", () => {
    expect(workIn(pathWith([{ at: 142, until: 328, ms: 186, category: 'other' }]))).toEqual([]);
  });

  it('of the page is no step before what a worker asked for', () => {
    const path = criticalPathOf(
      visit([document, vendor, { ...widget, target: 'worker' }], { work: [ofVendor(141, 329)] }),
    );
    expect(workIn(path)).toEqual([]);
  });
});

describe('what a trace has shown', () => {
  const app = part('app.js', { type: 'script', startedAt: 80, endedAt: 150, ...byParser(4) });
  const list = part('list', {
    startedAt: 160,
    endedAt: 300,
    response: response({ at: 290 }),
    ...byScript('app.js', 3),
  });
  const hero = part('hero.png', { type: 'image', startedAt: 170, endedAt: 380, ...byParser(5) });
  const late = part('more', {
    startedAt: 400,
    endedAt: 500,
    response: response({ at: 480 }),
    ...byScript('app.js', 9),
  });
  const stream = part('stream', { type: 'eventsource', startedAt: 390, endedAt: 480, initiator: { type: 'other' } });
  const shown = (requestId: string, cause: RequestCause, led?: string): ShownCause => ({
    requestId,
    url: `${SITE}/${requestId}`,
    cause,
    ...(led !== undefined && { by: led, byUrl: `${SITE}/${led}` }),
  });
  const lastOf = (requests: readonly Request[], causes: readonly ShownCause[]) =>
    requestsOf(criticalPathOf(visit(requests, { causes }))).at(-1);

  it('of a script says for what it asked', () => {
    const other = part('other', { startedAt: 161, endedAt: 395, ...byScript('app.js', 4) });
    const all = [document, app, list, other, late];
    // Without it, the script alone is known.
    for (const causes of [[], [shown('more', 'unknown')]]) {
      expect(lastOf(all, causes)).toMatchObject({ cause: 'script', reason: { code: 'file', by: by('/app.js') } });
      expect(lastOf(all, causes)?.reason.awaited).toBeUndefined();
    }
    expect(lastOf(all, [shown('more', 'response', 'list')])).toMatchObject({
      cause: 'response',
      place: { url: `${SITE}/app.js`, line: 9 },
      reason: { code: 'file', by: by('/app.js'), awaited: { url: `${SITE}/list`, failed: false } },
    });
    expect(lastOf(all, [shown('more', 'timer', 'list')])).toMatchObject({ cause: 'timer', reason: { timer: true } });
    // Code that ran because it had come waited for no answer.
    expect(lastOf(all, [shown('more', 'script', 'app.js')])?.reason).toEqual({
      code: 'file',
      by: by('/app.js'),
      line: 9,
    });
  });

  it('finds who opened a stream; without it, it is known only that a script did', () => {
    expect(lastOf([document, app, list, hero, stream], [])).toMatchObject({
      cause: 'script',
      reason: { code: 'script' },
    });
    expect(lastOf([document, app, list, hero, stream], [shown('stream', 'response', 'list')])).toMatchObject({
      cause: 'response',
      reason: { code: 'script', awaited: { url: `${SITE}/list` } },
    });
  });

  it('a parser that the trace did not see asked for nothing', () => {
    const inserted = part('late.png', { type: 'image', startedAt: 390, endedAt: 480, ...byParser(5) });
    expect(lastOf([document, app, list, inserted], [shown('late.png', 'unknown')])).toMatchObject({ cause: 'unknown' });
    expect(lastOf([document, app, list, inserted], [shown('late.png', 'response', 'list')])).toMatchObject({
      cause: 'response',
      reason: { awaited: { url: `${SITE}/list` } },
    });
    expect(lastOf([document, app, list, inserted], [shown('late.png', 'script', 'app.js')])).toMatchObject({
      cause: 'script',
      reason: { code: 'script', awaited: { url: `${SITE}/app.js` } },
    });
  });

  it('no parser asks for data, whatever Chrome names', () => {
    const opened = part('events', { type: 'eventsource', startedAt: 390, endedAt: 480, ...byParser(24) });
    expect(lastOf([document, app, opened], [])).toMatchObject({
      cause: 'unknown',
      reason: { code: 'after', by: by('/app.js'), since: 240 },
    });
  });

  it('holds in every load of the page, by addresses and places', () => {
    const traced = visit([document, app, list, late], { causes: [shown('more', 'response', 'list')] });
    const causes = knownCausesOf(traced.recording.causes ?? [], traced.timeline);
    const timed = (requests: readonly Request[]) =>
      requestsOf(criticalPathOf(visit(requests, { at: 500, networkAt: 500, known: { causes } }))).at(-1);
    const other = part('other', { startedAt: 161, endedAt: 395, ...byScript('app.js', 4) });
    expect(timed([document, app, list, other, late])?.reason.awaited?.url).toBe(`${SITE}/list`);
    // A resumed comparison may serve the page from another port.
    const [there] = movedCauses(causes, SITE, 'http://127.0.0.1:9');
    expect(there).toMatchObject({ url: 'http://127.0.0.1:9/more', by: { url: 'http://127.0.0.1:9/list' } });
    // An answer that came only later led nowhere.
    const slow = { ...list, endedAt: 900, response: response({ at: 880 }) };
    expect(timed([document, app, other, { ...slow, outcome: 'canceled' }, late])?.reason.awaited).toBeUndefined();
    // Neither does the same address from elsewhere in the code.
    const at = (line: number) => ({
      initiator: {
        type: 'script' as const,
        url: `${SITE}/app.js`,
        line,
        stack: [{ url: `${SITE}/app.js`, line, column: 1, functionName: '' }],
      },
    });
    expect(timed([document, app, list, other, { ...late, ...at(77) }])?.reason.awaited).toBeUndefined();
  });
});

/** Work of a trace, in order of time: two scripts, style, and what nobody knows; also at the same time. */
const anyWork = fc
  .array(
    fc.record({
      at: fc.double({ min: 0, max: 3_000, noNaN: true }),
      length: fc.double({ min: 0, max: 600, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      who: fc.constantFrom('a.js', 'b.js', undefined),
      category: fc.constantFrom('scriptEvaluation', 'styleLayout', undefined),
    }),
    { maxLength: 12 },
  )
  .map((sketches) =>
    sketches
      .map(
        ({ at, length, share, who, category }): Work => ({
          at,
          until: at + length,
          ms: length * share,
          ...(category && { category }),
          ...(who && { place: { url: `${SITE}/${who}` } }),
        }),
      )
      .toSorted((a, b) => a.at - b.at),
  );

describe('any page at all', () => {
  it('has a path whose shares tile page complete, of which no request stands twice', () => {
    fc.assert(
      fc.property(anyRequests, fc.double({ min: 0, max: 3_000, noNaN: true }), anyWork, (requests, at, work) => {
        const seen = visit(requests, { at, networkAt: at, work });
        const before = JSON.stringify(seen.timeline);
        const path = criticalPathOf(seen);
        expect(JSON.stringify(seen.timeline)).toBe(before);
        if (path === undefined) return;
        expect(sumOf(path)).toBe(toMicroseconds(at));
        expect(leastPartOf(path)).toBeGreaterThanOrEqual(0);
        const ids = criticalRequestsOf(seen).map(({ request: each }) => each.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 500 },
    );
  });

  it('begins with the document, as far as pages go that a browser would make', () => {
    const anyPage = fc.array(
      fc.record({
        from: fc.integer({ min: 41, max: 900 }),
        length: fc.integer({ min: 1, max: 500 }),
        type: fc.constantFrom('fetch', 'script', 'image', 'stylesheet'),
        initiator: fc.constantFrom('script', 'parser', 'other'),
      }),
      { maxLength: 15 },
    );
    fc.assert(
      fc.property(anyPage, (sketches) => {
        const requests = sketches.map(
          ({ from, length, type, initiator }, index): Scripted => ({
            path: `/${index}`,
            from,
            to: from + length,
            type,
            initiator,
          }),
        );
        const path = criticalPathOf(visitOf(recordingOf({ requests: page(...requests), until: 6_000 }), POLICY));
        expect(chain(path)[0]).toBe('/');
      }),
    );
  });
});
