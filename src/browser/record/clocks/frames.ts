import type { CDPSession } from 'puppeteer-core';
import type { FrameThread } from '../../../model/recording/recording.ts';
import type { Ms } from '../../../model/units.ts';
import { withTimeout } from '../../connect/with-timeout.ts';
import { createMainThreadClock, type MainThreadClock } from '../main-thread.ts';
import type { BeforeStart } from '../targets.ts';
import { readClocksTogether } from './clock.ts';
import type { FrameListener } from './processor.ts';

/** The clocks of frames that have a process of their own: those of other sites. */
export interface FrameClocks {
  /** Takes the load's own session with a frame, which reads the wall's clock. */
  readonly beforeStart: BeforeStart;
  /** Takes the second session. */
  readonly processorOpened: FrameListener;
  /** Reads them all, also in the middle of a task. */
  sample(): Promise<void>;
  threads(): readonly FrameThread[];
}

/** When else they are read: what a frame's script asks for comes of what it did by then. */
const MILESTONES: ReadonlySet<string> = new Set(['DOMContentLoaded', 'firstContentfulPaint', 'load']);

/** So often both clocks are read until they were read at one moment. */
const FIRST_READINGS = 3;

/** `at` is as for `createMainThreadClock`. */
export function createFrameClocks(at: (browserSeconds: number) => Ms | undefined): FrameClocks {
  const sessions = new Map<string, { own?: CDPSession; processor?: CDPSession }>();
  const frames = new Map<string, { readonly clock: MainThreadClock; sample(): Promise<void> }>();

  const begin = (frameId: string, page: CDPSession, processor: CDPSession): void => {
    const clocks = { page, processor };
    const clock = createMainThreadClock(at);
    let begun = false;
    const sample = async (): Promise<void> => {
      if (begun) return clock.sample(clocks);
      // Two sessions never begin at the same moment: what was counted before by one clock only is left out. On a busy machine
      // it may take some readings until both are of one moment.
      for (let i = 0; i < FIRST_READINGS && !begun; i += 1) {
        const first = await withTimeout(readClocksTogether(clocks));
        if (first?.processorTime === undefined || begun) continue;
        begun = true;
        clock.startFrom(first);
        clock.keep(first);
      }
    };
    frames.set(frameId, { clock, sample });
    page.on('Page.lifecycleEvent', (event) => {
      if (event.frameId === frameId && MILESTONES.has(event.name)) void sample();
    });
    void sample();
  };
  const opened = (frameId: string, part: { own: CDPSession } | { processor: CDPSession }): void => {
    const { own, processor } = { ...sessions.get(frameId), ...part };
    if (own && processor) {
      sessions.delete(frameId);
      begin(frameId, own, processor);
    } else sessions.set(frameId, part);
  };

  return {
    beforeStart(session, kind, targetId) {
      if (kind !== 'iframe') return;
      session.send('Performance.enable', { timeDomain: 'timeTicks' }).catch(() => undefined);
      opened(targetId, { own: session });
    },
    processorOpened: (targetId, session) => opened(targetId, { processor: session }),
    sample: async () => void (await Promise.all([...frames.values()].map((frame) => frame.sample()))),
    threads: () =>
      [...frames].flatMap(([frameId, { clock }]) => {
        const samples = [...clock.samples()];
        return samples.length === 0 ? [] : [{ frameId, samples }];
      }),
  };
}
