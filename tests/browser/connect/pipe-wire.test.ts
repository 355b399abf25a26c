import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { pipeWire } from '../../../src/browser/connect/pipe-wire.ts';

function opened() {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const wire = pipeWire(toBrowser, fromBrowser);
  const heard: string[] = [];
  const over = new Promise<void>((resolve) => {
    wire.listen({ message: (text) => heard.push(text), closed: resolve });
  });
  return { toBrowser, fromBrowser, wire, heard, over };
}

it('puts messages together, however they are cut, and hands over the last ones before the end', async () => {
  const { fromBrowser, heard, over } = opened();
  const bytes = Buffer.from('{"id":1}\0{"text":"schön 🎉"}\0{"id":3}\0');
  // Each byte by itself: letters of several bytes are cut, too.
  for (const byte of bytes.subarray(0, 30)) fromBrowser.write(Buffer.from([byte]));
  fromBrowser.end(bytes.subarray(30));
  await over;
  expect(heard).toEqual(['{"id":1}', '{"text":"schön 🎉"}', '{"id":3}']);
});

it('hands over one message in each turn: what waits for the first is done before the second', async () => {
  const { fromBrowser, wire } = opened();
  const order: string[] = [];
  const both = new Promise<void>((resolve) => {
    wire.listen({
      async message(text) {
        order.push(text);
        await Promise.resolve();
        order.push(`after ${text}`);
        if (text === 'b') resolve();
      },
      closed: () => undefined,
    });
  });
  fromBrowser.write('a\0b\0');
  await both;
  expect(order).toEqual(['a', 'after a', 'b', 'after b']);
});

it('sends each message with its end, and nothing once it is cut', async () => {
  const { toBrowser, wire, over } = opened();
  wire.send('{"id":1}');
  const [sent] = (await once(toBrowser, 'data')) as [Buffer];
  expect(String(sent)).toBe('{"id":1}\0');
  wire.cut();
  await over;
  expect(() => wire.send('{"id":2}')).not.toThrow();
});
