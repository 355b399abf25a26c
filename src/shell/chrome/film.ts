import type { CDPSession, Protocol } from 'puppeteer-core';
import { DESKTOP } from '../../core/conditions/devices.ts';
import type { Frame } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import { createFrameRoll, type Shot } from './frame-roll.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** Half the default viewport: small enough to keep hundreds, large enough to see what changed. */
const MAX_WIDTH = Math.floor(DESKTOP.width / 2);
const MAX_HEIGHT = Math.floor(DESKTOP.height / 2);
/** Frames a second that are asked for in the long run. Enough for the eye; a page that always moves gets no more. */
const FRAMES_PER_SECOND = 15;
/** So many frames may come as fast as the page draws them, before that rate holds. */
const BURST_FRAMES = 15;
/**
 * How long after a frame that was held back the next one must come, ms. When none comes, the page stopped drawing while
 * Chrome had nobody to send to; what it drew last has to be asked for.
 */
const CATCH_UP_MS = 100;

/** How a moment of the film is put on the axis of a recording. */
export interface FilmAxis {
  /** From the browser's monotonic clock, seconds. */
  at(browserSeconds: number): Ms;
  /** Milliseconds since the Unix epoch at navigation start, for browsers that date frames by the wall clock alone. */
  readonly startedAt: number;
  /** The end of watching: what was drawn later belongs to no answer. */
  readonly until: Ms;
}

/** A film under way. */
export interface Film {
  /** The frames so far. Of what was there before navigation start only the last one is kept, as the state at 0. */
  frames(axis: FilmAxis): readonly Frame[];
  /** Ends the filming; nothing of it is left running, also when the page is gone. */
  stop(): void;
}

/** A frame as it came. */
interface Drawn extends Shot {
  /** The browser's monotonic clock, seconds; older browsers do not tell it. */
  readonly monotonic: number | undefined;
}

/** Films the viewport: a frame comes when something was drawn. Resolves when the first one, of what is there now, came. */
export async function startFilm(page: CDPSession): Promise<Film> {
  const roll = createFrameRoll<Drawn>();
  const allowance = createAllowance(FRAMES_PER_SECOND, BURST_FRAMES);
  /** One for each frame that is not acknowledged yet; Chrome sends no more than a few ahead. */
  const heldBack = new Set<NodeJS.Timeout>();
  let catchUp: NodeJS.Timeout | undefined;
  let stopped = false;
  let begun = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });

  const start = (): Promise<unknown> =>
    page.send('Page.startScreencast', {
      format: 'png',
      maxWidth: MAX_WIDTH,
      maxHeight: MAX_HEIGHT,
      everyNthFrame: 1,
    });
  /** A screencast begins with a frame of what is there: this is the only way to ask for one. */
  const startAgain = (): void => {
    page.send('Page.stopScreencast').catch(() => undefined);
    start().catch(() => undefined);
  };
  const acknowledge = (sessionId: number): void => {
    page.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
  };

  const take = ({ data, metadata, sessionId }: Protocol.Page.ScreencastFrameEvent): void => {
    if (stopped) return;
    if (!showsViewport(data, metadata)) {
      acknowledge(sessionId);
      return;
    }
    const { timestamp, monotonicTimestamp: monotonic } = metadata;
    begun();
    roll.add({ image: data, taken: timestamp ?? performance.timeOrigin / 1000 + performance.now() / 1000, monotonic });
    clearTimeout(catchUp);
    const wait = allowance.take(performance.now());
    if (wait === 0) {
      acknowledge(sessionId);
      return;
    }
    // Chrome stops sending when a few frames are not acknowledged, and what is drawn meanwhile it does not send later.
    const timer = setTimeout(() => {
      heldBack.delete(timer);
      acknowledge(sessionId);
      if (heldBack.size === 0) catchUp = setTimeout(startAgain, CATCH_UP_MS);
    }, wait);
    heldBack.add(timer);
  };

  page.on('Page.screencastFrame', take);
  await start();
  await within(LAST_WORD_MS, first);
  return {
    frames: (axis) => framesOn(axis, roll.shots()),
    stop() {
      if (stopped) return;
      stopped = true;
      page.off('Page.screencastFrame', take);
      for (const timer of [...heldBack, catchUp]) clearTimeout(timer);
      page.send('Page.stopScreencast').catch(() => undefined);
    },
  };
}

/** Where a PNG says how large it is: two 32-bit numbers from byte 16 on, all of it within this much base64. */
const PNG_SIZE = { characters: 32, width: 16, height: 20 };

/**
 * Whether a frame has the shape of the viewport. A window that was opened a moment ago may still send what it drew before
 * it took on the device's size, under the new size's name; the right one follows.
 */
function showsViewport(image: string, { deviceWidth, deviceHeight }: Protocol.Page.ScreencastFrameMetadata): boolean {
  const header = Buffer.from(image.slice(0, PNG_SIZE.characters), 'base64');
  if (header.length < PNG_SIZE.height + 4) return false;
  const [width, height] = [header.readUInt32BE(PNG_SIZE.width), header.readUInt32BE(PNG_SIZE.height)];
  // Both are rounded to whole pixels.
  return Math.abs(width * deviceHeight - height * deviceWidth) <= deviceWidth + deviceHeight;
}

function framesOn({ at, startedAt, until }: FilmAxis, shots: readonly Drawn[]): readonly Frame[] {
  const frames = shots
    .map(({ image, monotonic, taken }) => ({
      at: monotonic === undefined ? taken * 1000 - startedAt : at(monotonic),
      image,
    }))
    .filter((frame) => frame.at <= until);
  const before = frames.findLastIndex((frame) => frame.at <= 0);
  return frames.slice(Math.max(0, before)).map((frame) => ({ ...frame, at: Math.max(0, frame.at) }));
}

/** A number of things at once, and from then on so many a second. */
function createAllowance(perSecond: number, burst: number): { take(now: number): number } {
  let left = burst;
  let asked: number | undefined;
  return {
    /** How long to wait for the next one, ms; 0 when it is free. */
    take(now) {
      left = Math.min(burst, left + ((now - (asked ?? now)) / 1000) * perSecond);
      asked = now;
      left -= 1;
      return left >= 0 ? 0 : (-left / perSecond) * 1000;
    },
  };
}

/** The viewport as it is now, in full size: PNG, base64. */
export async function takePicture(page: CDPSession): Promise<string> {
  const { data } = await page.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: false });
  return data;
}
