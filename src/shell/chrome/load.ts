import { performance } from 'node:perf_hooks';
import { setTimeout as settle } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { carriedFrom } from '../../core/background/carry.ts';
import { DESKTOP } from '../../core/conditions/devices.ts';
import { documentFailure, failure, navigationFailure } from '../../core/load-failure.ts';
import { visitOf } from '../../core/measure.ts';
import { type CdpMessage, type CdpSource, createCdpSource } from '../../core/sources/cdp.ts';
import { toMicroseconds } from '../../core/time.ts';
import { createFold } from '../../core/timeline/fold.ts';
import type { Access } from '../../model/access.ts';
import type { Conditions } from '../../model/conditions.ts';
import type { LoadOutcome, LoadRequest, StepOutcome } from '../../model/lab.ts';
import type { NetworkEvent } from '../../model/network.ts';
import type { Frame, HostSample, Incident, PageTimings, Recording } from '../../model/recording.ts';
import type { Failure } from '../../model/result.ts';
import type { LoadScript } from '../../model/script.ts';
import type { Mark, Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { readHost } from '../host/probe.ts';
import { applyAccess } from './access.ts';
import { traceAsyncStacks } from './async-stacks.ts';
import { createAxis } from './axis.ts';
import { runBefore } from './before.ts';
import { readBodies } from './bodies.ts';
import { firstLine, type RunningBrowser } from './browser.ts';
import { browserClock, readRenderer } from './clock.ts';
import { watchCompleteOn } from './complete-on.ts';
import { applyConditions, userAgentOf } from './conditions.ts';
import { type Film, startFilm, takePicture } from './film.ts';
import { furnish } from './furnish.ts';
import { type Hold, holdRequests } from './hold.ts';
import { LIFECYCLE } from './lifecycle.ts';
import { createMainThreadClock } from './main-thread.ts';
import { readPageReport } from './page-timings.ts';
import { openProfile, type Profile } from './profile.ts';
import { createSteps, type Steps } from './steps.ts';
import { type BeforeStart, openPage, type TargetWatch } from './targets.ts';
import { createWatch, type Watch } from './watch.ts';
import { LAST_WORD_MS, within } from './within.ts';

/**
 * How old a context must be before it navigates, ms. Opening one, and closing the one before it, leaves work behind
 * (processes start and end): on two cores a load that begins at once was 11 % slower than one 300 ms later.
 */
export const SETTLE_MS = 250;
/** How often progress is told, ms. */
const TICK_EVERY_MS = 200;
/** A page that has replaced itself this often by script will not stop. Chrome's own limit for HTTP redirects is 20. */
const MAX_CLIENT_REDIRECTS = 20;

/** The first visit of whoever asks for nothing else. */
const NO_CONDITIONS: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };
const NO_ACCESS: Access = { headers: [], cookies: [], block: [], ignoreCertificateErrors: false };

/**
 * Loads a page once in a fresh profile, watches until it is complete, and gives out everything seen. For a warm view the
 * page is loaded twice, and the second load is given out.
 */
export async function loadPage(
  browser: RunningBrowser,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const profile = await openProfile(browser);
  const access = applyAccess(request.access ?? NO_ACCESS, request.url, browser);
  let load: Load | undefined;
  try {
    await furnish(profile, request);
    await access.begin();
    const unready = await runBefore(browser, profile, request, access.beforeStart, signal);
    if (unready) return { ok: false, failure: unready };
    if (request.conditions?.view === 'warm') {
      load = new Load(browser, profile, firstVisitOf(request), access.beforeStart);
      const first = await load.run(signal);
      if (!first.ok) return first;
      await load.leave();
    }
    load = new Load(browser, profile, request, access.beforeStart);
    const outcome = await load.run(signal);
    const { script } = request;
    if (!outcome.ok || !script?.steps || !script.script.measure) return outcome;
    return { ...outcome, steps: await load.runSteps(outcome.recording, script, signal) };
  } catch (error) {
    const refused = refusal(error);
    if (refused === undefined) throw error;
    return { ok: false, failure: failure('conditions-refused', { url: request.url, detail: refused }) };
  } finally {
    await load?.release();
    await access.end();
    await profile.dispose();
    await load?.dispose();
  }
}

/** The visit that fills the caches. Nothing of it is kept, so nothing is filmed and no suspect is held in it. */
function firstVisitOf({ url, policy, conditions, access, onTick }: LoadRequest): LoadRequest {
  return {
    url,
    policy,
    content: false,
    ...(conditions && { conditions }),
    ...(access && { access }),
    ...(onTick && { onTick: (tick) => onTick(tick) }),
  };
}

/** What the browser said no to before anything was loaded; undefined when it is something else that went wrong. */
function refusal(error: unknown): string | undefined {
  const line = firstLine(error);
  return /^Protocol error \((?:Emulation|Network|Storage|Browser\.grant)/.test(line) && !/closed/i.test(line)
    ? line
    : undefined;
}

/**
 * A page's own timeline knows when the answer's first byte was there, and not that an emulated network gave it to the page
 * only later.
 */
function heldBack(timings: PageTimings, { network }: Conditions, document: Request | undefined): PageTimings {
  const headersEnd = document?.timing?.headersEnd;
  if (!network || timings.responseStart === undefined || headersEnd === undefined) return timings;
  return { ...timings, responseStart: Math.max(timings.responseStart, headersEnd) };
}

/** What ended the watching: a failure, the answer, or else the cap. */
interface End {
  readonly failure?: Failure;
  /** How long had been watched when the answer was found. */
  readonly judgedUntil?: Ms;
}

/** One load under way. All times of its fields are on the recording's axis unless they say otherwise. */
class Load {
  readonly #browser: RunningBrowser;
  readonly #profile: Profile;
  readonly #request: LoadRequest;
  readonly #beforeStart: readonly BeforeStart[];
  readonly #fold = createFold();
  readonly #events: NetworkEvent[] = [];
  #lastEventAt: Ms = 0;
  readonly #marks: Mark[] = [];
  readonly #incidents: Incident[] = [];
  /** Ids of the hops that were to become the page's document. */
  readonly #documents = new Set<string>();
  readonly #axis = createAxis((origin) => this.#begin(origin));
  readonly #mainThread = createMainThreadClock((seconds) =>
    this.#axis.isKnown() ? this.#axis.at(seconds) : undefined,
  );
  readonly #watch: Watch;
  readonly #hold: Hold | undefined;
  readonly #hostSamples: HostSample[] = [];
  /** The reading of the machine that is under way. */
  #hostReading: Promise<void> | undefined;
  /**
   * What has come and was not looked at yet: all of it until the origin of time is known, later what came since the
   * last judgement. While a page loads, the processor is the page's.
   */
  #inbox: CdpMessage[] = [];
  #source: CdpSource | undefined;
  /** The latest time that a message carried, on the browser's clock, seconds. */
  #latestTold = 0;
  #targets: TargetWatch | undefined;
  #film: Film | undefined;
  #blankLoader: string | undefined;
  #finish: ((end: End) => void) | undefined;
  #capTimer: NodeJS.Timeout | undefined;
  /** What comes after the load, once it is over. */
  #steps: Steps | undefined;

  constructor(browser: RunningBrowser, profile: Profile, request: LoadRequest, beforeStart: readonly BeforeStart[]) {
    this.#browser = browser;
    this.#profile = profile;
    this.#request = request;
    this.#beforeStart = beforeStart;
    if (request.hold && request.hold.length > 0) this.#hold = holdRequests(request.hold);
    this.#watch = createWatch({
      policy: request.policy,
      watchUntil: request.watchUntil,
      timeline: (until) => (this.#axis.isKnown() ? this.#timelineNow(until) : undefined),
      now: () => this.#axis.now(),
      sample: () => this.#sampleMainThread(),
      complete: (observedUntil) => this.#complete(observedUntil),
    });
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
      clearInterval(ticker);
      if (end.failure && !this.#axis.isKnown() && !navigated) return { ok: false, failure: end.failure };
      return await this.#conclude(page, end);
    } finally {
      this.#watch.stop();
      signal.removeEventListener('abort', stop);
      clearTimeout(this.#capTimer);
      clearInterval(ticker);
    }
  }

  /** What a script does in the page when the load is over, each step recorded by itself. */
  async runSteps(recording: Recording, script: LoadScript, signal: AbortSignal): Promise<readonly StepOutcome[]> {
    const { url, policy, content, conditions } = this.#request;
    const targets = this.#targets;
    if (!targets) return [];
    this.#readInbox();
    this.#steps = createSteps({
      running: this.#browser,
      browserContextId: this.#profile.browserContextId,
      url,
      known: this.#events.flatMap((event) => (event.kind === 'request' ? event.requestId : [])),
      page: targets.page,
      targetId: targets.targetId,
      browser: this.#browser,
      policy,
      ...(conditions?.network && { network: conditions.network }),
      carried: carriedFrom(visitOf(recording, policy), policy.learnt ?? []),
      content,
      browserNow: () => this.#axis.browserNow(),
      epochAt: (seconds) => this.#axis.startedAt() + this.#axis.at(seconds),
      readHost: (at) => readHostAt(at, this.#browser),
    });
    return this.#steps.run(script, signal);
  }

  /** Lets go of what was stopped. The page is still there. */
  async release(): Promise<void> {
    this.#film?.stop();
    if (this.#hold) await within(LAST_WORD_MS, this.#hold.release());
  }

  /**
   * Ends the visit as if the user had gone for a while: the page is closed, and its service worker is stopped, which will
   * have to start again. What is in the caches stays.
   */
  async leave(): Promise<void> {
    await this.release();
    const { page } = this.#targets ?? {};
    // A page without service workers has none to stop, and an old browser may not know how.
    await page?.send('ServiceWorker.enable').catch(() => undefined);
    if (page) await within(LAST_WORD_MS, page.send('ServiceWorker.stopAllWorkers'));
    await this.dispose();
  }

  /** Closes the page, unless its profile is gone already. */
  async dispose(): Promise<void> {
    await this.#targets?.dispose();
  }

  async #open(): Promise<CDPSession> {
    const hold = this.#hold;
    const conditions = applyConditions(this.#request.conditions ?? NO_CONDITIONS, this.#browser, (code, message) =>
      this.#incident(code, message),
    );
    const targets = await openPage(
      this.#browser,
      this.#profile.browserContextId,
      {
        content: this.#request.content,
        beforeStart: [
          conditions.beforeStart,
          ...this.#beforeStart,
          ...(this.#request.film ? [traceAsyncStacks] : []),
          ...(hold ? [hold.beforeStart] : []),
        ],
        ...(hold && { onRoot: (root) => hold.intercept(root) }),
      },
      {
        message: (message) => this.#receive({ ...message, arrivedAt: this.#arrival(message) }),
        gone: (sessionId) => (this.#steps ? this.#steps.gone(sessionId) : this.#targetGone(sessionId)),
        popup: (target) =>
          this.#incident('popup', `The page opened another one, which was closed: ${target.url || 'about:blank'}`),
      },
    );
    this.#targets = targets;
    const { page } = targets;
    const [frames] = await Promise.all([
      page.send('Page.getFrameTree'),
      page.send('Performance.enable', { timeDomain: 'timeTicks' }),
      conditions.inForce(),
    ]);
    this.#blankLoader = frames.frameTree.frame.loaderId;
    this.#axis.setClock(await browserClock(page));
    if (this.#request.policy.completeOn !== undefined) {
      await watchCompleteOn(page, this.#request.policy.completeOn, (at) => void this.#ownMark(page, at));
    }
    page.on('Page.javascriptDialogOpening', (dialog) => void this.#dialog(page, dialog));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.loaderId !== this.#blankLoader) void this.#axis.askRenderer(page);
    });
    // The last moment at which a document that is about to be replaced can tell what it did.
    page.on('Page.frameRequestedNavigation', ({ frameId }) => {
      if (frameId === targets.targetId) void this.#sampleMainThread();
    });
    page.on('Inspector.targetCrashed', () =>
      this.#finish?.({ failure: failure('page-crashed', { url: this.#request.url }) }),
    );
    if (this.#request.film) this.#film = await startFilm(page);
    await this.#sampleHost(0);
    return page;
  }

  /**
   * When a message came, on the browser's clock, seconds. Told from this program's clock, which may be some milliseconds
   * off; but never earlier than what was told before: a socket is not older than the document that opened it.
   */
  #arrival({ method, params }: Pick<CdpMessage, 'method' | 'params'>): number {
    const { timestamp } = (params ?? {}) as { timestamp?: unknown };
    // Other domains count from the Unix epoch.
    const isMonotonic = method.startsWith('Network.') || method === 'Page.lifecycleEvent';
    if (isMonotonic && typeof timestamp === 'number') this.#latestTold = Math.max(this.#latestTold, timestamp);
    return Math.max(this.#axis.browserNow(), this.#latestTold);
  }

  // --- What the browser tells -------------------------------------------------------------------------------------

  #receive(message: CdpMessage): void {
    if (this.#steps) {
      this.#steps.message(message);
      return;
    }
    const { params } = message;
    if (message.method === 'Network.requestWillBeSent') {
      this.#axis.requestSent(params as Protocol.Network.RequestWillBeSentEvent);
    }
    const isNetwork = message.method.startsWith('Network.');
    // Pictures and scripts come by here as well: they have no place in an inbox that waits to be read.
    if (!isNetwork && message.method !== 'Page.lifecycleEvent') return;
    this.#inbox.push(message);
    if (this.#source === undefined) return;
    if (!isNetwork) {
      if (isLoadEvent(message)) this.#readInbox();
    } else {
      this.#watch.heard(message.method);
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
      this.#lastEventAt = Math.max(this.#lastEventAt, event.at);
      if (event.kind === 'request' && event.mainDocument) this.#documents.add(event.id);
      const tellsOfDocument = event.kind === 'response' || event.kind === 'failed';
      if (tellsOfDocument && this.#documents.has(event.id)) this.#giveUpOnDocument();
    }
  }

  #targetGone(sessionId: string): void {
    this.#readInbox();
    if (this.#source) this.#add(this.#source.targetGone(sessionId, this.#axis.browserNow()));
  }

  #lifecycle({ name, timestamp, loaderId, frameId }: Protocol.Page.LifecycleEventEvent): void {
    const mark = LIFECYCLE[name];
    if (!mark || frameId !== this.#targets?.targetId || loaderId === this.#blankLoader) return;
    const at = this.#axis.at(timestamp);
    if (mark === 'document-commit') this.#documentCommitted(at);
    this.#marks.push({ name: mark, at, loaderId });
    if (mark === 'document-commit') this.#watch.documentCommitted();
    if (mark !== 'load') return;
    this.#watch.loaded();
    void this.#sampleMainThread();
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

  /** Navigation start is known: what came until now can be read. */
  #begin(origin: number): void {
    this.#source = createCdpSource(origin, this.#targets?.targetId);
    this.#marks.push({ name: 'navigation-start', at: 0 });
    this.#watch.begun();
    // The load event may have come first, from a browser that is far away or too busy to answer: what waits for it, the
    // reading of the main thread above all, must not wait for a burst to end.
    if (this.#inbox.some(isLoadEvent)) this.#readInbox();
  }

  #navigated({ isDownload, errorText }: Protocol.Page.NavigateResponse): void {
    const { url } = this.#request;
    if (isDownload) this.#finish?.({ failure: failure('not-a-page', { url, detail: 'a download' }) });
    else if (errorText !== undefined) {
      // Nothing was committed, so the renderer cannot tell when the navigation began: its request can.
      this.#axis.settle();
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
    if (!metrics || !this.#axis.isKnown()) return;
    const loaderId = this.#marks.findLast((mark) => mark.name === 'document-commit')?.loaderId;
    this.#marks.push({
      name: 'complete-on',
      at: toMicroseconds(this.#axis.at(metrics.navigationStart) + sinceTimeOrigin),
      ...(loaderId !== undefined && { loaderId }),
      ...(this.#request.policy.completeOn !== undefined && { detail: this.#request.policy.completeOn }),
    });
    this.#watch.markMet();
  }

  #incident(code: Incident['code'], message: string): void {
    if (this.#steps) this.#steps.incident(code, message);
    else this.#incidents.push({ at: Math.max(0, this.#axis.now()), code, message });
  }

  // --- Watching ---------------------------------------------------------------------------------------------------

  /** Ends the watching at the time-out of the policy, which counts on the recording's axis, not from this moment. */
  #capAfter(wait: number): void {
    this.#capTimer = setTimeout(() => {
      const left = this.#axis.hasRequest() ? this.#request.policy.timeout - this.#axis.now() : 0;
      if (left > 0) this.#capAfter(left);
      else this.#finish?.({});
    }, Math.ceil(wait));
  }

  /** The page's own mark may be met by a document that is about to be replaced: its successor is waited for. */
  #complete(observedUntil: Ms): boolean {
    if (this.#document()?.response === undefined) return false;
    this.#finish?.({ judgedUntil: observedUntil });
    return true;
  }

  #tick(): void {
    this.#request.onTick?.({
      elapsed: Math.max(0, this.#axis.now()),
      requests: this.#source?.announcedHops() ?? 0,
      waitingFor: this.#watch.waitingFor(),
    });
    // From far away no reading comes when it is wanted: these are made at least every now and then.
    if (this.#browser.elsewhere) void this.#sampleMainThread();
    // A browser that is too busy to answer is not asked again before it has.
    if (this.#axis.isKnown() && this.#hostReading === undefined) void this.#sampleHost(this.#axis.now());
  }

  async #sampleMainThread(): Promise<void> {
    if (this.#targets) await this.#mainThread.sample(this.#targets.page);
  }

  #timelineNow(until?: Ms): Timeline {
    this.#readInbox();
    return this.#fold.timeline(this.#marks, this.#observedUntil(until));
  }

  /** Now, unless it is said until when, or the last event: the browser's clock may be a little ahead of what is known of it. */
  #observedUntil(until = this.#axis.now()): Ms {
    return Math.max(this.#lastEventAt, until);
  }

  // --- The end ----------------------------------------------------------------------------------------------------

  async #conclude(page: CDPSession, { failure: failed, judgedUntil }: End): Promise<LoadOutcome> {
    this.#axis.settle();
    this.#readInbox();
    // From here on nothing is added: what still comes belongs to no answer.
    const events = [...this.#events];
    const marks = [...this.#marks];
    const announcedHops = this.#source?.announcedHops() ?? 0;
    const judging = this.#watch.spent();
    // The answer is that of the moment at which it was found: a poll that is told of late would look as if it had stopped.
    const observedUntil = judgedUntil ?? this.#observedUntil();
    const document = this.#document();
    const trouble =
      failed ?? documentFailure(this.#request.url, document) ?? this.#unanswered(document?.response !== undefined);
    this.#film?.stop();
    const lastPicture = trouble ? undefined : await this.#lastPicture(page);
    const report = trouble
      ? undefined
      : await within(
          LAST_WORD_MS,
          readPageReport(page, (seconds) => this.#axis.at(seconds)),
        );
    if (report) this.#mainThread.keep(report.metrics);
    await this.#hostReading;
    await this.#sampleHost(observedUntil);
    const { conditions = NO_CONDITIONS } = this.#request;
    const recording: Recording = {
      navigation: {
        url: this.#request.url,
        startedAt: this.#axis.startedAt(),
        browser: this.#browser.product,
        userAgent: userAgentOf(conditions, this.#browser)?.userAgent ?? this.#browser.userAgent,
        ...(conditions.network && { network: conditions.network }),
        ...(conditions.view === 'warm' && { view: conditions.view }),
      },
      events,
      marks: [...marks, ...(report?.paints ?? [])],
      frames: this.#frames(observedUntil),
      ...(lastPicture && { lastPicture }),
      hostSamples: this.#hostSamples,
      mainThread: [...this.#mainThread.samples()],
      ...(report && { page: heldBack(report.timings, conditions, document) }),
      incidents: [...this.#incidents],
      bodies: this.#request.content && !trouble ? await readBodies(page, this.#timelineNow().requests) : [],
      observedUntil,
      announcedHops,
      judging,
    };
    return trouble ? { ok: false, failure: trouble, recording } : { ok: true, recording };
  }

  #unanswered(answered: boolean): Failure | undefined {
    const { url, policy } = this.#request;
    return answered ? undefined : failure('no-answer', { url, timeout: policy.timeout });
  }

  #frames(until: Ms): readonly Frame[] {
    return (
      this.#film?.frames({ at: (seconds) => this.#axis.at(seconds), startedAt: this.#axis.startedAt(), until }) ?? []
    );
  }

  async #lastPicture(page: CDPSession): Promise<Frame | undefined> {
    if (!this.#film) return undefined;
    const at = this.#axis.now();
    const image = await within(LAST_WORD_MS, takePicture(page));
    return image === undefined ? undefined : { at, image };
  }

  #sampleHost(at: Ms): Promise<void> {
    this.#hostReading = this.#readHost(at).finally(() => {
      this.#hostReading = undefined;
    });
    return this.#hostReading;
  }

  async #readHost(at: Ms): Promise<void> {
    this.#hostSamples.push(await readHostAt(at, this.#browser));
  }
}

function isLoadEvent({ method, params }: CdpMessage): boolean {
  return method === 'Page.lifecycleEvent' && (params as Protocol.Page.LifecycleEventEvent).name === 'load';
}

/** One reading of the machine, with what the browser has taken of it. */
async function readHostAt(at: Ms, { root, elsewhere }: RunningBrowser): Promise<HostSample> {
  if (elsewhere) return { ...readHost(at), driver: true };
  const cpu = await within(LAST_WORD_MS, root.send('SystemInfo.getProcessInfo'));
  const cpuMs = cpu?.processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
  return readHost(at, cpuMs);
}
