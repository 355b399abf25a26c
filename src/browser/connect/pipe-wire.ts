import type { Readable, Writable } from 'node:stream';
import { MAX_MESSAGE_BYTES, type Wire } from './shared-transport.ts';

/** What ends each message. Source: Chromium, content/browser/devtools/devtools_pipe_handler.cc. */
const END = 0;

/**
 * A browser's two pipes (`--remote-debugging-pipe`). They end with this program, however it ends, and the browser with
 * them.
 */
export function pipeWire(toBrowser: Writable, fromBrowser: Readable): Wire {
  /** The beginning of a message whose end has not come yet. */
  let begun: Buffer[] = [];
  let size = 0;
  const cut = (): void => {
    toBrowser.destroy();
    fromBrowser.destroy();
  };
  return {
    send(text) {
      if (toBrowser.writable) toBrowser.write(`${text}\0`);
    },
    listen({ message, closed }) {
      const deliver = (text: string): void => void setImmediate(() => message(text));
      fromBrowser.on('data', (bytes: Buffer) => {
        let start = 0;
        for (let end = bytes.indexOf(END); end !== -1; end = bytes.indexOf(END, start)) {
          const rest = bytes.subarray(start, end);
          deliver((begun.length === 0 ? rest : Buffer.concat([...begun, rest])).toString());
          begun = [];
          size = 0;
          start = end + 1;
        }
        if (start === bytes.length) return;
        begun.push(bytes.subarray(start));
        size += bytes.length - start;
        if (size > MAX_MESSAGE_BYTES) cut();
      });
      // The last messages come before the end.
      fromBrowser.once('close', () => void setImmediate(closed));
      fromBrowser.once('end', cut);
      // Every error is followed by "close"; where the browser is gone, that is known from the other pipe, too.
      for (const pipe of [toBrowser, fromBrowser]) pipe.on('error', () => undefined);
    },
    close: cut,
    cut,
  };
}
