import { setTimeout as settle } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { type CdpMessage, type CdpSource, createCdpSource } from '../../core/sources/cdp.ts';
import { createFold } from '../../core/timeline/fold.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { PolicyViolation, ScriptError } from '../../model/health.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import type { NetworkEvent } from '../../model/network/network.ts';
import type { Mark, Timeline } from '../../model/network/timeline.ts';
import type { HostSample, Incident, Recording } from '../../model/recording/recording.ts';
import type { IncidentFact } from '../../model/result/finding.ts';
import type { Ms } from '../../model/units.ts';
import { readHost } from '../../shell/host/probe.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { FINAL_READ_TIMEOUT_MS, withTimeout } from '../connect/with-timeout.ts';
import { readBodies } from './bodies.ts';
import { type RendererClocks, type RendererMetrics, turnOf, turnOfOther } from './clocks/clock.ts';
import type { FrameClocks } from './clocks/frames.ts';
import { createMainThreadClock } from './main-thread.ts';
import { scriptErrorOf, violationOf } from './page-errors.ts';
import { type PageReport, readPageReport } from './page-report.ts';
import { createWatch, type Watch } from './watch.ts';

/**
 * A task this long, ms, is one that a user would notice, and that the page's next step may wait for. What is shorter cannot
 * be told from a busy machine.
 */
const LONG_TASK_MS = 500;
/** A thread that gives no answer for this long, ms, is in the middle of something. */
const LATE_ANSWER_MS = 100;

/** Errors of one load that are kept: a script may throw in a loop. */
const MAX_SCRIPT_ERRORS = 1_000;

/** Marks by the names of CDP lifecycle events. */
const LIFECYCLE_MARKS: Readonly<Record<string, Mark['name']>> = {
  init: 'document-commit',
  DOMContentLoaded: 'dom-content-loaded',
  load: 'load',
  firstPaint: 'first-paint',
  firstContentfulPaint: 'first-contentful-paint',
};

/** Times of a recording, in ms since its zero. */
export interface RecordingClock {
  at(browserSeconds: number): Ms;
  now(): Ms;
  /** Now on the browser's monotonic clock, seconds. */
  browserNow(): number;
}

/** Options and callbacks of a recorder. */
export interface RecorderOptions {
  readonly browser: RunningBrowser;
  readonly clock: RecordingClock;
  /** Asked again for each judgement: a document that is replaced may change it. */
  policy(): Policy;
  /** Watch at least until then, even when the page is complete before. */
  readonly watchUntil?: Ms;
  /** Called when the page is complete; false when there is a reason to go on. */
  onComplete(observedUntil: Ms): boolean;
  /** Called whenever nothing that the page needs is in flight after its load event. */
  onQuiet?(): void;
  /** Called whenever something is. */
  onBusyAgain?(): void;
  /** Called whenever the answer stands but for what is watched to see whether it goes on. */
  onOnlyWatched?(): void;
  /** Called for each document of the page, before its mark is added. */
  onDocumentCommit(at: Ms): void;
  onNetworkEvent?(event: NetworkEvent): void;
}

/** The page that is recorded. */
interface RecordedPage {
  readonly clocks: RendererClocks;
  /** Those of frames that have a process of their own; absent in steps. */
  readonly frames?: FrameClocks;
  readonly targetId: string;
  /** The sessions of threads beside the page's. */
  others(): readonly CDPSession[];
  /** The document that is there already: its lifecycle events are not recorded. */
  readonly ignoredLoader: string;
}

/** Everything up to the end of watching; what comes later is not part of the recording. */
export type Observed = Pick<
  Recording,
  'events' | 'marks' | 'announcedHops' | 'observedUntil' | 'scriptErrors' | 'policyViolations'
> &
  Required<Pick<Recording, 'judging'>>;

/** What the recorder sees itself. */
type SeenByRecorder = keyof Observed | 'hostSamples' | 'mainThread' | 'frameThreads' | 'incidents' | 'bodies';

/** What others add to a recording. */
export interface RecordingParts extends Omit<Recording, SeenByRecorder> {
  /** Marks that only the page knows. */
  readonly paints: readonly Mark[];
  /** Read the texts of the responses. */
  readonly readBodies: boolean;
}

/**
 * Turns what the browser sends into a recording of one load, or of one step after it. Judges meanwhile whether the page is
 * complete. Messages are kept unread until they are needed: while a page loads, the processor belongs to the page.
 */
export class Recorder {
  readonly watch: Watch;
  readonly #options: RecorderOptions;
  readonly #hostSamples: HostSample[] = [];
  #page: RecordedPage | undefined;
  /** Messages that were not read yet: all of them until `begin`, later those since the last judgement. */
  #inbox: CdpMessage[] = [];
  /** The page's own document has run a script. */
  #hasScripts = false;
  /** Undefined until `begin`. */
  #source: CdpSource | undefined;
  #fold = createFold();
  #events: NetworkEvent[] = [];
  #lastEventAt: Ms = 0;
  #marks: Mark[] = [];
  #incidents: Incident[] = [];
  /** By the browser's number: a rejected promise may be handled later. */
  readonly #scriptErrors = new Map<number, ScriptError>();
  #violations: PolicyViolation[] = [];
  #mainThread = this.#newMainThreadClock();
  /** The reading of the machine that is under way. */
  #hostReading: Promise<void> | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.watch = createWatch({
      policy: () => options.policy(),
      watchUntil: options.watchUntil,
      timeline: (until) => (this.#source ? this.timeline(until) : undefined),
      now: () => options.clock.now(),
      sample: () => this.sampleMainThread(),
      askOtherThreads: () => this.askOtherThreads(),
      quiet: () => options.onQuiet?.(),
      busyAgain: () => options.onBusyAgain?.(),
      onlyWatched: () => options.onOnlyWatched?.(),
      complete: (observedUntil) => options.onComplete(observedUntil),
    });
  }

  /** Sets the page that is recorded. */
  attach(page: RecordedPage): void {
    this.#page = page;
  }

  /**
   * The recording's zero is known from now on: what came until now can be read.
   *
   * @param origin zero on the browser's monotonic clock, seconds
   * @param first its first mark, at 0
   * @param baseline the main thread's clock at zero, where work before it is not to be counted
   */
  begin(origin: number, first: Mark['name'], baseline?: RendererMetrics): void {
    this.#source = createCdpSource(origin, this.#page?.targetId);
    this.#marks.push({ name: first, at: 0 });
    if (this.#hasScripts) this.#marks.push({ name: 'script-parsed', at: 0 });
    if (baseline) this.#mainThread.startFrom(baseline);
    this.watch.begun();
    // The load event may have come first, where the browser is far away or busy. What waits for it, the reading of the
    // main thread above all, must not wait for a burst of messages to end.
    if (this.#inbox.some(isLoadEvent)) this.#readInbox();
  }

  /** Forgets everything so far, but the readings of the machine; `begin` starts again. */
  reset(): void {
    this.#source = undefined;
    this.#inbox = [];
    this.#fold = createFold();
    this.#events = [];
    this.#lastEventAt = 0;
    this.#marks = [];
    this.#incidents = [];
    this.#scriptErrors.clear();
    this.#violations = [];
    this.#mainThread = this.#newMainThreadClock();
  }

  /** Takes a message of the page or of anything that belongs to it. */
  receive(message: CdpMessage): void {
    const { method } = message;
    if (method === 'Page.frameRequestedNavigation') {
      // The last moment at which the time spent in a document that is about to be replaced can be read.
      const { frameId } = message.params as Protocol.Page.FrameRequestedNavigationEvent;
      if (frameId === this.#page?.targetId) void this.#mainThread.sample(this.#page.clocks);
      return;
    }
    if (method === 'Debugger.scriptParsed') this.#scriptParsed(message);
    if (message.target === 'page' && this.#notePageError(message)) return;
    const isNetwork = method.startsWith('Network.');
    // Others, such as frames of a film and scripts, are large: they must not be kept in the inbox.
    if (!isNetwork && method !== 'Page.lifecycleEvent') return;
    this.#inbox.push(message);
    if (this.#page && isMilestone(message, this.#page.targetId)) void this.#mainThread.sample(this.#page.clocks);
    if (this.#source === undefined) return;
    if (isNetwork) this.watch.messageReceived(method);
    else if (isLoadEvent(message)) this.#readInbox();
  }

  targetGone(sessionId: string): void {
    this.#readInbox();
    if (this.#source) this.#add(this.#source.targetGone(sessionId, this.#options.clock.browserNow()));
  }

  addMark(mark: Mark): void {
    this.#marks.push(mark);
  }

  addIncident(fact: IncidentFact): void {
    this.#incidents.push({ at: Math.max(0, this.#options.clock.now()), ...fact });
  }

  marks(): readonly Mark[] {
    return this.#marks;
  }

  lastCommit(): Mark | undefined {
    return this.#marks.findLast(({ name }) => name === 'document-commit');
  }

  events(): readonly NetworkEvent[] {
    this.#readInbox();
    return this.#events;
  }

  /** Hops that the browser has announced so far, as far as messages were read. */
  announcedHops(): number {
    return this.#source?.announcedHops() ?? 0;
  }

  /** Everything known, observed until now, `until` or the last event. */
  timeline(until?: Ms): Timeline {
    this.#readInbox();
    this.#noteBusyStretches();
    return this.#fold.timeline(this.#marks, this.#observedUntil(until));
  }

  /** Reads the main thread's clock when it is free. An answer that comes late shows that it was busy until then. */
  async sampleMainThread(): Promise<void> {
    if (!this.#page) return;
    const source = this.#source;
    const asked = this.#options.clock.now();
    void this.#page.frames?.sample();
    // One that gives no answer in time is still busy.
    const at = (await this.#mainThread.sampleWhenFree(this.#page.clocks)) ?? this.#options.clock.now();
    // The recording may have begun anew meanwhile.
    if (source === undefined || source !== this.#source || at - asked < LATE_ANSWER_MS) return;
    const since = this.#mainThread.busySince(asked);
    if (at - since < LONG_TASK_MS) return;
    this.#addBusy(since, at);
  }

  /**
   * A task that ran while something seemed to be in flight shows only afterwards: the thread that runs it is the one that
   * tells of the end of what it had fetched.
   */
  #noteBusyStretches(): void {
    for (const { from, to } of this.#mainThread.busyStretches(LONG_TASK_MS)) this.#addBusy(from, to);
  }

  #addBusy(since: Ms, at: Ms): void {
    const isKnown = this.#marks.some(
      (mark) =>
        mark.name === 'main-thread-busy' &&
        (mark.since ?? mark.at) <= since + LATE_ANSWER_MS &&
        mark.at >= at - LATE_ANSWER_MS,
    );
    if (!isKnown) this.#marks.push({ name: 'main-thread-busy', at, since: Math.max(0, since) });
  }

  /** Asks the threads beside the page's whether they are free, and notes when one is not. */
  async askOtherThreads(): Promise<void> {
    const source = this.#source;
    const at = this.#options.clock.now();
    // One that is gone computes no more.
    const free = Promise.allSettled((this.#page?.others() ?? []).map(turnOfOther)).then(() => true);
    const isFree = await Promise.race([free, settle(LATE_ANSWER_MS, false, { ref: false })]);
    if (!isFree && source !== undefined && source === this.#source) this.#marks.push({ name: 'other-thread-busy', at });
  }

  /** Reads the machine's counters, unless a reading is under way: a busy browser is not asked again before it answers. */
  sampleHost(at: Ms): Promise<void> {
    this.#hostReading ??= readHostSample(at, this.#options.browser)
      .then((sample) => void this.#hostSamples.push(sample))
      .finally(() => {
        this.#hostReading = undefined;
      });
    return this.#hostReading;
  }

  /**
   * Everything so far. Later messages are still taken, but are not part of the recording.
   *
   * @param judgedUntil how long had been watched when the answer was found: a poll that is reported late would otherwise
   *   look as if it had stopped
   */
  observed(judgedUntil?: Ms): Observed {
    this.#readInbox();
    this.#noteBusyStretches();
    return {
      events: [...this.#events],
      marks: [...this.#marks],
      announcedHops: this.announcedHops(),
      observedUntil: judgedUntil ?? this.#observedUntil(),
      scriptErrors: [...this.#scriptErrors.values()],
      policyViolations: [...this.#violations],
      judging: this.watch.spent(),
    };
  }

  /**
   * Does the page still answer? What it is asked while a script of it does not end has no answer either: each question would
   * wait for the whole time-out.
   */
  async answers(): Promise<boolean> {
    const { page } = this.#page?.clocks ?? {};
    const has = page && (await withTimeout(turnOf(page).then(() => true)));
    if (has) return true;
    const { root, gone } = this.#options.browser;
    // A browser that stands still says nothing of its page. Its connection is cut when it stays so.
    if (!(await withTimeout(root.send('Browser.getVersion')))) await gone;
    this.addIncident({ code: 'stopped-answering', facts: { silent: FINAL_READ_TIMEOUT_MS, isBroken: true } });
    return false;
  }

  /** The page's own performance timeline; undefined when the page does not answer. */
  async readPage(own?: readonly OwnMetric[]): Promise<PageReport | undefined> {
    if (!this.#page) return undefined;
    const { clocks, frames } = this.#page;
    const [report] = await Promise.all([
      withTimeout(readPageReport(clocks, (seconds) => this.#options.clock.at(seconds), own)),
      frames?.sample(),
    ]);
    if (report) this.#mainThread.keep(report.metrics);
    return report;
  }

  /** Reads the machine once more, and puts everything together. */
  async recording(observed: Observed, { paints, readBodies: isWanted, ...parts }: RecordingParts): Promise<Recording> {
    await this.#hostReading;
    await this.sampleHost(observed.observedUntil);
    const frameThreads = this.#page?.frames?.threads() ?? [];
    return {
      ...observed,
      ...parts,
      marks: [...observed.marks, ...paints],
      // Readings go on until the page is closed; those from after its end come before the last one.
      hostSamples: this.#hostSamples.filter(({ at }) => at <= observed.observedUntil),
      mainThread: [...this.#mainThread.samples()],
      ...(frameThreads.length > 0 && { frameThreads }),
      incidents: [...this.#incidents],
      bodies: isWanted && this.#page ? await readBodies(this.#page.clocks.page, this.timeline().requests) : [],
    };
  }

  #newMainThreadClock() {
    return createMainThreadClock((seconds) => (this.#source ? this.#options.clock.at(seconds) : undefined));
  }

  /** True when that is what the message was about. */
  #notePageError({ method, params }: CdpMessage): boolean {
    switch (method) {
      case 'Runtime.exceptionThrown': {
        const { exceptionDetails } = params as Protocol.Runtime.ExceptionThrownEvent;
        const at = Math.max(0, this.#options.clock.now());
        if (this.#scriptErrors.size < MAX_SCRIPT_ERRORS) {
          this.#scriptErrors.set(exceptionDetails.exceptionId, scriptErrorOf(exceptionDetails, at));
        }
        return true;
      }
      case 'Runtime.exceptionRevoked':
        this.#scriptErrors.delete((params as Protocol.Runtime.ExceptionRevokedEvent).exceptionId);
        return true;
      case 'Audits.issueAdded': {
        const violation = violationOf((params as Protocol.Audits.IssueAddedEvent).issue);
        if (violation && this.#violations.length < MAX_SCRIPT_ERRORS) this.#violations.push(violation);
        return true;
      }
      default:
        return false;
    }
  }

  #readInbox(): void {
    if (this.#source === undefined) return;
    const messages = this.#inbox;
    this.#inbox = [];
    for (const message of messages) {
      if (message.method !== 'Page.lifecycleEvent') this.#add(this.#source.accept(message));
      else if (message.target === 'page') this.#lifecycle(message.params as Protocol.Page.LifecycleEventEvent);
    }
  }

  #add(events: readonly NetworkEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#fold.add(event);
      this.#lastEventAt = Math.max(this.#lastEventAt, event.at);
      this.#options.onNetworkEvent?.(event);
    }
  }

  /** Notes that the page's own document has scripts, once. Those of isolated worlds are not its own. */
  #scriptParsed({ target, params }: CdpMessage): void {
    const { executionContextAuxData: world } = params as Protocol.Debugger.ScriptParsedEvent;
    const { isDefault, frameId } = (world ?? {}) as { readonly isDefault?: boolean; readonly frameId?: string };
    if (target !== 'page' || isDefault !== true || frameId !== this.#page?.targetId || this.#hasScripts) return;
    this.#hasScripts = true;
    if (this.#source) this.#marks.push({ name: 'script-parsed', at: Math.max(0, this.#options.clock.now()) });
  }

  #lifecycle({ name: event, timestamp, loaderId, frameId }: Protocol.Page.LifecycleEventEvent): void {
    const name = LIFECYCLE_MARKS[event];
    if (!name || frameId !== this.#page?.targetId || loaderId === this.#page.ignoredLoader) return;
    const at = this.#options.clock.at(timestamp);
    if (name === 'document-commit') this.#options.onDocumentCommit(at);
    this.#marks.push({ name, at, loaderId });
    if (name === 'document-commit') this.watch.documentCommitted();
    if (name !== 'load') return;
    this.watch.loaded();
    void this.sampleMainThread();
  }

  /** The last event may be later than now: the browser's clock is only known to some milliseconds. */
  #observedUntil(until = this.#options.clock.now()): Ms {
    return Math.max(this.#lastEventAt, until);
  }
}

/** Moments at which the main thread's clocks are read, so that it is known when, roughly, a load was robbed. */
const MILESTONES: ReadonlySet<string> = new Set(['DOMContentLoaded', 'firstContentfulPaint']);

function isMilestone({ method, params, target }: CdpMessage, frame: string): boolean {
  if (method !== 'Page.lifecycleEvent' || target !== 'page') return false;
  const { name, frameId } = params as Protocol.Page.LifecycleEventEvent;
  return frameId === frame && MILESTONES.has(name);
}

function isLoadEvent({ method, params }: CdpMessage): boolean {
  return method === 'Page.lifecycleEvent' && (params as Protocol.Page.LifecycleEventEvent).name === 'load';
}

/** One reading of the machine, with the CPU time that the browser has used so far. */
async function readHostSample(at: Ms, { root, isRemote }: RunningBrowser): Promise<HostSample> {
  if (isRemote) return { ...readHost(at), driver: true };
  const cpu = await withTimeout(root.send('SystemInfo.getProcessInfo'));
  const cpuMs = cpu?.processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  return readHost(at, cpuMs);
}
