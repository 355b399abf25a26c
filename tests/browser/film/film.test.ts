import { EventEmitter } from 'node:events';
import type { CDPSession } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Film, startFilm } from '../../../src/browser/film/film.ts';
import type { Frame } from '../../../src/model/recording/recording.ts';

/** Chrome, as far as a screencast goes: it stops sending when this many frames are not acknowledged. */
const AHEAD = 3;

const VIEWPORT = { deviceWidth: 1350, deviceHeight: 940 };

/** A PNG as far as its size goes, with a name behind that. */
function png(name: string, width = 675, height = 470): string {
  const header = Buffer.alloc(24);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header.toString('base64') + name;
}
const HEADER = png('').length;

/** A session that draws; what is drawn while too much is unacknowledged is lost, as in Chrome. */
class DrawingSession extends EventEmitter {
  readonly commands: string[] = [];
  readonly acknowledged: number[] = [];
  #unacknowledged = 0;
  #picture = png('blank');

  async send(method: string): Promise<void> {
    this.commands.push(method);
    if (method === 'Page.startScreencast') {
      this.#unacknowledged = 0;
      this.#show();
    } else if (method === 'Page.screencastFrameAck') {
      this.#unacknowledged -= 1;
      this.acknowledged.push(performance.now());
    }
  }

  draw(name: string, width?: number, height?: number): void {
    this.#picture = png(name, width, height);
    this.#show();
  }

  #show(): void {
    if (this.#unacknowledged === AHEAD) return;
    this.#unacknowledged += 1;
    const seconds = performance.now() / 1000;
    const metadata = { ...VIEWPORT, timestamp: 1_700_000_000 + seconds, monotonicTimestamp: seconds };
    this.emit('Page.screencastFrame', { data: this.#picture, metadata, sessionId: 1 });
  }
}

const now = () => performance.now() / 1000;

let session: DrawingSession;
let film: Film;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  session = new DrawingSession();
  film = await startFilm(session as unknown as CDPSession, now);
});
afterEach(() => {
  film.stop();
  vi.useRealTimers();
});

const axis = (origin = 0) => ({ at: (seconds: number) => seconds * 1000 - origin, startedAt: 0, until: 1e9 });
const named = (frames: readonly Frame[]) => frames.map(({ at, image }) => ({ at, name: image.slice(HEADER) }));
const pictures = () => named(film.frames(axis())).map(({ name }) => name);
/** Draws a new picture every `every` ms for `duration` ms, and leaves the last one there. */
function animate(duration: number, every: number): void {
  for (let passed = 0; passed < duration; passed += every) {
    session.draw(`picture ${passed}`);
    vi.advanceTimersByTime(every);
  }
}

describe('a film', () => {
  it('takes a short burst picture by picture', () => {
    vi.advanceTimersByTime(1);
    animate(160, 16);
    expect(pictures()).toEqual(['blank', ...Array.from({ length: 10 }, (_, i) => `picture ${i * 16}`)]);
  });

  it('takes at most 15 pictures a second of a page that always moves', () => {
    animate(20_000, 16);
    const late = film.frames(axis()).filter(({ at }) => at >= 5_000 && at < 15_000);
    expect(late.length).toBeLessThanOrEqual(150);
    expect(late.length).toBeGreaterThan(100);
  });

  it('asks for the last picture when the page falls still while Chrome had nobody to send to', () => {
    animate(3_000, 10);
    for (let i = 0; i < AHEAD; i += 1) session.draw(`almost ${i}`);
    session.draw('the end');
    const drawn = performance.now();
    expect(pictures()).not.toContain('the end');
    vi.advanceTimersByTime(1_000);
    expect(pictures().at(-1)).toBe('the end');
    // Dated when the next frame might have been sent, not when this one was asked for.
    const after = (film.frames(axis()).at(-1)?.at ?? 0) - drawn;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThanOrEqual(1_000 / 15);
    expect(session.commands.filter((command) => command === 'Page.startScreencast')).toHaveLength(2);
    // Once: a page that is still is left alone.
    vi.advanceTimersByTime(60_000);
    expect(session.commands.filter((command) => command === 'Page.startScreencast')).toHaveLength(2);
  });

  it('keeps the last picture from before navigation start as the state at 0, and none after the end', () => {
    vi.advanceTimersByTime(300);
    session.draw('before');
    vi.advanceTimersByTime(300);
    session.draw('first');
    vi.advanceTimersByTime(300);
    session.draw('too late');
    expect(named(film.frames({ at: (seconds) => seconds * 1000 - 500, startedAt: 0, until: 350 }))).toEqual([
      { at: 0, name: 'before' },
      { at: 100, name: 'first' },
    ]);
  });

  it('goes by the wall clock where the browser does not tell its own', () => {
    const metadata = { ...VIEWPORT, timestamp: 1_700_000_001.5 };
    session.emit('Page.screencastFrame', { data: png('old browser'), metadata, sessionId: 1 });
    const frames = film.frames({ at: () => 0, startedAt: 1_700_000_000_000, until: 1e9 });
    expect(named(frames).at(-1)).toEqual({ at: 1_500, name: 'old browser' });
  });

  it('leaves out what a window drew before it took on the size of the device, and begins with what it drew then', async () => {
    film.stop();
    session = new DrawingSession();
    session.draw('of the window', 675, 427);
    let begun = false;
    const starting = startFilm(session as unknown as CDPSession, now).then((started) => {
      begun = true;
      film = started;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(begun).toBe(false);
    session.draw('of the device', 675, 469);
    await starting;
    expect(pictures()).toEqual(['of the device']);
    // Chrome sends no more than a few that are not acknowledged.
    expect(session.acknowledged).toHaveLength(2);
  });

  it('takes and asks for nothing once it is stopped', () => {
    animate(3_000, 10);
    film.stop();
    const before = pictures();
    const commands = session.commands.length;
    session.draw('too late');
    vi.advanceTimersByTime(5_000);
    expect(pictures()).toEqual(before);
    expect(session.commands).toHaveLength(commands);
    expect(session.commands.at(-1)).toBe('Page.stopScreencast');
    expect(vi.getTimerCount()).toBe(0);
  });
});
