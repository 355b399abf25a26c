import { describe, expect, it } from 'vitest';
import { fileStates } from '../../../src/core/why/changed-files.ts';
import { buildLoads } from '../../../src/core/why/loads.ts';
import { plainTexts } from '../../../src/core/why/plain-text.ts';
import { tracedAskers } from '../../../src/core/why/traced-askers.ts';
import type { InventoryItem } from '../../../src/model/compare/comparison.ts';
import type { LoadedFile } from '../../../src/model/compare/why.ts';
import { build } from '../changes/builds.ts';

const PAGE = 'https://shop.test';

describe('a text without the hashes of other files', () => {
  it('is the same whenever only these have changed', () => {
    const [one, other] = ['DiwrgTda', 'B7xQ2mZk'].map((hash) =>
      plainTexts([`${PAGE}/assets/cart-${hash}.js`, `${PAGE}/assets/logo.svg`])(
        `import './cart-${hash}.js'; // logo.svg`,
      ),
    );
    expect(one).toBe("import './cart-*.js'; // logo.svg");
    expect(other).toBe(one);
  });
});

describe('whether a file is the same in both builds', () => {
  const state = (
    [length, hash]: readonly [lengths: readonly number[], hash?: string],
    [otherLength, otherHash]: readonly [lengths: readonly number[], hash?: string],
    type: InventoryItem['type'] = 'script',
  ) => {
    const name = 'GET /a';
    const loads = (lengths: readonly number[]) =>
      lengths.map((contentSize): readonly InventoryItem[] => [
        {
          name,
          url: `${PAGE}/a`,
          type,
          requests: 1,
          transferSize: contentSize,
          timing: { startedAt: 0, endedAt: 9, wait: 5, receive: 4, contentSize },
        },
      ]);
    const files = (of?: string): readonly LoadedFile[] => (of === undefined ? [] : [{ url: `${PAGE}/a`, hash: of }]);
    const { base, candidate } = buildLoads(
      { base: build(PAGE, { files: files(hash) }), candidate: build(PAGE, { files: files(otherHash) }) },
      { base: loads(length), candidate: loads(otherLength) },
    );
    return fileStates(base, candidate)(name);
  };

  it('is told by its text, and else by its length in all loads', () => {
    expect(state([[10, 10], 'a'], [[10, 10], 'a'])).toBe('same');
    expect(state([[10, 10], 'a'], [[10, 10], 'b'])).toBe('changed');
    expect(state([[10, 10]], [[12, 12]], 'image')).toBe('changed');
    expect(state([[10, 10]], [[10, 10]], 'image')).toBe('same');
    // A text that holds the hash of another file has another length, and is the same.
    expect(state([[10, 10], 'a'], [[12, 12], 'a'])).toBe('same');
  });

  it('of a document takes both: its hash is that of its scripts alone', () => {
    expect(state([[10], 'a'], [[12], 'a'], 'document')).toBe('changed');
    expect(state([[10], 'a'], [[10], 'a'], 'document')).toBe('same');
  });

  it('is not known where its length varies', () => {
    expect(state([[10, 11]], [[12, 12]], 'fetch')).toBe('unknown');
  });
});

describe('who asked, by a trace', () => {
  let at = 0;
  const span = (name: string, ts: number, dur: number, data = {}) => ({
    name,
    ph: 'X',
    ts,
    dur,
    pid: 1,
    tid: 1,
    args: { data },
  });
  const send = (url: string, initiator: object, more = {}) => {
    at += 1_000;
    return {
      name: 'ResourceSendRequest',
      ph: 'I',
      ts: at + 500,
      pid: 1,
      tid: 1,
      args: { data: { url, initiator, ...more } },
    };
  };
  const call = (url: string, lineNumber = 3) =>
    span('FunctionCall', at + 110, 50, { url, functionName: '', lineNumber, columnNumber: 12 });
  /** A task around the last request. */
  const task = (...inside: readonly object[]) => [span('RunTask', at + 100, 800), ...inside];
  const microtasks = () => span('RunMicrotasks', at + 400, 200);

  it('is the script that ran before in its task', () => {
    const hero = send(`${PAGE}/hero.png`, { type: 'other', fetchType: 'img' });
    const events = [hero, ...task(call(`${PAGE}/carousel.js`), microtasks())];
    expect(tracedAskers(events).get(`${PAGE}/hero.png`)).toEqual({
      url: `${PAGE}/carousel.js`,
      name: '(anonymous)',
      line: 3,
      column: 12,
    });
  });

  it('is not known of two scripts, of another task, of what the parser found, and of what the browser names itself', () => {
    const two = send(`${PAGE}/two.png`, { type: 'other' });
    const ofTwo = [two, ...task(call(`${PAGE}/a.js`), call(`${PAGE}/b.js`), microtasks())];
    const before = [call(`${PAGE}/a.js`)];
    const alone = send(`${PAGE}/alone.png`, { type: 'other' });
    const ofAlone = [alone, ...task(microtasks())];
    const parsed = send(`${PAGE}/parsed.png`, { type: 'parser', fetchType: 'img' });
    const ofParsed = [parsed, ...task(call(`${PAGE}/a.js`))];
    const named = send(`${PAGE}/named.json`, {}, { stackTrace: [{ url: `${PAGE}/a.js` }] });
    const ofNamed = [named, ...task(call(`${PAGE}/a.js`), microtasks())];
    expect([...tracedAskers([...ofTwo, ...before, ...ofAlone, ...ofParsed, ...ofNamed]).keys()]).toEqual([]);
  });
});
