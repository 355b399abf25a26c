import { describe, expect, it } from 'vitest';
import { fixesOf } from '../../../src/core/fixes/index.ts';
import { loadOf } from '../../../src/core/fixes/replay/load.ts';
import { replay, savingOf } from '../../../src/core/fixes/replay/replay.ts';
import { criticalPathOf } from '../../../src/core/path/critical-path.ts';
import type { Verdict } from '../../../src/model/background/verdict.ts';
import type { ShownCause } from '../../../src/model/completion/causes.ts';
import type { FixCode } from '../../../src/model/fixes.ts';
import type { LayoutShift, LongFrame } from '../../../src/model/metrics/metrics.ts';
import type { Mark, Request } from '../../../src/model/network/timeline.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import type { Rendered } from '../../../src/model/recording/rendered.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';

const SITE = 'https://example.com';
const KEPT = [{ name: 'Cache-Control', value: 'max-age=31536000' }];

function visit(
  requests: readonly Request[],
  marks: readonly Mark[] = [],
  {
    rendered,
    shifts = [],
    frames,
    causes,
  }: {
    readonly rendered?: Rendered;
    readonly shifts?: readonly LayoutShift[];
    readonly frames?: readonly LongFrame[];
    readonly causes?: readonly ShownCause[];
  } = {},
): Visit {
  const at = Math.max(0, ...requests.map(({ endedAt }) => endedAt ?? 0));
  return {
    recording: recording({
      navigation: { url: `${SITE}/`, startedAt: 0, browser: '', userAgent: '' },
      ...(causes && { causes }),
      page: {
        finalUrl: `${SITE}/`,
        title: '',
        longTasks: [],
        layoutShifts: shifts,
        ...(frames && { longFrames: frames }),
      },
      ...(rendered && { rendered }),
    }),
    timeline: timeline(requests, { marks }),
    verdicts: new Map(),
    overruled: new Map(),
    complete: { state: 'complete', at, networkAt: at, decidedAt: 9_000 },
    raw: { state: 'never', waitingFor: [] },
  };
}

const document = request({
  id: 'doc',
  type: 'document',
  mainDocument: true,
  url: `${SITE}/`,
  frameId: 'F',
  response: response({ at: 40, mimeType: 'text/html' }),
  endedAt: 50,
});
/** A request from one moment to another; its first byte comes 10 ms before the end. */
function part(id: string, from: number, to: number, parts: Parameters<typeof request>[0] = {}): Request {
  const { response: own, ...rest } = parts;
  return request({
    id,
    url: `${SITE}/${id}`,
    frameId: 'F',
    startedAt: from,
    endedAt: to,
    ...rest,
    response: response({ at: to - 10, headers: KEPT, ...own }),
  });
}
const byParser = (line = 1) =>
  ({ initiator: { type: 'parser', url: `${SITE}/`, line }, type: 'script', priority: 'High' }) as const;
const by = (name: string) => ({ initiator: { type: 'script', url: `${SITE}/${name}`, line: 1, stack: [] } }) as const;

const found = (
  code: FixCode,
  requests: readonly Request[],
  ...more: Parameters<typeof visit> extends [unknown, ...infer R] ? R : never
) => fixesOf(visit(requests, ...more)).filter((fix) => fix.code === code);

describe('replay', () => {
  const chain = [document, part('a.js', 60, 200, byParser()), part('items', 230, 400, by('a.js'))];
  const loaded = (requests: readonly Request[]) => {
    const load = loadOf(visit(requests));
    if (load === undefined) throw new Error('no load');
    const step = (id: string) => {
      const step = load.steps.find((each) => each.request.id === id);
      if (step === undefined) throw new Error(`no step ${id}`);
      return step;
    };
    return { load, step };
  };

  it('changes nothing where nothing is changed', () => {
    const { load } = loaded(chain);
    expect(replay(load, {})).toBe(400);
  });

  it('moves everything behind what is shorter', () => {
    const { load, step } = loaded(chain);
    expect(savingOf(load, { shorter: new Map([[step('a.js'), { head: 90, receive: 5 }]]) })).toBe(95);
    expect(savingOf(load, { without: new Set([step('a.js')]) })).toBe(140);
  });

  it('never takes away more than a request took', () => {
    const { load, step } = loaded(chain);
    expect(savingOf(load, { shorter: new Map([[step('items'), { head: 9_000, receive: 9_000 }]]) })).toBe(170);
  });

  it('ends a saving where another chain decides', () => {
    const { load, step } = loaded([...chain, part('photo.png', 60, 370, { ...byParser(), type: 'image' })]);
    expect(savingOf(load, { without: new Set([step('a.js')]) })).toBe(30);
  });

  it('waits for the last of several things that a request needs', () => {
    const both = [
      document,
      part('a.js', 60, 200, byParser(1)),
      part('b.js', 60, 180, byParser(2)),
      part('items', 205, 400, by('b.js')),
    ];
    const { load, step } = loaded(both);
    expect(savingOf(load, { without: new Set([step('a.js')]) })).toBe(20);
    expect(savingOf(load, { without: new Set([step('a.js'), step('b.js')]) })).toBe(140);
    expect(savingOf(load, { freed: new Set([step('a.js')]) })).toBe(20);
  });

  it('lets nothing that a preload brought run before what asks for it', () => {
    const { load, step } = loaded([
      ...chain.slice(0, 2),
      part('b.js', 210, 300, { ...by('a.js'), type: 'script' }),
      part('items', 300, 400, by('b.js')),
    ]);
    expect(savingOf(load, { preloaded: new Map([[step('b.js'), { costs: 0 }]]) })).toBe(90);
  });

  it('preloads nothing before an emulated network has given out the head of the document', () => {
    const { load, step } = loaded([
      {
        ...document,
        timing: { requestedAt: 0, headersStart: 5 },
        response: response({ at: 40, mimeType: 'text/html' }),
      },
      ...chain.slice(1),
    ]);
    expect(savingOf(load, { preloaded: new Map([[step('a.js'), { costs: 0 }]]) })).toBe(20);
  });

  it('saves no more than the time in which an emulated network was idle', () => {
    const parts = [
      { ...document, transferSize: 1_000 },
      part('a.js', 60, 240, { ...byParser(), transferSize: 10_000 }),
      part('b.js', 250, 400, { ...by('a.js'), type: 'script', transferSize: 20_000 }),
    ];
    const saving = (download?: number) => {
      const seen = visit(parts);
      const { navigation } = seen.recording;
      const network = { name: 'own', latency: 0, ...(download !== undefined && { download }) };
      const load = loadOf({ ...seen, recording: { ...seen.recording, navigation: { ...navigation, network } } });
      const late = load?.steps.find(({ request }) => request.id === 'b.js');
      return load && late && savingOf(load, { preloaded: new Map([[late, { costs: 0 }]]) });
    };
    expect(saving()).toBe(150);
    // 31 kB at 100 bytes a millisecond, from the first byte at 40 ms on: until 350 ms.
    expect(saving(800)).toBe(50);
    expect(saving(80)).toBe(0);
  });

  it('knows nothing of a page that was never complete', () => {
    const never: Visit = { ...visit(chain), complete: { state: 'never', waitingFor: [] } };
    expect(loadOf(never)).toBeUndefined();
    expect(fixesOf(never)).toEqual([]);
  });

  it('leaves its input as it was', () => {
    const seen = visit(chain);
    const before = structuredClone(seen.timeline);
    fixesOf(seen);
    expect(seen.timeline).toEqual(before);
  });
});

describe('fixes', () => {
  it('finds nothing about a page that is fast', () => {
    expect(fixesOf(visit([document, part('a.js', 55, 90, byParser())]))).toEqual([]);
  });

  it('render-blocking: a script in the head holds up the one behind it', () => {
    const slow = part('slow.js', 60, 400, byParser(3));
    const inline = { initiator: { type: 'script', url: `${SITE}/`, line: 9, stack: [] } } as const;
    const items = part('items', 405, 700, inline);
    expect(found('render-blocking', [document, slow, items])).toEqual([
      { code: 'render-blocking', urls: [`${SITE}/slow.js`], savesMs: 300, facts: { scripts: 1, styles: 0 } },
    ]);
    // A file of low priority is asynchronous; of one without, nobody knows.
    expect(found('render-blocking', [document, { ...slow, priority: 'Low' }, items])).toEqual([]);
    const { priority: _, ...unknown } = slow;
    expect(found('render-blocking', [document, unknown, items])).toEqual([]);
  });

  it('slow-server: an error is not to come sooner', () => {
    const items = (status: number) =>
      found('slow-server', [
        document,
        part('a.js', 55, 60, byParser()),
        part('items', 62, 900, { ...by('a.js'), response: response({ at: 890, status }) }),
      ]);
    expect(items(200)).toHaveLength(1);
    expect(items(500)).toEqual([]);
  });

  it('late-discovery: what only another file names, and not data that data name', () => {
    const requests = [
      document,
      part('a.js', 60, 200, byParser()),
      part('b.js', 210, 300, { ...by('a.js'), type: 'script' }),
    ];
    expect(found('late-discovery', requests)).toEqual([
      { code: 'late-discovery', urls: [`${SITE}/b.js`], savesMs: 90, facts: { requests: 1 } },
    ]);
    const data = [
      document,
      part('a.js', 55, 60, byParser()),
      part('list', 62, 200, by('a.js')),
      part('item', 210, 400, by('a.js')),
    ];
    const itemOf = (led: string): ShownCause => ({
      requestId: 'item',
      url: `${SITE}/item`,
      cause: 'response',
      by: led,
    });
    const late = (causes: readonly ShownCause[]) =>
      found('late-discovery', data, [], { causes }).map(({ urls }) => urls);
    expect(late([itemOf('list')])).toEqual([[`${SITE}/list`]]);
    expect(late([itemOf('a.js')])).toEqual([[`${SITE}/item`]]);
    // While nothing shows what led to it, neither is offered.
    expect(late([])).toEqual([]);
    // A document cannot name an address that is another one in each load.
    const listAt = (query: string) =>
      found('late-discovery', [...data.slice(0, 2), part(`list?${query}`, 62, 200, by('a.js'))]);
    expect(listAt('t=1795471520387')).toEqual([]);
    expect(listAt('page=2&t=1795471520')).toEqual([]);
    expect(listAt('item=17954715')).toHaveLength(1);
  });

  it('slow-server: a late first byte, against what a fast server would do', () => {
    const items = part('items', 60, 660, byParser());
    expect(found('slow-server', [document, items])).toEqual([
      {
        code: 'slow-server',
        urls: [`${SITE}/items`],
        savesMs: 490,
        facts: { url: `${SITE}/items`, wait: 590, target: 100 },
      },
    ]);
  });

  it('slow-server: what an emulated network takes is not the server', () => {
    const slow = part('items', 60, 660, byParser());
    const seen = visit([document, slow]);
    const under = (latency: number) => {
      const network = { name: 'own', latency };
      const navigation = { ...seen.recording.navigation, network };
      return fixesOf({ ...seen, recording: { ...seen.recording, navigation } }).filter(
        ({ code }) => code === 'slow-server',
      );
    };
    expect(under(300)).toMatchObject([{ facts: { wait: 590, target: 400 } }]);
    expect(under(560)).toEqual([]);
  });

  it('connection-limit: what six others keep from being sent, over HTTP/1.1', () => {
    const files = (protocol: string) =>
      Array.from({ length: 8 }, (_, i) => {
        const from = i < 6 ? 60 : 260;
        return part(`${i}.jpg`, 60, from + 200, {
          ...byParser(),
          type: 'image',
          timing: { requestedAt: 60, sendStart: from, sendEnd: from },
          response: response({ at: from + 190, protocol }),
        });
      });
    const facts = { origin: SITE, requests: 2, longest: 200 };
    expect(found('connection-limit', [document, ...files('http/1.1')])).toEqual([
      { code: 'connection-limit', urls: [`${SITE}/6.jpg`, `${SITE}/7.jpg`], savesMs: 200, facts },
    ]);
    expect(found('connection-limit', [document, ...files('h2')])).toEqual([]);
    const path = criticalPathOf(visit([document, ...files('http/1.1')]));
    expect(path?.steps.at(-1)).toMatchObject({ wait: 390, queued: 200, receive: 10 });
  });

  it('no-compression: text from 2 kB on whose headers are known', () => {
    const text = part('a.js', 60, 400, {
      ...byParser(),
      contentSize: 100_000,
      response: response({ at: 100, mimeType: 'text/javascript', headers: KEPT }),
    });
    expect(found('no-compression', [document, text])).toEqual([
      {
        code: 'no-compression',
        urls: [`${SITE}/a.js`],
        savesMs: 210,
        facts: { requests: 1, bytes: 100_000, savesBytes: 70_000 },
      },
    ]);
    const not = (parts: Partial<NonNullable<Request['response']>>, contentSize = 100_000) =>
      found('no-compression', [
        document,
        { ...text, contentSize, response: response({ at: 100, mimeType: 'text/javascript', headers: KEPT, ...parts }) },
      ]);
    expect(not({ headers: [...KEPT, { name: 'content-encoding', value: 'br' }] })).toEqual([]);
    expect(not({ headers: [] })).toEqual([]);
    expect(not({ mimeType: 'image/png' })).toEqual([]);
    expect(not({ fromCache: 'disk' })).toEqual([]);
    expect(not({}, 1_500)).toEqual([]);
  });

  it('no-compression and short-cache: nothing of a development server, which leaves both to the build', () => {
    const text = part('a.js', 60, 400, {
      ...byParser(),
      contentSize: 100_000,
      response: response({
        at: 100,
        mimeType: 'text/javascript',
        headers: [{ name: 'cache-control', value: 'no-cache' }],
      }),
    });
    const client = part('@vite/client', 60, 90, { type: 'script' });
    const codes = (...requests: readonly Request[]) => fixesOf(visit([document, ...requests])).map(({ code }) => code);
    expect(codes(text)).toEqual(expect.arrayContaining(['no-compression', 'short-cache']));
    expect(codes(text, client)).not.toContain('no-compression');
    expect(codes(text, client)).not.toContain('short-cache');
  });

  it('duplicate-request: the same file with the same size over the network', () => {
    const copy = { ...by('a.js'), url: `${SITE}/list`, contentSize: 3_000 };
    const requests = [
      document,
      part('a.js', 55, 60, byParser()),
      part('l1', 62, 200, copy),
      part('l2', 205, 400, copy),
    ];
    expect(found('duplicate-request', requests)).toEqual([
      {
        code: 'duplicate-request',
        urls: [`${SITE}/list`],
        savesMs: 195,
        facts: { url: `${SITE}/list`, times: 2, savesBytes: 3_000 },
      },
    ]);
    const other = part('l2', 205, 400, { ...copy, contentSize: 2_000 });
    expect(found('duplicate-request', [...requests.slice(0, 3), other])).toEqual([]);
  });

  it('redirect: the hops of the critical path, without a connection that the next one uses', () => {
    const hop = request({
      ...document,
      id: 'doc',
      outcome: 'redirected',
      url: `${SITE}/old`,
      endedAt: 200,
      response: response({ at: 200, status: 302 }),
      timing: { requestedAt: 0, connectStart: 10, connectEnd: 60 },
    });
    const next = request({ ...document, id: 'doc:1', hop: 1, startedAt: 200, endedAt: 300 });
    expect(found('redirect', [hop, next])).toEqual([
      { code: 'redirect', urls: [`${SITE}/old`], savesMs: 150, facts: { redirects: 1, to: `${SITE}/` } },
    ]);
  });

  it('late-connection: what another origin took to connect, as far as it could be sooner', () => {
    const items = (from: number) =>
      part('items', from, from + 400, {
        ...by('a.js'),
        url: 'https://api.example.net/items',
        timing: {
          requestedAt: from,
          dnsStart: from,
          dnsEnd: from + 50,
          connectStart: from + 50,
          connectEnd: from + 200,
        },
      });
    const requests = (from: number) => [document, part('a.js', 55, from - 5, byParser()), items(from)];
    expect(found('late-connection', requests(400))).toEqual([
      {
        code: 'late-connection',
        urls: ['https://api.example.net/items'],
        savesMs: 200,
        facts: { origin: 'https://api.example.net', took: 200 },
      },
    ]);
    expect(found('late-connection', requests(140))).toMatchObject([{ savesMs: 100 }]);
  });

  it('late-picture: the largest paint that a script inserts', () => {
    const picture = part('hero.png', 400, 700, { ...by('a.js'), type: 'image', priority: 'Low' });
    const requests = [document, part('a.js', 55, 395, byParser()), picture];
    const lcp: Mark = { name: 'largest-contentful-paint', at: 700, url: `${SITE}/hero.png` };
    expect(found('late-picture', requests, [lcp])).toEqual([
      {
        code: 'late-picture',
        urls: [`${SITE}/hero.png`],
        savesMs: 300,
        facts: { url: `${SITE}/hero.png`, after: 360, priority: 'Low' },
      },
    ]);
    expect(found('late-picture', requests)).toEqual([]);
  });

  describe('slow-script', () => {
    /** Long frames in which a script ran, from one moment to another. */
    const ran = (...times: readonly (readonly [from: number, to: number, name?: string])[]): readonly LongFrame[] =>
      times.map(([from, to, name]) => {
        const duration = to - from;
        const script = { at: from, duration, url: `${SITE}/vendor.js`, forced: 0, ...(name && { name }) };
        return { at: from, duration, blocking: 0, scripts: [script] };
      });
    const vendor = part('vendor.js', 60, 100, byParser(1));
    const widget = part('widget.js', 60, 110, byParser(2));
    const items = part('items', 285, 400, by('widget.js'));

    it('the work of a script that holds up a request, and what of it ran longest', () => {
      const frames = ran([102, 182, 'boot'], [180, 282, 'renderBadges']);
      expect(found('slow-script', [document, vendor, widget, items], [], { frames })).toEqual([
        {
          code: 'slow-script',
          urls: [`${SITE}/vendor.js`],
          // From when widget.js had come.
          savesMs: 172,
          facts: { url: `${SITE}/vendor.js`, ms: 180, function: 'renderBadges' },
        },
      ]);
    });

    it('also where only what is drawn waits for it', () => {
      const lcp: Mark = { name: 'largest-contentful-paint', at: 320 };
      expect(found('slow-script', [document, vendor], [lcp], { frames: ran([110, 310]) })).toEqual([]);
      const seen = visit([document, vendor], [lcp], { frames: ran([110, 310]) });
      const late = { ...seen, complete: { state: 'complete', at: 320, networkAt: 100, decidedAt: 9_000 } } as const;
      expect(fixesOf(late)).toMatchObject([{ code: 'slow-script', savesMs: 200 }]);
    });

    it('slow-layout: style and layout that no script forced', () => {
      const frame = { at: 120, duration: 160, blocking: 0, styleFrom: 130, scripts: [] };
      expect(found('slow-layout', [document, vendor, widget, items], [], { frames: [frame] })).toEqual([
        { code: 'slow-layout', urls: [`${SITE}/`], savesMs: 150, facts: { ms: 150 } },
      ]);
    });

    it('not where nothing waited for it, and not where a timer decides', () => {
      const frames = ran([120, 280]);
      const slow = part('photo.png', 60, 400, { ...byParser(3), type: 'image' });
      expect(found('slow-script', [document, vendor, widget, slow], [], { frames })).toEqual([]);
      const timed = part('items', 285, 400, {
        initiator: { type: 'script', url: `${SITE}/widget.js`, line: 1, stack: [], scheduledBy: 'setTimeout' },
      });
      expect(found('slow-script', [document, vendor, widget, timed], [], { frames })).toEqual([]);
    });
  });

  it('third-party: another site on the critical path, but not data of the own scripts', () => {
    const widget = part('w.js', 60, 400, { ...byParser(3), url: 'https://ads.net/w.js' });
    const inline = { initiator: { type: 'script', url: `${SITE}/`, line: 9, stack: [] } } as const;
    const items = part('items', 405, 700, inline);
    expect(found('third-party', [document, widget, items])).toEqual([
      { code: 'third-party', urls: ['https://ads.net/w.js'], savesMs: 340, facts: { site: 'ads.net', requests: 1 } },
    ]);
    expect(found('third-party', [document, part('x', 60, 400, { ...inline, url: 'https://api.net/x' })])).toEqual([]);
    const tag = part('t', 60, 400, { ...inline, type: 'script', url: 'https://www.googletagmanager.com/gtm.js' });
    expect(found('third-party', [document, tag])).toMatchObject([
      { facts: { site: 'googletagmanager.com', entity: 'Google Tag Manager', requests: 1 } },
    ]);
  });

  it('short-cache: files that may not be kept, which saves nothing on this visit', () => {
    const file = (id: string, value: string) =>
      part(id, 55, 90, {
        ...byParser(),
        contentSize: 10_000,
        response: response({ at: 80, mimeType: 'image/png', headers: [{ name: 'cache-control', value }] }),
      });
    const requests = [
      document,
      file('a.js', 'no-cache'),
      file('b.js', 'public, max-age=600'),
      file('c.js', 'max-age=31536000'),
    ];
    expect(found('short-cache', requests)).toEqual([
      {
        code: 'short-cache',
        urls: [`${SITE}/a.js`, `${SITE}/b.js`],
        savesMs: 0,
        facts: { requests: 2, unkept: 1, bytes: 20_000 },
      },
    ]);
  });

  const picture = (mimeType: string, contentSize = 100_000) =>
    part('photo', 60, 460, {
      initiator: { type: 'parser', url: `${SITE}/`, line: 3 },
      type: 'image',
      contentSize,
      response: response({ at: 60, mimeType, headers: KEPT }),
    });

  it('large-picture: pixels that are not shown, of the largest place that a picture has', () => {
    const shownAs = (...sizes: readonly (readonly [number, number])[]) =>
      found('large-picture', [document, picture('image/webp')], [], {
        rendered: {
          pictures: sizes.map(([width, height]) => ({
            url: `${SITE}/photo`,
            natural: { width: 1_600, height: 1_200 },
            shown: { width, height },
          })),
          fonts: [],
        },
      });
    expect(shownAs([400, 300], [800, 600])).toEqual([
      {
        code: 'large-picture',
        urls: [`${SITE}/photo`],
        savesMs: 300,
        facts: {
          requests: 1,
          bytes: 100_000,
          savesBytes: 75_000,
          natural: { width: 1_600, height: 1_200 },
          shown: { width: 800, height: 600 },
        },
      },
    ]);
    // A part that is cut out of it needs all of its height.
    expect(shownAs([100, 1_200])).toEqual([]);
    expect(shownAs([1_590, 1_190])).toEqual([]);
    expect(found('large-picture', [document, picture('image/webp')])).toEqual([]);
  });

  it('old-format: what WebP saves at least, from 8 kB on', () => {
    const saves = (...parts: Parameters<typeof picture>) =>
      found('old-format', [document, picture(...parts)]).map(({ savesMs, facts }) => [savesMs, facts]);
    expect(saves('image/jpeg')).toEqual([[100, { requests: 1, bytes: 100_000, savesBytes: 25_000 }]]);
    expect(saves('image/gif; charset=binary')).toMatchObject([[76, { savesBytes: 19_000 }]]);
    expect(saves('image/webp')).toEqual([]);
    // A PNG only where it has more bytes than one with a palette could have.
    const png = (bytes: number) =>
      found('old-format', [document, picture('image/png', bytes)], [], {
        rendered: {
          pictures: [
            { url: `${SITE}/photo`, natural: { width: 200, height: 200 }, shown: { width: 200, height: 200 } },
          ],
          fonts: [],
        },
      }).map(({ facts }) => facts);
    expect(png(100_000)).toEqual([{ requests: 1, bytes: 100_000, savesBytes: 26_000 }]);
    expect(png(39_000)).toEqual([]);
    expect(saves('image/png')).toEqual([]);
  });

  const font = part('a.woff2', 100, 400, {
    initiator: { type: 'parser', url: `${SITE}/a.css`, line: 3 },
    type: 'font',
    response: response({ at: 390, mimeType: 'font/woff2', headers: KEPT }),
  });
  const withFont = (display: string, url?: string): Rendered => ({
    pictures: [],
    fonts: [{ family: 'Inter', display, ...(url !== undefined && { url }) }],
  });

  it('hidden-text: as long as its font is on the way, and nothing else hides the page', () => {
    const hidden = (rendered: Rendered, others: readonly Request[] = []) =>
      found('hidden-text', [document, ...others, font], [], { rendered }).map(({ savesMs, facts }) => ({
        savesMs,
        ...facts,
      }));
    const told = { savesMs: 0, families: ['Inter'], hidden: 300 };
    expect(hidden(withFont('block', `${SITE}/a.woff2`))).toEqual([told]);
    // Of a style sheet of another origin only the fonts are known.
    expect(hidden(withFont('auto'))).toEqual([told]);
    expect(hidden(withFont('swap', `${SITE}/a.woff2`))).toEqual([]);
    expect(hidden(withFont('block', `${SITE}/other.woff2`))).toEqual([]);
    expect(hidden(withFont('block'), [part('a.js', 60, 350, byParser())])).toEqual([]);
  });

  it('font-shift: what moved just after a font came, and after nothing else', () => {
    const shifted = (at: number, others: readonly Request[] = []) =>
      found('font-shift', [document, ...others, font, part('last', 420, 2_000, by('a.js'))], [], {
        rendered: withFont('swap'),
        shifts: [{ at, score: 0.08 }],
      });
    expect(shifted(420)).toMatchObject([{ savesMs: 0, facts: { families: ['Inter'], score: 0.08 } }]);
    expect(shifted(900)).toEqual([]);
    expect(shifted(390)).toEqual([]);
    expect(shifted(420, [part('a.js', 60, 350, byParser())])).toEqual([]);
  });

  it('duplicate-poll: one question of several askers, or asked before it was answered', () => {
    const polls = (lines: readonly number[], took = 20, address = (index: number) => `poll?t=${index}`) => {
      const requests = lines.map((line, index) => {
        const from = 1_000 + index * 500;
        const stack = [{ url: `${SITE}/a.js`, line, column: 1, functionName: 'ask' }];
        return part(address(index), from, from + took, { initiator: { type: 'script', stack }, contentSize: 500 });
      });
      const seen = visit([document, part('a.js', 55, 300, byParser())]);
      const verdict = (requestId: string): Verdict => ({
        requestId,
        kind: 'poll',
        reason: { code: 'web-transport' },
        confidence: 'certain',
      });
      return fixesOf({
        ...seen,
        timeline: timeline([...seen.timeline.requests, ...requests]),
        verdicts: new Map(requests.map(({ id }) => [id, verdict(id)])),
      }).filter(({ code }) => code === 'duplicate-poll');
    };
    expect(polls([7, 9, 7, 9, 7])).toMatchObject([
      { savesMs: 0, facts: { url: `${SITE}/poll?t=0`, times: 5, again: 2, savesBytes: 1_000 } },
    ]);
    expect(polls([7, 7, 7], 600)).toMatchObject([{ facts: { times: 3, again: 2 } }]);
    expect(polls([7, 7, 7])).toEqual([]);
    expect(polls([7, 7, 7, 9])).toEqual([]);
    // Two rooms are two questions.
    expect(polls([7, 9, 7, 9, 7, 9], 20, (index) => `room?name=${index % 2 === 0 ? 'hall' : 'attic'}`)).toEqual([]);
  });

  it('names the largest saving first', () => {
    const savings = fixesOf(
      visit([document, part('a.js', 60, 300, byParser()), part('items', 310, 900, by('a.js'))]),
    ).map(({ savesMs }) => savesMs);
    expect(savings.length).toBeGreaterThan(1);
    expect(savings).toEqual(savings.toSorted((a, b) => b - a));
  });
});
