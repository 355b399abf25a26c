import type { CDPSession, Protocol } from 'puppeteer-core';
import { DESKTOP } from '../../core/conditions/devices.ts';
import type { Animation, Frame } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { watchAnimations } from './animations.ts';
import { createFrameRoll, type Shot } from './frame-roll.ts';

/** Half the default viewport: small enough to keep hundreds of frames, large enough to see what changed. */
const MAX_WIDTH = Math.floor(DESKTOP.width / 2);
const MAX_HEIGHT = Math.floor(DESKTOP.height / 2);
/** Frames per second in the long run: enough for the eye, also of a page that always moves. */
const FRAMES_PER_SECOND = 15;
/** So many frames are taken as fast as the page draws them, before that rate holds. */
const BURST_FRAMES = 15;
/**
 * How long after a late acknowledgement the next frame must come, ms. Otherwise the page has stopped drawing while Chrome
 * was waiting, and its last frame has to be requested. That one is dated when Chrome could have sent another: what is drawn
 * later comes by itself.
 */
const CATCH_UP_MS = 50;

/** The clock of a recording, for dating the frames. */
interface FilmClock {
  /** Converts the browser's monotonic clock, seconds. */
  at(browserSeconds: number): Ms;
  /** Milliseconds since the Unix epoch at navigation start, for browsers that date frames by the wall clock alone. */
  readonly startedAt: number;
  /** The end of watching: later frames are left out. */
  readonly until: Ms;
}

/** A film under way. */
export interface Film {
  /** The frames so far. Of those before navigation start only the last one is kept, as the state at 0. */
  frames(clock: FilmClock): readonly Frame[];
  /** The animations that end by themselves. */
  animations(clock: Pick<FilmClock, 'at'>): readonly Animation[];
  /** Stops filming, also when the page is gone. */
  stop(): void;
}

/** A frame as Chrome sent it. */
interface ScreencastFrame extends Shot {
  /** The browser's monotonic clock, seconds; absent in older browsers. */
  readonly monotonic: number | undefined;
  /** How much earlier what it shows may have been drawn, ms. */
  readonly sinceBefore: Ms;
}

/**
 * Films the viewport: Chrome sends a frame when something was drawn. Resolves after the first one, of the present state.
 *
 * @param now on the browser's monotonic clock, seconds
 */
export async function startFilm(page: CDPSession, now: () => number): Promise<Film> {
  const roll = createFrameRoll<ScreencastFrame>();
  const rateLimit = createRateLimit(FRAMES_PER_SECOND, BURST_FRAMES);
  /** One for each frame that is not acknowledged yet; Chrome sends no more than a few ahead. */
  const heldBack = new Set<NodeJS.Timeout>();
  let catchUp: NodeJS.Timeout | undefined;
  /** When late acknowledgements let Chrome send another frame than the last one, on our clock, ms. */
  let freedAt: readonly Ms[] = [];
  /** From Chrome's clock to ours, ms, with the least delay of a frame so far: what a frame needs beyond it came late. */
  let clockOffset = Number.POSITIVE_INFINITY;
  /** When a frame was requested that has not come yet, on our clock, ms: it shows what was drawn before that. */
  let requestedAt: Ms | undefined;
  let stopped = false;
  const first = Promise.withResolvers<void>();

  const start = (): Promise<unknown> =>
    page.send('Page.startScreencast', {
      format: 'png',
      maxWidth: MAX_WIDTH,
      maxHeight: MAX_HEIGHT,
      everyNthFrame: 1,
    });
  /** A screencast begins with a frame of the present state: that is the only way to request one. */
  const startAgain = (): void => {
    requestedAt = performance.now();
    // With that, Chrome forgets what was not acknowledged.
    for (const timer of heldBack) clearTimeout(timer);
    heldBack.clear();
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
    first.resolve();
    const now = performance.now();
    const taken = timestamp ?? (performance.timeOrigin + now) / 1000;
    clockOffset = Math.min(clockOffset, now - taken * 1000);
    const captured = taken * 1000 + clockOffset;
    const [free = captured] = freedAt;
    // What a busy browser had still to send comes first.
    const isRequested = requestedAt !== undefined && captured >= requestedAt;
    if (isRequested) requestedAt = undefined;
    roll.add({ image: data, taken, monotonic, sinceBefore: isRequested ? Math.max(0, captured - free) : 0 });
    const wait = rateLimit.take(now);
    // Nothing is drawn after a frame that had to be requested, as far as is known.
    const isHeldBack = wait > 0 && !isRequested;
    freedAt = freedAt.filter((at) => at > captured);
    clearTimeout(catchUp);
    catchUp = undefined;
    if (!isHeldBack) {
      acknowledge(sessionId);
      return;
    }
    // Chrome stops sending while a few frames are not acknowledged, and skips what is drawn meanwhile.
    const timer = setTimeout(() => {
      heldBack.delete(timer);
      acknowledge(sessionId);
      freedAt = [...freedAt, performance.now()];
      catchUp ??= setTimeout(startAgain, CATCH_UP_MS);
    }, wait);
    heldBack.add(timer);
  };

  page.on('Page.screencastFrame', take);
  const [animated] = await Promise.all([watchAnimations(page, now), start()]);
  await withTimeout(first.promise);
  return {
    frames: (clock) => datedFrames(clock, roll.shots()),
    animations: ({ at }) => animated.animations(at),
    stop() {
      if (stopped) return;
      stopped = true;
      page.off('Page.screencastFrame', take);
      animated.stop();
      for (const timer of [...heldBack, catchUp]) clearTimeout(timer);
      page.send('Page.stopScreencast').catch(() => undefined);
    },
  };
}

/** The size in a PNG's header: two 32-bit numbers from byte 16 on, within so many characters of base64. */
const PNG_SIZE = { characters: 32, width: 16, height: 20 };

/**
 * Whether a frame has the shape of the viewport. A new window may still send what it drew before it got the device's size,
 * with the new size in the metadata; the right frame follows.
 */
function showsViewport(image: string, { deviceWidth, deviceHeight }: Protocol.Page.ScreencastFrameMetadata): boolean {
  const header = Buffer.from(image.slice(0, PNG_SIZE.characters), 'base64');
  if (header.length < PNG_SIZE.height + 4) return false;
  const [width, height] = [header.readUInt32BE(PNG_SIZE.width), header.readUInt32BE(PNG_SIZE.height)];
  // Both are rounded to whole pixels.
  return Math.abs(width * deviceHeight - height * deviceWidth) <= deviceWidth + deviceHeight;
}

/** A frame that had to be requested is older than it looks, but shows what was drawn after the frame before it. */
const AFTER_THE_ONE_BEFORE_MS = 1;

function datedFrames({ at, startedAt, until }: FilmClock, shots: readonly ScreencastFrame[]): readonly Frame[] {
  let last = Number.NEGATIVE_INFINITY;
  const frames = shots
    .map(({ image, monotonic, taken, sinceBefore }) => {
      const captured = monotonic === undefined ? taken * 1000 - startedAt : at(monotonic);
      last = Math.max(captured - sinceBefore, Math.min(captured, last + AFTER_THE_ONE_BEFORE_MS));
      return { at: last, image };
    })
    .filter((frame) => frame.at <= until);
  const before = frames.findLastIndex((frame) => frame.at <= 0);
  return frames.slice(Math.max(0, before)).map((frame) => ({ ...frame, at: Math.max(0, frame.at) }));
}

/** A token bucket: `burst` at once, and from then on `perSecond`. */
function createRateLimit(perSecond: number, burst: number): { take(now: number): number } {
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

/** Takes a screenshot of the viewport in full size: PNG, base64. */
export async function takePicture(page: CDPSession): Promise<string> {
  const { data } = await page.send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: false });
  return data;
}
