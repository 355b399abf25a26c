import { performance } from 'node:perf_hooks';
import { setTimeout as settle } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { judge, judgeRaw, QUIET_WINDOW } from '../../core/complete.ts';
import { documentFailure, failure, navigationFailure } from '../../core/load-failure.ts';
import { type CdpMessage, type CdpSource, createCdpSource } from '../../core/sources/cdp.ts';
import { toMicroseconds } from '../../core/time.ts';
import { createFold } from '../../core/timeline/fold.ts';
import type { LoadOutcome, LoadRequest } from '../../model/lab.ts';
import type { NetworkEvent } from '../../model/network.ts';
import type { BodyText, HostSample, Incident, MainThreadSample, PageTimings } from '../../model/recording.ts';
import type { Failure } from '../../model/result.ts';
import type { Mark, Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { PageComplete } from '../../model/verdict.ts';
import { readHost } from '../host/probe.ts';
import { firstLine, type RunningBrowser } from './browser.ts';
import { type BrowserClock, browserClock, type RendererMetrics, readRenderer } from './clock.ts';
import { WORLD, watchCompleteOn } from './complete-on.ts';
import { VIEWPORT } from './flags.ts';
import { type PageReading, readPage } from './in-page.ts';
import { openPage, type TargetWatch } from './targets.ts';

/** Events come in bursts; judging once a burst is enough, because the answer is computed backwards. */
const JUDGE_EVERY_MS = 100;
/**
 * How old a context must be before it navigates, ms. Opening one, and closing the one before it, leaves work behind
 * (processes start and end): on two cores a load that begins at once was 11 % slower than one 300 ms later.
 */
export const SETTLE_MS = 250;
/** Before the load event there is next to nothing to decide, and the processor is the page's. */
const JUDGE_EVERY_MS_BEFORE_LOAD = 500;
/** How much longer than needed a page is watched so that plain quiescence gets its answer too, ms. */
const RAW_PATIENCE_MS = 250;
/** How often progress is told, ms. */
const TICK_EVERY_MS = 200;
/** A page that has replaced itself this often by script will not stop. Chrome's own limit for HTTP redirects is 20. */
const MAX_CLIENT_REDIRECTS = 20;
/** How long a page whose main thread is stuck may take to answer a last question, ms. */
const LAST_WORD_MS = 5_000;

/** Marks by the names of CDP lifecycle events. */
const LIFECYCLE: Readonly<Record<string, Mark['name']>> = {
  init: 'document-commit',
  DOMContentLoaded: 'dom-content-loaded',
  load: 'load',
  firstPaint: 'first-paint',
  firstContentfulPaint: 'first-contentful-paint',
};

/** Loads a page once in a fresh browser context, watches until it is complete, and gives out everything seen. */
export async function loadPage(
  browser: RunningBrowser,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const load = new Load(browser, request);
  try {
    return await load.run(signal);
  } finally {
    await load.dispose();
  }
}

/** What ended the watching. */
type End = { readonly failure: Failure } | { readonly failure?: undefined };

/** One load under way. All times of its fields are on the recording's axis unless they say otherwise. */
class Load {
  readonly #browser: RunningBrowser;
  readonly #request: LoadRequest;
  readonly #fold = createFold();
  readonly #events: NetworkEvent[] = [];
  readonly #marks: Mark[] = [];
  readonly #incidents: Incident[] = [];
  /** Ids of the hops that were to become the page's document. */
  readonly #documents = new Set<string>();
  readonly #mainThread: MainThreadSample[] = [];
  readonly #hostSamples: HostSample[] = [];
  /**
   * What has come and was not looked at yet: all of it until the origin of time is known, later what came since the
   * last judgement. While a page loads, the processor is the page's.
   */
  #inbox: CdpMessage[] = [];
  #source: CdpSource | undefined;
  #targets: TargetWatch | undefined;
  #clock: BrowserClock | undefined;
  /** Navigation start on the browser's clock, seconds. */
  #origin: number | undefined;
  #requestedAt: number | undefined;
  #blankLoader: string | undefined;
  /** Task time of documents that were replaced, and of the present one up to the last reading, seconds. */
  #earlierTaskTime = 0;
  #lastReading: RendererMetrics | undefined;
  #startedAtEpoch = 0;
  #finish: ((end: End) => void) | undefined;
  #judgeTimer: NodeJS.Timeout | undefined;
  #capTimer: NodeJS.Timeout | undefined;
  /** When the timer will fire, on this program's clock. */
  #judgeDue = Number.POSITIVE_INFINITY;
  /** The present document's load event has fired. */
  #loaded = false;
  /** Set when the load is over: what is still on its way must not begin anything new. */
  #over = false;
  #quietSampled: Ms | undefined;
  /** What the last judgement waited for. */
  #waitingFor: readonly string[] = [];

  constructor(browser: RunningBrowser, request: LoadRequest) {
    this.#browser = browser;
    this.#request = request;
  }

  async run(signal: AbortSignal): Promise<LoadOutcome> {
    signal.throwIfAborted();
    const { url, policy } = this.#request;
    const ended = new Promise<End>((resolve) => {
      this.#finish = resolve;
    });
    const opening = performance.now();
    const page = await this.#open();
    await settle(Math.max(0, SETTLE_MS - (performance.now() - opening)));
    // Ctrl-C may have come while the context was opened; nobody was listening to it yet.
    signal.throwIfAborted();
    let navigated = false;
    let stop = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
    });
    signal.addEventListener('abort', stop);
    this.#capAfter(policy.timeout);
    const ticker = setInterval(() => this.#tick(), TICK_EVERY_MS);
    try {
      page
        .send('Page.navigate', { url })
        .then((answer) => {
          navigated = true;
          this.#navigated(answer);
        })
        .catch((error: unknown) =>
          this.#finish?.({ failure: failure('navigation-failed', { url, detail: firstLine(error) }) }),
        );
      const end = await Promise.race([ended, aborted]);
      if (end.failure && this.#origin === undefined && !navigated) return { ok: false, failure: end.failure };
      return await this.#conclude(page, end.failure);
    } finally {
      this.#over = true;
      signal.removeEventListener('abort', stop);
      clearTimeout(this.#capTimer);
      clearInterval(ticker);
      clearTimeout(this.#judgeTimer);
    }
  }

  async dispose(): Promise<void> {
    await this.#targets?.dispose();
  }

  async #open(): Promise<CDPSession> {
    const targets = await openPage(
      this.#browser,
      { content: this.#request.content },
      {
        message: (message) => this.#receive({ ...message, arrivedAt: this.#clock?.now() ?? 0 }),
        gone: (sessionId) => this.#targetGone(sessionId),
        popup: (target) =>
          this.#incident('popup', `The page opened another one, which was closed: ${target.url || 'about:blank'}`),
      },
    );
    this.#targets = targets;
    const { page } = targets;
    const [, , frames] = await Promise.all([
      page.send('Performance.enable', { timeDomain: 'timeTicks' }),
      page.send('Emulation.setDeviceMetricsOverride', { ...VIEWPORT, deviceScaleFactor: 1, mobile: false }),
      page.send('Page.getFrameTree'),
      this.#browser.root
        .send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: targets.browserContextId })
        .catch(() => undefined),
    ]);
    this.#blankLoader = frames.frameTree.frame.loaderId;
    this.#clock = await browserClock(page);
    if (this.#request.policy.completeOn !== undefined) {
      await watchCompleteOn(page, this.#request.policy.completeOn, (at) => void this.#ownMark(page, at));
    }
    page.on('Page.javascriptDialogOpening', (dialog) => void this.#dialog(page, dialog));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.loaderId !== this.#blankLoader) void this.#committed(page);
    });
    // The last moment at which a document that is about to be replaced can tell what it did.
    page.on('Page.frameRequestedNavigation', ({ frameId }) => {
      if (frameId === targets.targetId) void this.#sampleMainThread(page);
    });
    page.on('Inspector.targetCrashed', () =>
      this.#finish?.({ failure: failure('page-crashed', { url: this.#request.url }) }),
    );
    await this.#sampleHost(0);
    return page;
  }

  // --- What the browser tells -------------------------------------------------------------------------------------

  #receive(message: CdpMessage): void {
    const { params } = message;
    if (message.method === 'Network.requestWillBeSent') {
      const { timestamp, wallTime, type, loaderId, requestId } = params as Protocol.Network.RequestWillBeSentEvent;
      if (this.#requestedAt === undefined && type === 'Document' && loaderId === requestId) {
        this.#requestedAt = timestamp;
        this.#startedAtEpoch = wallTime * 1000;
      }
    }
    this.#inbox.push(message);
    if (this.#source === undefined) return;
    const isLoadEvent =
      message.method === 'Page.lifecycleEvent' && (params as Protocol.Page.LifecycleEventEvent).name === 'load';
    if (isLoadEvent) this.#readInbox();
    else if (message.method.startsWith('Network.')) {
      this.#judgeSoon(this.#loaded ? JUDGE_EVERY_MS : JUDGE_EVERY_MS_BEFORE_LOAD);
    }
  }

  #readInbox(): void {
    if (this.#source === undefined) return;
    const messages = this.#inbox;
    this.#inbox = [];
    for (const message of messages) {
      if (message.method === 'Page.lifecycleEvent' && message.target === 'page') {
        this.#lifecycle(message.params as Protocol.Page.LifecycleEventEvent);
      } else {
        this.#add(this.#source.accept(message));
      }
    }
  }

  #add(events: readonly NetworkEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#fold.add(event);
      if (event.kind === 'request' && event.mainDocument) this.#documents.add(event.id);
      const tellsOfDocument = event.kind === 'response' || event.kind === 'failed';
      if (tellsOfDocument && this.#documents.has(event.id)) this.#giveUpOnDocument();
    }
  }

  #targetGone(sessionId: string): void {
    this.#readInbox();
    if (this.#source) this.#add(this.#source.targetGone(sessionId, this.#clock?.now() ?? 0));
  }

  #lifecycle({ name, timestamp, loaderId, frameId }: Protocol.Page.LifecycleEventEvent): void {
    const mark = LIFECYCLE[name];
    if (!mark || frameId !== this.#targets?.targetId || loaderId === this.#blankLoader) return;
    const at = this.#at(timestamp);
    if (mark === 'document-commit') this.#documentCommitted(at);
    this.#loaded = mark === 'load' || (this.#loaded && mark !== 'document-commit');
    this.#marks.push({ name: mark, at, loaderId });
    if (mark === 'load' && this.#targets) void this.#sampleMainThread(this.#targets.page);
    this.#judgeSoon(JUDGE_EVERY_MS);
  }

  #documentCommitted(at: Ms): void {
    const before = this.#marks.filter((mark) => mark.name === 'document-commit').length;
    if (before === 0) return;
    this.#incident(
      'client-redirect',
      `The page replaced itself by script or meta refresh after ${Math.round(at)} ms; times count from the first request.`,
    );
    if (before >= MAX_CLIENT_REDIRECTS) {
      const { url } = this.#request;
      this.#finish?.({
        failure: failure('redirect-loop', { url, detail: `the page replaced itself ${before} times` }),
      });
    }
  }

  /** A document is there: its renderer knows when the navigation began. */
  async #committed(page: CDPSession): Promise<void> {
    if (this.#origin !== undefined) return;
    const requestedAt = this.#requestedAt;
    const metrics = await readRenderer(page).catch(() => undefined);
    // A page that replaced itself at once answers with its successor's start, which is too late.
    const tellsOurs =
      metrics && requestedAt !== undefined && metrics.navigationStart <= requestedAt && metrics.navigationStart > 0;
    this.#setOrigin(tellsOurs ? metrics.navigationStart : (requestedAt ?? this.#clock?.now() ?? 0));
  }

  #setOrigin(origin: number): void {
    if (this.#origin !== undefined) return;
    this.#origin = origin;
    if (this.#requestedAt !== undefined) this.#startedAtEpoch -= (this.#requestedAt - origin) * 1000;
    this.#source = createCdpSource(origin, this.#targets?.targetId);
    this.#marks.push({ name: 'navigation-start', at: 0 });
    this.#judgeSoon(JUDGE_EVERY_MS_BEFORE_LOAD);
  }

  #navigated({ isDownload, errorText }: Protocol.Page.NavigateResponse): void {
    const { url } = this.#request;
    if (isDownload) this.#finish?.({ failure: failure('not-a-page', { url, detail: 'a download' }) });
    else if (errorText !== undefined) {
      // Nothing was committed, so the renderer cannot tell when the navigation began: its request can.
      this.#setOrigin(this.#requestedAt ?? this.#clock?.now() ?? 0);
      this.#finish?.({ failure: documentFailure(url, this.#document()) ?? navigationFailure(url, errorText) });
    }
  }

  /** The document that is there now, its last hop. */
  #document(): Request | undefined {
    return this.#timelineNow().requests.findLast((each) => each.mainDocument && !each.fromPreviousDocument);
  }

  /** What came is no page, or not all of a page: nothing better will follow. An error page may still reload itself. */
  #giveUpOnDocument(): void {
    const trouble = documentFailure(this.#request.url, this.#document());
    if (trouble && trouble.code !== 'http-error') this.#finish?.({ failure: trouble });
  }

  async #dialog(page: CDPSession, dialog: Protocol.Page.JavascriptDialogOpeningEvent): Promise<void> {
    // Leaving is allowed, questions are declined: nothing waits for a person who is not there.
    const accept = dialog.type === 'beforeunload' || dialog.type === 'alert';
    await page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    this.#incident(
      'dialog',
      `The page showed a dialog (${dialog.type}), which was ${accept ? 'accepted' : 'dismissed'} at once: ${dialog.message.slice(0, 200)}`,
    );
  }

  async #ownMark(page: CDPSession, sinceTimeOrigin: number): Promise<void> {
    const metrics = await readRenderer(page).catch(() => undefined);
    if (!metrics || this.#origin === undefined) return;
    const loaderId = this.#marks.findLast((mark) => mark.name === 'document-commit')?.loaderId;
    this.#marks.push({
      name: 'complete-on',
      at: toMicroseconds(this.#at(metrics.navigationStart) + sinceTimeOrigin),
      ...(loaderId !== undefined && { loaderId }),
      ...(this.#request.policy.completeOn !== undefined && { detail: this.#request.policy.completeOn }),
    });
    this.#judgeSoon(0);
  }

  #incident(code: Incident['code'], message: string): void {
    this.#incidents.push({ at: Math.max(0, this.#now()), code, message });
  }

  // --- Judging ----------------------------------------------------------------------------------------------------

  /** Ends the watching at the time-out of the policy, which counts on the recording's axis, not from this moment. */
  #capAfter(wait: number): void {
    this.#capTimer = setTimeout(() => {
      const left = this.#requestedAt === undefined ? 0 : this.#request.policy.timeout - this.#now();
      if (left > 0) this.#capAfter(left);
      else this.#finish?.({});
    }, Math.ceil(wait));
  }

  /** Judges after `wait` milliseconds, or earlier if that was planned already. */
  #judgeSoon(wait: number): void {
    const due = performance.now() + wait;
    if (this.#over || due >= this.#judgeDue) return;
    clearTimeout(this.#judgeTimer);
    this.#judgeDue = due;
    this.#judgeTimer = setTimeout(() => {
      this.#judgeDue = Number.POSITIVE_INFINITY;
      void this.#judge();
    }, wait);
  }

  async #judge(): Promise<void> {
    if (this.#origin === undefined) return;
    const timeline = this.#timelineNow();
    const answer = judge(timeline, this.#request.policy);
    if (answer.state === 'complete') {
      const patience = this.#patienceForRaw(timeline);
      return patience === undefined ? this.#confirm() : this.#judgeSoon(patience);
    }
    if (answer.state !== 'pending') return;
    this.#waitingFor = answer.waitingFor;
    this.#sampleWhenQuiet(answer, timeline);
    this.#judgeSoon(Math.max(1, answer.recheckAt - this.#now()));
  }

  /** A favicon ends its own quiet window a few milliseconds later: that much is waited, so that both are known. */
  #patienceForRaw(timeline: Timeline): number | undefined {
    const raw = judgeRaw(timeline, this.#request.policy);
    if (raw.state !== 'pending' || this.#request.policy.completeOn !== undefined) return undefined;
    const wait = raw.recheckAt - this.#now();
    const onlyWindow = raw.waitingFor.length === 1 && raw.waitingFor[0] === QUIET_WINDOW;
    return onlyWindow && wait > 0 && wait <= RAW_PATIENCE_MS ? wait : undefined;
  }

  /** Events may still be on their way: the browser is asked once more, and what it had to say comes before its answer. */
  async #confirm(): Promise<void> {
    if (this.#targets) await this.#sampleMainThread(this.#targets.page);
    const answer = judge(this.#timelineNow(), this.#request.policy);
    if (answer.state === 'complete') this.#finish?.({});
    else this.#judgeSoon(1);
  }

  /** The main thread's clock is read when the network falls quiet, which is close to what will be page-complete. */
  #sampleWhenQuiet(answer: Extract<PageComplete, { state: 'pending' }>, { observedUntil }: Timeline): void {
    const quietFrom = answer.recheckAt - this.#request.policy.quietWindow;
    if (quietFrom < 0 || quietFrom > observedUntil || this.#quietSampled === quietFrom) return;
    this.#quietSampled = quietFrom;
    if (this.#targets) void this.#sampleMainThread(this.#targets.page);
  }

  async #sampleMainThread(page: CDPSession): Promise<void> {
    const metrics = await within(LAST_WORD_MS, readRenderer(page));
    if (metrics) this.#keepSample(metrics);
  }

  #keepSample(reading: RendererMetrics): void {
    if (this.#origin === undefined) return;
    const before = this.#lastReading;
    // The counter belongs to a document: its successor, also in the same process, counts from zero.
    if (before && before.navigationStart !== reading.navigationStart) this.#earlierTaskTime += before.taskDuration;
    this.#lastReading = reading;
    const taskTime = toMicroseconds((this.#earlierTaskTime + reading.taskDuration) * 1000);
    this.#mainThread.push({ at: this.#at(reading.timestamp), taskTime });
  }

  #tick(): void {
    this.#request.onTick?.({
      elapsed: Math.max(0, this.#now()),
      requests: this.#source?.announcedHops() ?? 0,
      waitingFor: this.#waitingFor,
    });
  }

  // --- Time -------------------------------------------------------------------------------------------------------

  #at(browserSeconds: number): Ms {
    return toMicroseconds((browserSeconds - (this.#origin ?? this.#requestedAt ?? browserSeconds)) * 1000);
  }

  #now(): Ms {
    return this.#clock ? this.#at(this.#clock.now()) : 0;
  }

  #timelineNow(): Timeline {
    this.#readInbox();
    return this.#fold.timeline(this.#marks, this.#now());
  }

  // --- The end ----------------------------------------------------------------------------------------------------

  async #conclude(page: CDPSession, failed: Failure | undefined): Promise<LoadOutcome> {
    if (this.#origin === undefined) this.#setOrigin(this.#requestedAt ?? this.#clock?.now() ?? 0);
    this.#readInbox();
    // From here on nothing is added: what still comes belongs to no answer.
    const events = [...this.#events];
    const marks = [...this.#marks];
    const announcedHops = this.#source?.announcedHops() ?? 0;
    const observedUntil = events.reduce((last, event) => Math.max(last, event.at), this.#now());
    const document = this.#document();
    const trouble =
      failed ?? documentFailure(this.#request.url, document) ?? this.#unanswered(document?.response !== undefined);
    const reading = trouble ? undefined : await within(LAST_WORD_MS, this.#readPage(page));
    await this.#sampleHost(observedUntil);
    const recording = {
      navigation: {
        url: this.#request.url,
        startedAt: this.#startedAtEpoch,
        browser: this.#browser.product,
        userAgent: this.#browser.userAgent,
      },
      events,
      marks: [...marks, ...(reading?.paints ?? [])],
      frames: [],
      hostSamples: this.#hostSamples,
      mainThread: this.#mainThread,
      ...(reading && { page: reading.timings }),
      incidents: this.#incidents,
      bodies: this.#request.content && !trouble ? await this.#bodies(page) : [],
      observedUntil,
      announcedHops,
    };
    return trouble ? { ok: false, failure: trouble, recording } : { ok: true, recording };
  }

  #unanswered(answered: boolean): Failure | undefined {
    const { url, policy } = this.#request;
    return answered ? undefined : failure('no-answer', { url, timeout: policy.timeout });
  }

  async #readPage(page: CDPSession): Promise<{ timings: PageTimings; paints: readonly Mark[] }> {
    const { frameTree } = await page.send('Page.getFrameTree');
    const world = await page.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: WORLD });
    const [{ result }, metrics] = await Promise.all([
      page.send('Runtime.evaluate', {
        expression: `(${readPage})()`,
        contextId: world.executionContextId,
        returnByValue: true,
      }),
      readRenderer(page),
    ]);
    this.#keepSample(metrics);
    const reading = result.value as PageReading;
    // The document's own zero lies later than ours when a client-side redirect came before it.
    const zero = this.#at(metrics.navigationStart);
    const shift = (time: number | undefined): Ms | undefined =>
      time === undefined || time === 0 ? undefined : toMicroseconds(zero + time);
    const { loaderId } = frameTree.frame;
    return {
      timings: timingsOf(reading, shift),
      paints: reading.largest.map(({ startTime, what }) => ({
        name: 'largest-contentful-paint',
        at: toMicroseconds(zero + startTime),
        loaderId,
        ...(what !== '' && { detail: what }),
      })),
    };
  }

  async #sampleHost(at: Ms): Promise<void> {
    const cpu = await within(LAST_WORD_MS, this.#browser.root.send('SystemInfo.getProcessInfo'));
    const cpuMs = cpu?.processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
    this.#hostSamples.push(await readHost(at, cpuMs));
  }

  /** Bodies of what has finished, as far as the browser still has them. */
  async #bodies(page: CDPSession): Promise<readonly BodyText[]> {
    const finished = this.#timelineNow().requests.filter((each) => each.outcome === 'finished' && each.contentSize > 0);
    const bodies = await Promise.all(
      finished.map(async (each): Promise<BodyText | undefined> => {
        const answer = await within(LAST_WORD_MS, page.send('Network.getResponseBody', { requestId: each.requestId }));
        return answer && { id: each.id, text: answer.body, base64: answer.base64Encoded };
      }),
    );
    return bodies.filter((body) => body !== undefined);
  }
}

function timingsOf(reading: PageReading, shift: (time: number | undefined) => Ms | undefined): PageTimings {
  const { navigation, paints } = reading;
  const named = {
    responseStart: shift(navigation?.responseStart),
    responseEnd: shift(navigation?.responseEnd),
    domInteractive: shift(navigation?.domInteractive),
    domContentLoadedEnd: shift(navigation?.domContentLoadedEventEnd),
    loadEnd: shift(navigation?.loadEventEnd),
    firstPaint: shift(paints.find((paint) => paint.name === 'first-paint')?.startTime),
    firstContentfulPaint: shift(paints.find((paint) => paint.name === 'first-contentful-paint')?.startTime),
  };
  const known = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return {
    finalUrl: reading.url,
    title: reading.title,
    ...known,
    longTasks: reading.longTasks.map(({ startTime, duration }) => ({ at: shift(startTime) ?? 0, duration })),
    layoutShifts: reading.shifts.map(({ startTime, value }) => ({ at: shift(startTime) ?? 0, score: value })),
  };
}

/** The value, or undefined when it does not come in time or fails: a last word is wanted, not needed. */
async function within<T>(ms: number, value: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([value.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
