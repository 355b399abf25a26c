/**
 * A program that stands between Quiesce and its browser: takes the browser's arguments, starts it, and passes on what they
 * say to each other through the pipe, cut, slowed down or with large messages of its own. Settings come in variables:
 *
 *   FAULT_BROWSER   the real browser
 *   FAULT_HOW       cut, slow or large
 *   FAULT_AFTER     when the pipe is cut, ms after the start
 */
import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { Transform, type Writable } from 'node:stream';
import { setTimeout as settle } from 'node:timers/promises';

const { FAULT_BROWSER = 'chromium', FAULT_HOW, FAULT_AFTER = '0' } = process.env;
/** Of the slow pipe, bytes per second, and how long each piece is on its way, ms. */
const [SLOW_BYTES, SLOW_MS] = [500_000, 25];
/** One large message comes after so many pieces. */
const LARGE_EVERY = 100;
const LARGE_BYTES = 50 * 2 ** 20;

const child = spawn(FAULT_BROWSER, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'pipe'],
});
const toBrowser = child.stdio[3] as Writable;
const fromBrowser = child.stdio[4] as NodeJS.ReadableStream;
const asked = createReadStream('', { fd: 3, autoClose: false });
const answered = createWriteStream('', { fd: 4, autoClose: false });

const slowed = (): Transform =>
  new Transform({
    transform(piece: Buffer, _encoding, done) {
      void settle(SLOW_MS + (piece.length / SLOW_BYTES) * 1000).then(() => done(null, piece));
    },
  });

/** Puts an event that nobody asked for between two messages, which end with a zero byte. */
const swollen = (): Transform => {
  let pieces = 0;
  const params = {
    type: 'log',
    executionContextId: 1,
    timestamp: 0,
    args: [{ type: 'string', value: 'x'.repeat(LARGE_BYTES) }],
  };
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces += 1;
      this.push(piece);
      if (piece.at(-1) === 0 && pieces % LARGE_EVERY === 0)
        this.push(`${JSON.stringify({ method: 'Runtime.consoleAPICalled', params })}\0`);
      done();
    },
  });
};

asked.on('error', () => undefined).pipe(toBrowser);
toBrowser.on('error', () => undefined);
answered.on('error', () => undefined);
if (FAULT_HOW === 'slow') fromBrowser.pipe(slowed()).pipe(answered);
else if (FAULT_HOW === 'large') fromBrowser.pipe(swollen()).pipe(answered);
else fromBrowser.pipe(answered);
if (FAULT_HOW === 'cut')
  setTimeout(() => {
    // Nothing of either side arrives any more; the browser lives on until Quiesce ends it.
    asked.unpipe();
    fromBrowser.unpipe(answered);
    answered.destroy();
  }, Number(FAULT_AFTER));
// The browser ends with us, and we with it.
asked.once('end', () => toBrowser.end());
child.once('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => child.kill(signal));
