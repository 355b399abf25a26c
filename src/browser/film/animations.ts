import type { CDPSession, Protocol } from 'puppeteer-core';
import type { Animation } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';

/** A page may start animations without end; only the latest ones matter. */
const MAX_ANIMATIONS = 1_000;
/** On a busy machine the start of one is reported as much too late, seconds. */
const LATE = 0.2;

/** The animations of a page, as the browser tells of them while it is filmed. */
export interface AnimationWatch {
  /** Those that end by themselves. @param at converts the browser's monotonic clock, seconds */
  animations(at: (browserSeconds: number) => Ms): readonly Animation[];
  stop(): void;
}

/** Watches from now on; Chrome tells of those that run already, too. @param now on the browser's monotonic clock, seconds */
export async function watchAnimations(page: CDPSession, now: () => number): Promise<AnimationWatch> {
  /** In seconds, by id, the oldest first. */
  const ending = new Map<string, Animation>();
  const take = ({ animation }: Protocol.Animation.AnimationStartedEvent): void => {
    const { id, playState, source, currentTime, playbackRate, viewOrScrollTimeline } = animation;
    ending.delete(id);
    // Those without a number of iterations do not end, those of a scroll timeline go by no clock, and none is dated that
    // stands still or runs backwards.
    if (source?.iterations === undefined || viewOrScrollTimeline || playState === 'paused' || playbackRate <= 0) return;
    const from = now() + (source.delay - currentTime) / playbackRate / 1000;
    ending.set(id, { from, to: from + (source.duration * source.iterations) / playbackRate / 1000 });
    const [oldest] = ending.keys();
    if (ending.size > MAX_ANIMATIONS && oldest !== undefined) ending.delete(oldest);
  };
  const cancel = ({ id }: Protocol.Animation.AnimationCanceledEvent): void => {
    // Those of a view transition are cancelled when they have ended: where that is before it should be, it began earlier, too.
    const known = ending.get(id);
    const early = (known?.to ?? 0) - now();
    if (early > LATE) ending.delete(id);
    else if (known && early > 0) ending.set(id, { from: known.from - early, to: known.to - early });
  };
  page.on('Animation.animationStarted', take);
  page.on('Animation.animationUpdated', take);
  page.on('Animation.animationCanceled', cancel);
  // A browser that does not know them tells of none.
  await page.send('Animation.enable').catch(() => undefined);
  return {
    animations: (at) => [...ending.values()].map(({ from, to }) => ({ from: at(from), to: at(to) })),
    stop() {
      page.off('Animation.animationStarted', take);
      page.off('Animation.animationUpdated', take);
      page.off('Animation.animationCanceled', cancel);
      page.send('Animation.disable').catch(() => undefined);
    },
  };
}
