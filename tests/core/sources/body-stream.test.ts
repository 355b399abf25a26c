import { expect, it } from 'vitest';
import { createBodyStream, isBodyStream } from '../../../src/core/sources/body-stream.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const shapes = (type: string, ...pieces: readonly string[]): readonly (readonly string[])[] => {
  const body = createBodyStream(type);
  return pieces.map((piece) => body.add(bytes(piece)).map(({ shape }) => shape));
};

it('is what is read in parts, and does not say how long it is', () => {
  expect(isBodyStream('text/event-stream', {})).toBe(true);
  expect(isBodyStream('application/x-ndjson', {})).toBe(true);
  expect(isBodyStream('text/plain', {})).toBe(true);
  expect(isBodyStream('text/plain', { 'Content-Length': '20' })).toBe(false);
  expect(isBodyStream('application/json', {})).toBe(false);
  expect(isBodyStream('text/html', {})).toBe(false);
});

it('gives an event when it is whole, however the wire cuts it', () => {
  const [, second = [], third = []] = shapes(
    'text/event-stream',
    'data: {"a"',
    ':1}\n\nevent: ping\nda',
    'ta: {}\n\n: x\n\n',
  );
  const [[whole]] = shapes('text/event-stream', 'data: {"a":2}\n\n') as [readonly string[]];
  expect(second).toEqual([whole]);
  expect(third).toHaveLength(2);
  expect(third[1]).toBe('comment');
});

it('gives a line of JSON, and pieces of plain text as they come', () => {
  expect(shapes('application/x-ndjson', '{"a":1}\n{"a"', ':2}\n').map((each) => each.length)).toEqual([1, 1]);
  expect(shapes('text/plain', 'Once', ' upon').map((each) => each.length)).toEqual([1, 1]);
});

it('cuts what never ends', () => {
  const body = createBodyStream('application/x-ndjson');
  expect(body.add(bytes('x'.repeat(200_000))).length).toBe(3);
});
