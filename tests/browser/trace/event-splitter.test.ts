import { expect, it } from 'vitest';
import { createEventSplitter } from '../../../src/browser/trace/event-splitter.ts';

const EVENTS = [
  { name: 'a', args: { data: { list: [{ deep: [1, 2] }], text: '},{"[\\' } } },
  { name: 'ä \u2028 "quoted" \\', args: {} },
  {},
  { name: 'long', args: { snapshot: 'x'.repeat(300) } },
];
const METADATA = { clock: 'LINUX', trials: [{ name: 'no event' }], config: { list: [{}] } };

it.each([
  [
    'as Chrome writes it',
    JSON.stringify({ traceEvents: EVENTS, metadata: METADATA }).replaceAll('},{"name"', '},\n{"name"'),
  ],
  ['with its list behind others', JSON.stringify({ metadata: METADATA, traceEvents: EVENTS })],
  ['with space', JSON.stringify({ traceEvents: EVENTS, metadata: METADATA }, undefined, 2)],
])('finds the events of a trace %s, wherever its pieces are cut', (_, json) => {
  const bytes = Buffer.from(json);
  for (const size of [1, 2, 3, 7, 64, 1_000, bytes.length]) {
    const splitter = createEventSplitter();
    const found: unknown[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...splitter.add(bytes.subarray(at, at + size)));
    expect(found).toEqual(EVENTS);
  }
});

it('gives each event as soon as it has ended', () => {
  const splitter = createEventSplitter();
  expect(splitter.add(Buffer.from('{"traceEvents":[{"name":"a"},{"na'))).toEqual([{ name: 'a' }]);
  expect(splitter.add(Buffer.from('me":"b"'))).toEqual([]);
  expect(splitter.add(Buffer.from('}'))).toEqual([{ name: 'b' }]);
});

it('takes what is no JSON for no trace', () => {
  expect(() => createEventSplitter().add(Buffer.from('{"traceEvents":[{name}]}'))).toThrow();
});
