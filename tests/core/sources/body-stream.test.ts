import { describe, expect, it } from 'vitest';
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

describe('messages in frames', () => {
  const frame = (flags: number, body: readonly number[]) => [flags, 0, 0, 0, body.length, ...body];
  const reading = (room: number, value: number) => frame(0, [8, room, 16, value]);
  const end = frame(0x80, [...bytes('grpc-status:0\r\n')]);
  const shapesOf = (type: string, ...pieces: readonly (readonly number[])[]) => {
    const body = createBodyStream(type);
    return pieces.map((piece) => body.add(Uint8Array.from(piece)).map(({ shape, places }) => [shape, ...places]));
  };

  it('are told by their fields and what they are about, however the wire cuts them', () => {
    const whole = [...reading(1, 20), ...reading(2, 20), ...reading(1, 21), ...end];
    for (const at of [1, 5, 9, 14, 30]) {
      const [before = [], after = []] = shapesOf('application/grpc-web+proto', whole.slice(0, at), whole.slice(at));
      const [first, second, again, last, ...more] = [...before, ...after];
      expect(more).toEqual([]);
      expect(again).toEqual(first);
      expect(second?.[0]).toBe(first?.[0]);
      expect(second?.[1]).not.toBe(first?.[1]);
      expect(last?.[0]).not.toBe(first?.[0]);
    }
  });

  it('may be written in base64, each with an end of its own', () => {
    const base64 = (part: readonly number[]) => Buffer.from(part).toString('base64');
    const text = [...bytes(base64(reading(1, 20)) + base64(reading(2, 20)))];
    const [own] = shapesOf('application/grpc-web+proto', [...reading(1, 20), ...reading(2, 20)]);
    expect(shapesOf('application/grpc-web-text', text.slice(0, 7), text.slice(7)).flat()).toEqual(own);
  });

  it('may be JSON', () => {
    const message = (value: object) => frame(0, [...bytes(JSON.stringify(value))]);
    const pieces = [message({ id: 1, v: 2 }), message({ id: 2, v: 2 }), message({ ping: 1 })];
    const [one, two, ping] = shapesOf('application/connect+json', pieces.flat()).flatMap((parts) =>
      parts.map(([shape]) => shape),
    );
    expect(two).toBe(one);
    expect(ping).not.toBe(one);
  });

  it('are read in parts', () => {
    expect(isBodyStream('application/grpc-web+proto', {})).toBe(true);
    expect(isBodyStream('application/connect+json', {})).toBe(true);
    expect(isBodyStream('application/grpc-web', { 'content-length': '9' })).toBe(false);
  });
});
