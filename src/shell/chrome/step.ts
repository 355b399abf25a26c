import type { CDPSession, Protocol } from 'puppeteer-core';
import type { Carried } from '../../core/background/carry.ts';
import { type CdpMessage, createCdpSource } from '../../core/sources/cdp.ts';
import { toMicroseconds } from '../../core/time.ts';
import { createFold } from '../../core/timeline/fold.ts';
import type { NetworkConditions } from '../../model/conditions.ts';
import type { StepOutcome } from '../../model/lab.ts';
import type { NetworkEvent } from '../../model/network.ts';
import type { HostSample, Incident, PageTimings, Recording } from '../../model/recording.ts';
import type { Mark, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Policy } from '../../model/verdict.ts';
import { readBodies } from './bodies.ts';
import { readRenderer } from './clock.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { createMainThreadClock } from './main-thread.ts';
import { type PageReport, readPageReport } from './page-timings.ts';
import { createWatch } from './watch.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** The page of a load that is over, as its steps see it. */
export interface SteppedPage {
  readonly page: CDPSession;
  readonly targetId: string;
  readonly browser: { readonly product: string; readonly userAgent: string };
  /** The slower network that the load had. */
  readonly network?: NetworkConditions;
  /** Policy of the load. */
  readonly policy: Policy;
  readonly carried: Carried;
  /** Keep the text of responses. */
  readonly content: boolean;
  /** Now on the browser's clock, seconds. */
  browserNow(): number;
  /** Milliseconds since the Unix epoch at a time of the browser's clock. */
  epochAt(browserSeconds: number): number;
  readHost(at: Ms): Promise<HostSample>;
  /** Called with requests that began before, and with the step's own when it is over: no later step has them. */
  notOurs(requestId: string): void;
}

/** Commands by which a script does what a user does; everything before the first of them is finding the place to click. */
const ACTS = /^(?:Input\.|Page\.(?:navigate|navigateToHistoryEntry|reload)$)/;

/** One step under way: told what the page's sessions say, from its beginning to its end. */
export interface StepRecorder {
  /** `requestId` is that of the request which the message tells of, if it does. */
  message(message: CdpMessage, requestId: string | undefined): void;
  /** Told a command of the script before it goes out; it has to wait for what is given back. */
  command(method: string): Promise<void> | undefined;
  gone(sessionId: string): void;
  incident(code: Incident['code'], message: string): void;
  /**
   * Records until the step is complete, or the policy's time-out is over; then waits for the action. Time counts from the
   * first thing that the action does in the user's place (a move of the mouse, a key, a navigation): what Puppeteer needs
   * to find an element is no part of it. Without any it counts from the beginning of the action. Rejects when the action
   * does, and when `broken` does.
   */
  run(action: () => Promise<unknown>, broken: Promise<never>): Promise<StepOutcome>;
}

/** A recorder for one step: the page's sessions are the load's, the zero of time and all that is recorded are its own. */
export function createStep(name: string, stepped: SteppedPage): StepRecorder {
  const { page, targetId, carried } = stepped;
  const { completeOn: _mark, thorough: _thorough, ...policy } = stepped.policy;
  let fold = createFold();
  let events: NetworkEvent[] = [];
  let lastEventAt: Ms = 0;
  /** How long had been watched when the answer was found; undefined when none was. */
  let judgedUntil: Ms | undefined;
  let marks: Mark[] = [];
  let incidents: Incident[] = [];
  const hostSamples: HostSample[] = [];
  const own = new Set<string>();
  let inbox: CdpMessage[] = [];
  let origin = stepped.browserNow();
  let source = createCdpSource(origin, targetId);
  let mainThread = createMainThreadClock(() => undefined);
  let begun = false;
  let acted = false;
  let documents = 0;
  let loaderAtStart: string | undefined;
  let beganAt = '';
  let finish: () => void = () => undefined;
  let cap: NodeJS.Timeout | undefined;

  const at = (seconds: number): Ms => toMicroseconds((seconds - origin) * 1000);
  const now = (): Ms => at(stepped.browserNow());
  const policyNow = (): Policy => {
    const learnt = documents > 0 ? carried.newDocument : carried.sameDocument;
    return { ...policy, ...(learnt.length > 0 && { learnt }) };
  };
  const sample = (): Promise<void> => mainThread.sample(page);
  /** Now, unless it is said until when, or the last event: the browser's clock may be a little ahead of what is known of it. */
  const observed = (until = now()): Ms => Math.max(lastEventAt, until);
  const timelineNow = (until?: Ms): Timeline => {
    readInbox();
    return fold.timeline(marks, observed(until));
  };
  const watch = createWatch({
    get policy() {
      return policyNow();
    },
    watchUntil: undefined,
    timeline: (until) => (begun ? timelineNow(until) : undefined),
    now,
    sample,
    complete(observedUntil) {
      judgedUntil = observedUntil;
      finish();
      return true;
    },
  });

  const add = (more: readonly NetworkEvent[]): void => {
    for (const event of more) {
      events.push(event);
      fold.add(event);
      lastEventAt = Math.max(lastEventAt, event.at);
    }
  };
  const incident = (code: Incident['code'], message: string): void => {
    incidents.push({ at: Math.max(0, now()), code, message });
  };
  const lifecycle = ({ name: event, timestamp, loaderId, frameId }: Protocol.Page.LifecycleEventEvent): void => {
    const mark = LIFECYCLE[event];
    if (!mark || frameId !== targetId || loaderId === loaderAtStart) return;
    if (mark === 'document-commit') {
      documents += 1;
      watch.documentCommitted();
      if (documents === 1) {
        incident(
          'hard-navigation',
          'The step opened another document; times count from the beginning of the step, not from its request.',
        );
      }
    }
    marks.push({ name: mark, at: at(timestamp), loaderId });
    if (mark !== 'load') return;
    watch.loaded();
    void sample();
  };
  const readInbox = (): void => {
    const messages = inbox;
    inbox = [];
    for (const message of messages) {
      if (message.method === 'Page.lifecycleEvent') {
        if (message.target === 'page') lifecycle(message.params as Protocol.Page.LifecycleEventEvent);
      } else add(source.accept(message));
    }
  };

  return {
    message(message, requestId) {
      if (requestId !== undefined) own.add(requestId);
      if (!begun) return;
      switch (message.method) {
        case 'Page.lifecycleEvent':
          inbox.push(message);
          if ((message.params as Protocol.Page.LifecycleEventEvent).name === 'load') readInbox();
          return;
        case 'Page.navigatedWithinDocument': {
          const { frameId, url } = message.params as Protocol.Page.NavigatedWithinDocumentEvent;
          if (frameId !== targetId) return;
          incident('soft-navigation', `The page went to ${url} without loading a document (a soft navigation).`);
          return;
        }
        case 'Page.frameRequestedNavigation':
          // The last moment at which a document that is about to be replaced can tell what it did.
          if ((message.params as Protocol.Page.FrameRequestedNavigationEvent).frameId === targetId) void sample();
          return;
        default:
          if (!message.method.startsWith('Network.')) return;
          inbox.push(message);
          watch.heard(message.method);
      }
    },
    command(method) {
      if (!begun || acted || !ACTS.test(method)) return undefined;
      acted = true;
      return beginAnew();
    },
    gone(sessionId) {
      if (!begun) return;
      readInbox();
      add(source.targetGone(sessionId, stepped.browserNow()));
    },
    incident,
    async run(action, broken) {
      const { frameTree } = await page.send('Page.getFrameTree');
      loaderAtStart = frameTree.frame.loaderId;
      beganAt = frameTree.frame.url + (frameTree.frame.urlFragment ?? '');
      hostSamples.push(await stepped.readHost(0));
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      await beginAnew();
      watch.begun();
      watch.loaded();
      const acting = action().then(() => {
        marks.push({ name: 'action-end', at: now() });
        watch.loaded();
      });
      // It may fail, or be given up, before anybody waits for it.
      acting.catch(() => undefined);
      capAfter(policy.timeout);
      try {
        // An action that fails ends the step; one that is over leaves the page to be watched.
        await Promise.race([over, acting.then(() => over), broken]);
        const outcome = await conclude();
        // The limit may have been reached while the script was still at it.
        await Promise.race([acting, broken]);
        return outcome;
      } finally {
        clearTimeout(cap);
        watch.stop();
        begun = false;
        disown();
      }
    },
  };

  /** The policy's time-out counts from the step's zero, which may come later than its beginning. */
  function capAfter(wait: number): void {
    cap = setTimeout(() => {
      const left = policy.timeout - now();
      if (left > 0) capAfter(left);
      else finish();
    }, Math.ceil(wait));
  }

  /** From now on it counts; what came before does not. */
  async function beginAnew(): Promise<void> {
    const baseline = await within(LAST_WORD_MS, readRenderer(page));
    disown();
    fold = createFold();
    events = [];
    lastEventAt = 0;
    judgedUntil = undefined;
    inbox = [];
    incidents = [];
    marks = [{ name: 'step-start', at: 0 }];
    origin = stepped.browserNow();
    source = createCdpSource(origin, targetId);
    mainThread = createMainThreadClock((seconds) => Math.max(0, at(seconds)));
    if (baseline) mainThread.startFrom(baseline);
    begun = true;
  }

  function disown(): void {
    for (const id of own) stepped.notOurs(id);
    own.clear();
  }

  async function conclude(): Promise<StepOutcome> {
    readInbox();
    const recorded = [...events];
    const milestones = [...marks];
    const announcedHops = source.announcedHops();
    const observedUntil = judgedUntil ?? observed();
    const report = await within(LAST_WORD_MS, readPageReport(page, at));
    if (report) mainThread.keep(report.metrics);
    hostSamples.push(await stepped.readHost(observedUntil));
    const recording: Recording = {
      navigation: {
        url: beganAt,
        startedAt: stepped.epochAt(origin),
        browser: stepped.browser.product,
        userAgent: stepped.browser.userAgent,
        ...(stepped.network && { network: stepped.network }),
        step: name,
      },
      events: recorded,
      marks: [...milestones, ...(documents > 0 ? (report?.paints ?? []) : [])],
      frames: [],
      hostSamples,
      mainThread: [...mainThread.samples()],
      ...(report && { page: timingsOf(report, documents > 0) }),
      incidents,
      bodies: stepped.content ? await readBodies(page, timelineNow().requests) : [],
      observedUntil,
      announcedHops,
      judging: watch.spent(),
    };
    return { name, policy: policyNow(), outcome: { ok: true, recording } };
  }
}

/** What the page's own clock says of a step: paints and milestones are those of a document that the step opened, or nobody's. */
function timingsOf({ timings }: PageReport, opened: boolean): PageTimings {
  const longTasks = timings.longTasks?.filter((task) => task.at + task.duration > 0);
  const layoutShifts = timings.layoutShifts.filter((shift) => shift.at >= 0);
  const { finalUrl, title } = timings;
  const since = { ...(longTasks && { longTasks }), layoutShifts };
  return opened ? { ...timings, ...since } : { finalUrl, title, ...since };
}
