import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { shapeOf, shapeOfText } from '../../../../src/core/background/content/message-shape.ts';
import { inflatedText } from '../../../../src/core/text/inflated-text.ts';

const shape = (text: string, eventName?: string): string => shapeOfText(text, eventName).shape;

it('a figure whose key ends like an id is none', () => {
  expect(shapeOfText('{"bid":10.5,"ask":11}').places).toEqual([]);
  expect(shapeOfText('{"userid":7,"paid":11}').places).toHaveLength(1);
});

describe('a frame of STOMP', () => {
  const frame = (destination: string, id: number, body: string): string =>
    `MESSAGE\ndestination:${destination}\nsubscription:sub-1\nmessage-id:${id}\n\n${body}\0`;

  it('is about its destination, and what its body names there', () => {
    const [gold, again, zinc] = ['/topic/gold', '/topic/gold', '/topic/zinc'].map((topic, i) =>
      shapeOfText(frame(topic, i, `{"bid":${10 + i},"ask":11}`)),
    );
    expect(again).toEqual(gold);
    expect(zinc?.shape).toBe(gold?.shape);
    expect(zinc?.places).not.toEqual(gold?.places);
    const [a, b] = ['A', 'B'].map((symbol) =>
      shapeOfText(frame('/topic/ticks', 1, `{"symbol":"${symbol}","price":1}`)),
    );
    expect(a?.shape).toBe(b?.shape);
    expect(a?.places).not.toEqual(b?.places);
    expect(shapeOfText(frame('/app/orders', 3, '[{"id":1,"side":"BUY"}]')).shape).not.toBe(gold?.shape);
  });

  it('is what its command says where it goes nowhere', () => {
    expect(shapeOfText('CONNECTED\nversion:1.2\nsession:a1\n\n\0')).toEqual(
      shapeOfText('CONNECTED\nversion:1.2\nsession:b2\n\n\0'),
    );
  });
});

describe('the shape of a message', () => {
  it.each([
    ['a token and the next', '{"delta":{"content":"Once"}}', '{"delta":{"content":" upon a time"}}'],
    ['two prices', '{"type":"tick","symbol":"A","price":1}', '{"type":"tick","symbol":"B","price":20.5}'],
    ['lists of any length', '{"rows":[{"id":1},{"id":2}]}', '{"rows":[{"id":7},{"id":8},{"id":9}]}'],
    ['Socket.IO events', '42["news",{"id":1}]', '42["news",{"id":2}]'],
    ['counters', '7', '1,024'],
    [
      'panels by Turbo',
      '<turbo-stream action="replace" target="a"><p>1</p></turbo-stream>',
      '<turbo-stream action="replace" target="b"><p>2</p></turbo-stream>',
    ],
    ['Phoenix messages', '["1","2","room:7","new_msg",{"body":"a"}]', '["1","9","room:8","new_msg",{"body":"b"}]'],
    [
      'SignalR records',
      '{"type":1,"target":"add","arguments":[1]}\u001e',
      '{"type":1,"target":"add","arguments":[2]}\u001e',
    ],
    ['one field of two things', '{"id":3,"field":"belt","value":"7"}', '{"id":4,"field":"belt","value":"9"}'],
    ['one part of a document', '[{"op":"replace","path":"/f/3/gate"}]', '[{"op":"replace","path":"/f/12/gate"}]'],
    ['rows of a flight stream', '3:["$","div",null,{"children":"a"}]', '4b:["$","$L6",null,{"children":["b"]}]'],
    [
      'maps of things',
      '{"0a1b2c3d-0000-4000-8000-000000000001":{"n":1}}',
      '{"0a1b2c3d-0000-4000-8000-000000000002":{"n":2}}',
    ],
  ])('is the same for %s', (_, one, other) => {
    expect(shape(one)).toBe(shape(other));
  });

  it.each([
    ['a token and the end', '{"delta":{"content":"Once"}}', '{"delta":{},"finish_reason":"stop"}'],
    ['a snapshot and an update', '{"type":"snapshot","rows":[]}', '{"type":"update","rows":[]}'],
    ['one row and many', '{"rows":[{"id":1}]}', '{"rows":[{"id":1},{"id":2}]}'],
    [
      'two channels',
      '{"type":"next","payload":{"data":{"orders":[]}}}',
      '{"type":"next","payload":{"data":{"prices":[]}}}',
    ],
    ['a heartbeat and a message', '2', '42["news",{}]'],
    ['Socket.IO events', '42["news",{}]', '42["presence",{}]'],
    ['actions of Turbo', '<turbo-stream action="replace" target="a">', '<turbo-stream action="remove" target="a">'],
    ['an element and a text of a flight stream', '3:["$","div",null,{}]', '8:"217 people are watching"'],
    ['an element and a module of a flight stream', '3:["$","div",null,{}]', '9:I[90021,["map.js"],"Map"]'],
    ['fields of a thing', '{"id":3,"field":"belt","value":"7"}', '{"id":3,"field":"due","value":"9"}'],
    ['parts of a document', '[{"op":"replace","path":"/f/3/gate"}]', '[{"op":"replace","path":"/f/3/due"}]'],
    ['commands', 'PING', 'MESSAGE orders\n\n{}'],
  ])('differs for %s', (_, one, other) => {
    expect(shape(one)).not.toBe(shape(other));
  });

  it('differs for events of other names, and "message" is the usual one', () => {
    expect(shape('{}', 'ping')).not.toBe(shape('{}', 'row'));
    expect(shape('{}', 'message')).toBe(shape('{}'));
  });

  it.each([
    ['zlib', deflateSync],
    ['gzip', gzipSync],
  ] as const)('is that of the text in a message that is packed by %s', (_, pack) => {
    const packed = (text: string) => {
      const bytes = pack(text);
      const message = { at: 1, bytes: bytes.length, direction: 'received', opcode: 2 } as const;
      return shapeOf({ ...message, text: bytes.toString('base64') });
    };
    const row = '{"op":0,"t":"ROW","d":{"id":7,"name":"Zoë"}}';
    expect(packed(row)).toEqual({ ...shapeOfText(row), joins: [] });
    expect(packed(row).shape).not.toBe(packed('{"op":0,"t":"PRESENCE","d":{"user":7}}').shape);
    // Bytes that would fill the memory are not unpacked to their end.
    expect(inflatedText(pack('a'.repeat(80_000_000)).toString('base64'))?.length).toBeLessThan(3_000_000);
    // What is cut off, or no text, has a size.
    const cut = pack(row).subarray(0, 20).toString('base64').slice(0, -3);
    expect(shapeOf({ at: 1, bytes: 20, direction: 'received', opcode: 2, text: cut }).places).toEqual([]);
  });

  it('goes by the size of what cannot be read', () => {
    const binary = (bytes: number) => shapeOf({ at: 1, bytes, direction: 'received', opcode: 2, text: 'AAAA' }).shape;
    expect(binary(20)).toBe(binary(200));
    expect(binary(2)).not.toBe(binary(20_000));
  });

  it('goes by the number of its kind in what is binary, the first byte', () => {
    const binary = (...bytes: readonly number[]) =>
      shapeOf({ at: 1, bytes: 20, direction: 'received', opcode: 2, text: Buffer.from(bytes).toString('base64') })
        .shape;
    expect(binary(1, 200, 7)).not.toBe(binary(2, 200, 7));
    expect(binary(1, 90, 7)).toBe(binary(1, 200, 7));
    // What is packed or encrypted may begin with anything.
    expect(binary(0x82, 1)).toBe(binary(0xf3, 2));
  });

  it('keeps no text of a message', () => {
    for (const text of ['sEcReT', '{"type":"sEcReT","id":"sEcReT"}', 'sEcReT {"a":1}', '["sEcReT"]']) {
      expect(JSON.stringify(shapeOfText(text, 'sEcReT'))).not.toContain('sEcReT');
    }
  });
});

describe('what a message is about', () => {
  const places = (text: string) => shapeOfText(text).places;
  it('is named by ids and keys, at any depth', () => {
    expect(places('{"type":"tick","symbol":"A","price":1}')).toEqual(places('{"type":"tick","symbol":"A","price":2}'));
    expect(places('{"symbol":"A"}')).not.toEqual(places('{"symbol":"B"}'));
    expect(places('{"rows":[{"id":1},{"id":2}]}')).toHaveLength(2);
    expect(places('{"delta":{"content":"Once"}}')).toEqual([]);
    expect(places('3:["$","p",null,{}]')).not.toEqual(places('4:["$","p",null,{}]'));
    expect(places('{"state":"boarding"}')).toEqual([]);
    expect(places('{"id":7,"p":1,"of":{"state":"late","min":5}}')).toHaveLength(1);
    expect(places('[{"op":"replace","path":"/flights/3/gate"}]')).not.toEqual(
      places('[{"op":"replace","path":"/flights/4/gate"}]'),
    );
    expect(places('<turbo-stream target="a">')).not.toEqual(places('<turbo-stream target="b">'));
  });
});

it('may be about each of its fields where nothing says it', () => {
  const fields = (text: string) => shapeOfText(text).fields;
  expect(fields('{"rack":4,"load":37}')).toHaveLength(2);
  expect(fields('{"rack":4,"load":37}')?.[0]).toBe(fields('{"rack":4,"load":38}')?.[0]);
  expect(fields('{"rack":4,"load":37}')?.[0]).not.toBe(fields('{"rack":5,"load":37}')?.[0]);
  expect(fields('{"seat":"A4","state":"taken"}')).toHaveLength(2);
  expect(fields('{"id":4,"load":37}')).toBeUndefined();
  expect(fields('{"s":"WOOL","p":12.5}')).toHaveLength(1);
});

it('may be about what the header says, in what is binary', () => {
  const fields = (...bytes: readonly number[]) =>
    shapeOf({ at: 1, bytes: 10, direction: 'received', opcode: 2, text: Buffer.from(bytes).toString('base64') }).fields;
  const before = fields(0, 4, 2, 130, 1, 2, 3, 4, 5, 6);
  expect(fields(...Array.from({ length: 20 }, (_, i) => i))).toHaveLength(12);
  // Kind and two coordinates are the same, the colour behind them is not.
  expect(
    fields(0, 4, 2, 77, 1, 2, 3, 4, 5, 6)
      ?.slice(0, 4)
      .map((each, i) => each === before?.[i]),
  ).toEqual([true, true, true, false]);
  expect(fields(0, 2, 4, 130, 1, 2, 3, 4, 5, 6)?.[2]).not.toBe(before?.[2]);
  expect(fields()).toBeUndefined();
});

it('is taken from where it was stored, without the text', () => {
  const stored = { at: 1, bytes: 4, direction: 'received', shape: 'x', places: ['y'] } as const;
  expect(shapeOf(stored)).toEqual({ shape: 'x', places: ['y'], joins: [] });
});
