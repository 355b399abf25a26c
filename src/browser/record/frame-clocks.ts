import type { CDPSession } from 'puppeteer-core';
import type { FrameThread } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import { readClocksTogether } from './clock.ts';
import { createMainThreadClock, type MainThreadClock } from './main-thread.ts';
import type { ProcessorClocks } from './processor-clock.ts';
import type { BeforeStart } from './targets.ts';

/** The clocks of frames that have a process of their own: those of other sites. */
export interface FrameClocks {
  readonly beforeStart: BeforeStart;
  /** Reads them all, also in the middle of a task. */
  sample(): Promise<void>;
  threads(): readonly FrameThread[];
}

/** When else they are read: what a frame's script asks for comes of what it did by then. */
const MILESTONES: ReadonlySet<string> = new Set(['DOMContentLoaded', 'firstContentfulPaint', 'load']);

/** `at` is as for `createMainThreadClock`. */
export function createFrameClocks(
  processors: ProcessorClocks,
  at: (browserSeconds: number) => Ms | undefined,
): FrameClocks {
  const frames = new Map<string, { readonly clock: MainThreadClock; sample(): Promise<void> }>();

  const open = async (session: CDPSession, frameId: string): Promise<void> => {
    const [processor] = await Promise.all([
      processors.open(frameId),
      session.send('Performance.enable', { timeDomain: 'timeTicks' }),
    ]);
    if (!processor) return;
    const clocks = { page: session, processor };
    const clock = createMainThreadClock(at);
    // The second session comes later than the first: what was counted before by one clock only is left out.
    const first = await readClocksTogether(clocks);
    clock.startFrom(first);
    clock.keep(first);
    const sample = (): Promise<void> => clock.sample(clocks);
    frames.set(frameId, { clock, sample });
    session.on('Page.lifecycleEvent', (event) => {
      if (event.frameId === frameId && MILESTONES.has(event.name)) void sample();
    });
  };

  return {
    beforeStart(session, kind, targetId) {
      // The frame may be gone before its clocks are open. Then nothing is known of it.
      if (kind === 'iframe') open(session, targetId).catch(() => undefined);
    },
    sample: async () => void (await Promise.all([...frames.values()].map((frame) => frame.sample()))),
    threads: () => [...frames].map(([frameId, { clock }]) => ({ frameId, samples: [...clock.samples()] })),
  };
}
