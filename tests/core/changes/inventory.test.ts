import { describe, expect, it } from 'vitest';
import { inventoryOf, nameOfAddress } from '../../../src/core/changes/inventory.ts';
import type { Verdict } from '../../../src/model/background/verdict.ts';
import type { PageComplete } from '../../../src/model/completion/completion.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';

const PAGE = 'https://shop.test/';

function visit(requests: readonly Request[], verdicts: readonly Verdict[] = [], at = 5_000): Visit {
  const complete: PageComplete = { state: 'complete', at, networkAt: at, decidedAt: at + 3_000 };
  return {
    recording: recording({ navigation: { ...recording().navigation, url: PAGE } }),
    timeline: timeline(requests),
    verdicts: new Map(verdicts.map((verdict) => [verdict.requestId, verdict])),
    overruled: new Map(),
    complete,
    raw: complete,
  };
}

const document = request({ id: 'page', url: PAGE, type: 'document', mainDocument: true, transferSize: 900 });
const poll = (id: string, counts?: Verdict['counts']): Verdict => ({
  requestId: id,
  kind: 'poll',
  reason: { code: 'recorded', text: 'asked every second' },
  confidence: 'certain',
  ...(counts && { counts }),
});

describe('the name of an address', () => {
  it.each([
    ['https://shop.test/assets/app-DiwrgTda.js', '/assets/app-*.js'],
    ['https://shop.test/main.js?v=12', '/main.js?v=*'],
    ['https://shop.test/api?_=1699999', '/api?_=*'],
    ['https://shop.test/style.css?1697041', '/style.css?*'],
    ['https://shop.test/icon.svg?raw', '/icon.svg?raw'],
    ['https://shop.test/api?b=2&a=1&b=3', '/api?a=*&b=*'],
    ['https://cdn.other.test/lib.3f2a1b9c.js', 'https://cdn.other.test/lib.*.js'],
    ['https://shop.test:8443/app.js', 'https://shop.test:8443/app.js'],
    ['http://shop.test/app.js', 'http://shop.test/app.js'],
    ['https://shop.test.evil.test/app.js', 'https://shop.test.evil.test/app.js'],
    ['wss://shop.test/live', 'ws:/live'],
    ['wss://other.test/live', 'wss://other.test/live'],
    ['not an address', 'not an address'],
  ])('%s is %s', (address, name) => {
    expect(nameOfAddress(address, PAGE)).toBe(name);
  });

  it('is the same at another origin', () => {
    expect(nameOfAddress('http://127.0.0.1:4000/a/b?c=1', 'http://127.0.0.1:4000/')).toBe(
      nameOfAddress('https://shop.test/a/b?c=2', PAGE),
    );
  });
});

describe('what a page fetched', () => {
  it('adds up what has one name, and counts it', () => {
    const files = ['aaaa1111', 'bbbb2222'].map((hash, i) =>
      request({ id: hash, startedAt: i, url: `${PAGE}css/${hash}.css`, type: 'stylesheet', transferSize: 100 + i }),
    );
    expect(inventoryOf(visit([document, ...files])).map(({ timing: _, ...item }) => item)).toEqual([
      { name: 'GET /', page: true, url: PAGE, type: 'document', requests: 1, transferSize: 900 },
      { name: 'GET /css/*.css', url: `${PAGE}css/aaaa1111.css`, type: 'stylesheet', requests: 2, transferSize: 201 },
    ]);
  });

  it('tells when the first of a name was asked for, by whom, and how long its server and its bytes took', () => {
    const script = request({ id: 'app', url: `${PAGE}app.js`, type: 'script', startedAt: 60, endedAt: 150 });
    const stack = [{ functionName: 'load', url: `${PAGE}app.js`, line: 7, column: 3 }];
    const asked = [200, 900].map((startedAt) =>
      request({
        id: `data-${startedAt}`,
        url: `${PAGE}data.json`,
        startedAt,
        endedAt: startedAt + 130,
        response: response({ at: startedAt + 90 }),
        contentSize: 400,
        initiator: { type: 'script', stack },
      }),
    );
    const items = inventoryOf(visit([document, script, ...asked]));
    expect(items.at(-1)?.timing).toEqual({
      startedAt: 200,
      endedAt: 330,
      wait: 90,
      receive: 40,
      contentSize: 400,
      askedBy: { kind: 'script', url: `${PAGE}app.js`, line: 7, column: 3, name: 'load' },
    });
    const unanswered = request({ id: 'open', url: `${PAGE}slow.png`, endedAt: undefined });
    expect(inventoryOf(visit([unanswered]))[0]?.timing).toBeUndefined();
  });

  it('takes an image for one of the document only before a script can have put it there', () => {
    const byParser = { type: 'parser', url: PAGE, line: 9 } as const;
    const script = request({ id: 'app', url: `${PAGE}app.js`, type: 'script', startedAt: 60, endedAt: 150 });
    const images = [110, 160].map((startedAt) =>
      request({ id: `at ${startedAt}`, url: `${PAGE}${startedAt}.png`, type: 'image', startedAt, initiator: byParser }),
    );
    const askers = inventoryOf(visit([document, script, ...images])).map(({ timing }) => timing?.askedBy?.kind);
    expect(askers).toEqual([undefined, undefined, 'markup', undefined]);
  });

  it('leaves out background, also where a part of it counts', () => {
    const asked = ['a', 'b'].map((id) => request({ id, url: `${PAGE}api/${id}` }));
    const verdicts = [poll('a'), poll('b', { from: 0, to: 100 })];
    expect(inventoryOf(visit([document, ...asked], verdicts)).map(({ name }) => name)).toEqual(['GET /']);
  });

  it('leaves out what came after the page was complete, what an earlier page asked for, and what was never fetched', () => {
    const late = request({ id: 'late', url: `${PAGE}late.js`, startedAt: 6_000, endedAt: 6_100 });
    const old = request({ id: 'old', url: `${PAGE}old.js`, fromPreviousDocument: true });
    const inline = request({ id: 'inline', url: 'data:image/png;base64,AAAA' });
    expect(inventoryOf(visit([document, late, old, inline])).map(({ name }) => name)).toEqual(['GET /']);
  });

  it('tells a redirect from what is behind it, and operations at one address from each other', () => {
    const hop = request({ id: 'hop', url: 'http://shop.test/', outcome: 'redirected', mainDocument: true });
    const body = (operation: string) => ({ mimeType: 'application/json', size: 10, operation });
    const calls = ['Products', 'Reviews'].map((operation) =>
      request({ id: operation, method: 'POST', url: `${PAGE}graphql`, postBody: body(operation) }),
    );
    expect(inventoryOf(visit([hop, document, ...calls])).map(({ name }) => name)).toEqual([
      'GET http://shop.test/ (redirect)',
      'GET /',
      'POST /graphql (Products)',
      'POST /graphql (Reviews)',
    ]);
  });

  it('knows other sites by the domain that somebody registered', () => {
    const urls = ['https://cdn.shop.test/a.js', 'https://shop.test:8443/b.js', 'https://tracker.test/c.js'];
    const items = inventoryOf(visit([document, ...urls.map((url) => request({ id: url, url }))]));
    expect(items.map(({ thirdParty }) => thirdParty)).toEqual([undefined, undefined, undefined, 'tracker.test']);
  });

  it('counts a size that is not known as none', () => {
    const open = request({ id: 'open', url: `${PAGE}slow.png`, endedAt: undefined });
    expect(inventoryOf(visit([open]))[0]?.transferSize).toBe(0);
  });
});
