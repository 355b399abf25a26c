import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { readProtobuf } from '../../../src/core/text/protobuf.ts';

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number) => [field * 8, ...varint(value)];
const part = (field: number, bytes: readonly number[]) => [field * 8 + 2, ...varint(bytes.length), ...bytes];
const text = (field: number, value: string) => part(field, [...Buffer.from(value)]);
const read = (...fields: readonly (readonly number[])[]) => readProtobuf(Uint8Array.from(fields.flat()));

it('tells the fields of a message, and the first value', () => {
  expect(read(number(1, 300), number(2, 7))).toEqual({ fields: '1n,2n', first: '300' });
  expect(read(text(1, 'room-7'), [5 * 8 + 5, 0, 0, 0, 1])).toEqual({ fields: '1s,5d', first: 'room-7' });
  expect(read(number(1, 1), text(3, 'a'), text(3, 'b'), [4 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8])?.fields).toBe('1n,3s,4d');
});

it('looks into a message in a message', () => {
  expect(read(part(2, [...number(1, 4), ...number(2, 9)]))).toEqual({ fields: '2{1n,2n}', first: '4' });
});

it('knows no id where a field stands alone, or is a text of many words', () => {
  expect(read(number(1, 300))?.first).toBeUndefined();
  expect(read(text(1, 'once upon a time'), number(2, 1))?.first).toBeUndefined();
  expect(read()).toEqual({ fields: '', first: undefined });
});

it('takes no other bytes for a message', () => {
  // A Yjs update, MessagePack, MQTT, a message that was cut off, a field without a value, a number that does not end.
  for (const bytes of [
    [0, 1, 5],
    [0x93, 1, 2, 3],
    [0x30, 5, 0, 1, 97, 98],
    [10, 9, 97],
    [8],
    [8, ...Array(20).fill(255)],
  ])
    expect(readProtobuf(Uint8Array.from(bytes)), String(bytes)).toBeUndefined();
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void readProtobuf(bytes)));
});
