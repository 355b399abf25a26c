import { performance } from 'node:perf_hooks';
import { setTimeout as settle } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { rulesForSteps } from '../../core/background/content/rules-for-steps.ts';
import { DESKTOP } from '../../core/conditions/devices.ts';
import { visitOf } from '../../core/measure.ts';
import { documentFault, navigationFault } from '../../core/requests/load-failure.ts';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import { cutTo } from '../../core/text/cut-to.ts';
import { defined } from '../../core/text/defined.ts';
import { toMicroseconds } from '../../core/time/time.ts';
import type { Conditions } from '../../model/conditions.ts';
import type { IncidentFact } from '../../model/finding.ts';
import type { LoadOutcome, LoadRequest, StepOutcome } from '../../model/lab.ts';
import type { NetworkEvent } from '../../model/network.ts';
import type { Frame, PageTimings, Recording } from '../../model/recording.ts';
import type { Failure } from '../../model/result.ts';
import type { LoadScript } from '../../model/script.ts';
import type { Mark, Request } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { failure, loadFailure } from '../../wording/failure.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { closingIsOver } from '../connect/closing.ts';
import { firstLine } from '../connect/first-line.ts';
import { type Profile } from '../connect/profile.ts';
import { rejectOnAbort } from '../connect/reject-on-abort.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { applyConditions, userAgentOf } from '../context/conditions.ts';
import { type Film, startFilm, takePicture } from '../film/film.ts';
import { type Hold, holdRequests } from '../intercept/hold.ts';
import { createSteps, type Steps } from '../script/steps.ts';
import { readTraced } from '../trace/causes.ts';
import { type CoverageWatch, watchCoverage } from '../trace/coverage.ts';
import { type CpuProfile, startProfile } from '../trace/profile.ts';
import { startTrace, type Trace } from '../trace/trace.ts';
import { traceAsyncStacks } from './async-stacks.ts';
import { browserClock, type RendererClocks, readRenderer } from './clock.ts';
import { watchCompleteOn } from './complete-on.ts';
import { watchDom } from './dom-changes.ts';
import { createFrameClocks, type FrameClocks } from './frame-clocks.ts';
import { createNavigationClock } from './navigation-clock.ts';
import { type Outline, readOutline } from './outline.ts';
import { paced } from './paced.ts';
import { reportErrors, reportViolations } from './page-errors.ts';
import { createProcessorClocks, type ProcessorClocks } from './processor-clock.ts';
import { type Observed, Recorder } from './recorder.ts';
import type { RequestOwnership } from './request-ownership.ts';
import { type BeforeStart, openPage, type TargetWatch } from './targets.ts';
import { startTimeLimit } from './time-limit.ts';
import { createWorkerClocks, type WorkerClocks } from './worker-clocks.ts';

/**
 * How old a context must be before a timed load navigates, ms. Processes start and end when contexts are opened and closed:
 * on two cores a load that began at once was 11 % slower than one 300 ms later. Medians of 26 loads of a page that is complete
 * after 170 ms: after 250 ms it was complete as early as after 400, after 200 ms 1 % later, after 100 ms 3 % and its first
 * paint 16 %.
 */
export const SETTLE_MS = 200;
/** How long after the network is quiet its last answer is in the document, ms; then half of the usual quiet window is left. */
const DRAWN_BY_THEN_MS = 1_500;
/** How often a film is looked at while it is taken, ms. */
const LOOK_AT_FILM_EVERY_MS = 500;
/** How often progress is reported, ms. */
const TICK_EVERY_MS = 200;
/** A page may replace itself so often by script. Chrome's own limit for HTTP redirects is 20, too. */
const MAX_CLIENT_REDIRECTS = 20;
/** Letters that are kept of what a dialog asks. */
const LONGEST_DIALOG = 200;

/** Conditions of a request that names none. */
const NO_CONDITIONS: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };

/** An emulated network hands the first byte to the page later than the page's own timeline says. */
function delayedByNetwork(timings: PageTimings, { network }: Conditions, document: Request | undefined): PageTimings {
  const headersEnd = document?.timing?.headersEnd;
  if (!network || timings.responseStart === undefined || headersEnd === undefined) return timings;
  return { ...timings, responseStart: Math.max(timings.responseStart, headersEnd) };
}

/** What ended the watching: a failure, the answer, or else the policy's time-out. */
interface End {
  readonly failure?: Failure;
  /** How long had been watched when the answer was found. */
  readonly judgedUntil?: Ms;
}

/** One load under way, from an empty profile to its recording. */
export class PageLoad {
  readonly #browser: RunningBrowser;
  readonly #profile: Profile;
  readonly #request: LoadRequest;
  readonly #beforeStart: readonly BeforeStart[];
  readonly #clock = createNavigationClock((origin) => this.#recorder.begin(origin, 'navigation-start'));
  readonly #recorder: Recorder;
  readonly #hold: Hold | undefined;
  /** Ids of the hops that were to become the page's document. */
  readonly #documents = new Set<string>();
  #targets: TargetWatch | undefined;
  readonly #processors: ProcessorClocks;
  readonly #frameClocks: FrameClocks;
  readonly #workerClocks: WorkerClocks;
  /** The second session with the page, for its processor's clock. */
  #processor: CDPSession | undefined;
  #film: Film | undefined;
  #trace: Trace | undefined;
  #cpuProfile: CpuProfile | undefined;
  /** It was asked what can be proved while the page is only watched. */
  #proving = false;
  #earlier: Outline | undefined;
  #outlineTimer: NodeJS.Timeout | undefined;
  readonly #coverage: CoverageWatch | undefined;
  /** A film that begins when the network is quiet was begun. */
  #filming = false;
  #isFilmWanted = false;
  /** When the answer was known first, and that nothing has been drawn since then. */
  #drawnFrom: Ms | undefined;
  #hasDrawn = false;
  readonly #lookAtDrawing = paced(LOOK_AT_FILM_EVERY_MS);
  readonly #lookForContent = paced(LOOK_AT_FILM_EVERY_MS);
  #finish: (end: End) => void = () => undefined;
  /** The renderer died, in the load or while its page was read. */
  #crash: Failure | undefined;
  /** Set when the load is over: what the browser sends from then on belongs to the script's steps. */
  #steps: Steps | undefined;

  constructor(
    browser: RunningBrowser,
    profile: Profile,
    request: LoadRequest,
    beforeStart: readonly BeforeStart[],
    ownership: RequestOwnership,
  ) {
    this.#browser = browser;
    this.#profile = profile;
    this.#request = request;
    this.#beforeStart = beforeStart;
    this.#frameClocks = createFrameClocks((seconds) => (this.#clock.isKnown() ? this.#clock.at(seconds) : undefined));
    this.#workerClocks = createWorkerClocks(browser.isConnected ? undefined : browser.root, () =>
      this.#clock.isKnown() ? this.#clock.now() : undefined,
    );
    this.#processors = createProcessorClocks(browser, this.#frameClocks.processorOpened);
    if (request.hold && request.hold.length > 0) this.#hold = holdRequests(request.hold, ownership);
    if (request.trace) this.#coverage = watchCoverage(() => this.#clock.now());
    this.#recorder = new Recorder({
      browser,
      clock: this.#clock,
      policy: () => request.policy,
      ...(request.watchUntil !== undefined && { watchUntil: request.watchUntil }),
      onComplete: (observedUntil) => this.#complete(observedUntil),
      onQuiet: () => {
        void this.#filmFromNowOn();
        this.#readOutlineSoon();
        this.#coverage?.quiet();
      },
      onBusyAgain: () => {
        this.#filmLater();
        this.#forgetOutline();
        this.#coverage?.busyAgain();
      },
      onOnlyWatched: () => void this.#proveMeanwhile(),
      onDocumentCommit: (at) => this.#documentCommitted(at),
      onNetworkEvent: (event) => this.#giveUpOnDocument(event),
    });
  }

  async run(signal: AbortSignal): Promise<LoadOutcome> {
    signal.throwIfAborted();
    const { url, policy } = this.#request;
    const ended = new Promise<End>((resolve) => {
      this.#finish = resolve;
    });
    const opening = performance.now();
    const opened = await this.#openInTime(ended, signal);
    if ('failure' in opened) return { ok: false, failure: opened.failure };
    const { page } = opened;
    await closingIsOver(this.#browser);
    // A load that is filmed from its start is never timed.
    if (!this.#request.film) await settle(Math.max(0, SETTLE_MS - (performance.now() - opening)));
    this.#request.justBefore?.();
    // Ctrl-C may have come while the context was opened, before anything listened for it.
    const abortion = rejectOnAbort(signal);
    let navigated = false;
    // Time counts from the request; a page that sends none in time has none left.
    const limit = startTimeLimit(
      policy.timeout,
      () => (this.#clock.hasRequest() ? this.#clock.now() : policy.timeout),
      () => this.#finish({}),
    );
    const ticker = setInterval(() => this.#tick(), TICK_EVERY_MS);
    try {
      page
        .send('Page.navigate', { url })
        .then((answer) => {
          navigated = true;
          this.#navigated(answer);
        })
        .catch((error: unknown) =>
          this.#finish({ failure: failure('navigation-failed', { url, detail: firstLine(error) }) }),
        );
      const end = await Promise.race([ended, abortion.rejected]);
      this.#recorder.watch.stop();
      clearInterval(ticker);
      if (end.failure && !this.#clock.isKnown() && !navigated) return { ok: false, failure: end.failure };
      return await this.#conclude(page, end);
    } finally {
      this.#recorder.watch.stop();
      this.#workerClocks.stop();
      abortion.stop();
      limit.stop();
      clearInterval(ticker);
    }
  }

  /** What a script does in the page when the load is over, each step recorded by itself. */
  async runSteps(recording: Recording, script: LoadScript, signal: AbortSignal): Promise<readonly StepOutcome[]> {
    const { url, policy, content, trace = false } = this.#request;
    const targets = this.#targets;
    if (!targets) return [];
    const { browser, userAgent, network } = recording.navigation;
    this.#steps = createSteps({
      browser: this.#browser,
      browserContextId: this.#profile.browserContextId,
      url,
      loadedRequests: this.#recorder.events().flatMap((event) => (event.kind === 'request' ? event.requestId : [])),
      clocks: this.#clocksOf(targets.page),
      targetId: targets.targetId,
      others: targets.others,
      navigation: defined({ browser, userAgent, network }),
      policy,
      rules: rulesForSteps(visitOf(recording, policy), policy.learnt ?? []),
      content,
      traced: trace,
      browserNow: () => this.#clock.browserNow(),
      epochAt: (seconds) => this.#clock.startedAt() + this.#clock.at(seconds),
    });
    return this.#steps.run(script, signal);
  }

  /** Stops filming, and ends the requests that were held. The page stays open. */
  async release(): Promise<void> {
    this.#film?.stop();
    clearTimeout(this.#outlineTimer);
    this.#coverage?.stop();
    await this.#trace?.stop();
    if (this.#hold) await withTimeout(this.#hold.release());
  }

  /**
   * Ends the visit as if the user had gone for a while: the page is closed, and its service worker is stopped, which will
   * have to start again. What is in the caches stays.
   */
  async leave(): Promise<void> {
    await this.release();
    const { page } = this.#targets ?? {};
    // A page without service workers has none to stop, and an old browser may not know the command.
    await page?.send('ServiceWorker.enable').catch(() => undefined);
    if (page) await withTimeout(page.send('ServiceWorker.stopAllWorkers'));
    await this.dispose();
  }

  /** Closes the page, unless its profile is gone already. */
  async dispose(): Promise<void> {
    await Promise.all([this.#targets?.dispose(), this.#processors.close()]);
  }

  #clocksOf(page: CDPSession): RendererClocks {
    return defined({ page, processor: this.#processor });
  }

  /** A blank page may crash, too, or never answer: what it is asked then has no answer. */
  async #openInTime(
    ended: Promise<End>,
    signal: AbortSignal,
  ): Promise<{ readonly page: CDPSession } | { readonly failure: Failure }> {
    const { url, policy } = this.#request;
    const { timeout } = policy;
    const gaveUp = new AbortController();
    const late = setTimeout(() => this.#finish({ failure: failure('page-not-opened', { url, timeout }) }), timeout);
    const abortion = rejectOnAbort(signal);
    const opening = this.#open(gaveUp.signal).then((page) => ({ page }));
    try {
      const failed = ended.then(({ failure: why }) => ({
        failure: why ?? failure('page-not-opened', { url, timeout }),
      }));
      return await Promise.race([failed, opening, abortion.rejected]);
    } finally {
      clearTimeout(late);
      abortion.stop();
      gaveUp.abort();
      opening.catch(() => undefined);
    }
  }

  async #open(gaveUp: AbortSignal): Promise<CDPSession> {
    const { completeOn } = this.#request.policy;
    const hold = this.#hold;
    const asked = this.#request.conditions ?? NO_CONDITIONS;
    const conditions = applyConditions(asked, this.#browser, (fact) => this.#addIncident(fact));
    const targets = await openPage(
      this.#browser,
      this.#profile.browserContextId,
      {
        content: this.#request.content,
        device: asked.device,
        beforeStart: [
          conditions.beforeStart,
          ...this.#beforeStart,
          reportErrors,
          this.#frameClocks.beforeStart,
          this.#workerClocks.beforeStart,
          ...(this.#request.film ? [traceAsyncStacks, reportViolations] : []),
          ...(this.#request.film || this.#request.domChanges ? [watchDom] : []),
          ...(this.#coverage ? [this.#coverage.beforeStart] : []),
          ...(hold ? [hold.beforeStart] : []),
        ],
        ...(hold && { onRoot: (root) => hold.intercept(root) }),
        gaveUp,
      },
      {
        message: (message) => this.#receive({ ...message, arrivedAt: this.#clock.arrival(message) }),
        gone: (sessionId) => (this.#steps ?? this.#recorder).targetGone(sessionId),
        popup: (target) => this.#addIncident({ code: 'popup', facts: { url: target.url || 'about:blank' } }),
      },
    );
    this.#targets = targets;
    const { page } = targets;
    const [frames, processor] = await Promise.all([
      page.send('Page.getFrameTree'),
      this.#processors.open(targets.targetId),
      page.send('Performance.enable', { timeDomain: 'timeTicks' }),
      conditions.inForce(),
    ]);
    this.#processor = processor;
    const blankLoader = frames.frameTree.frame.loaderId;
    this.#recorder.attach({
      clocks: this.#clocksOf(page),
      frames: this.#frameClocks,
      targetId: targets.targetId,
      others: targets.others,
      ignoredLoader: blankLoader,
    });
    this.#clock.setClock(await browserClock(page));
    if (completeOn !== undefined) {
      await watchCompleteOn(page, completeOn, (at) => void this.#addCompleteOnMark(page, completeOn, at));
    }
    page.on('Page.javascriptDialogOpening', (dialog) => void this.#dialog(page, dialog));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.loaderId !== blankLoader) void this.#clock.askRenderer(page);
    });
    if (this.#request.film) this.#film = await startFilm(page, () => this.#clock.browserNow());
    if (this.#request.trace) this.#trace = await startTrace(page);
    if (this.#request.profile) this.#cpuProfile = await startProfile(page);
    await this.#recorder.sampleHost(0);
    return page;
  }

  // --- What the browser sends -------------------------------------------------------------------------------------

  #receive(message: CdpMessage): void {
    if (this.#steps) {
      this.#steps.receive(message);
      return;
    }
    if (message.method === 'Inspector.targetCrashed' && message.target === 'page') {
      this.#crash = failure('page-crashed', { url: this.#request.url });
      this.#finish({ failure: this.#crash });
    }
    if (message.method === 'Network.requestWillBeSent') {
      this.#clock.requestSent(message.params as Protocol.Network.RequestWillBeSentEvent);
    }
    this.#recorder.receive(message);
  }

  #documentCommitted(at: Ms): void {
    const before = this.#recorder.marks().filter((mark) => mark.name === 'document-commit').length;
    if (before === 0) return;
    this.#addIncident({ code: 'client-redirect', facts: { after: at } });
    if (before >= MAX_CLIENT_REDIRECTS) {
      const { url } = this.#request;
      this.#finish({ failure: loadFailure({ code: 'redirect-loop', url, replaced: before }) });
    }
  }

  #navigated({ isDownload, errorText }: Protocol.Page.NavigateResponse): void {
    const { url } = this.#request;
    if (isDownload) this.#finish({ failure: loadFailure({ code: 'not-a-page', url, isDownload: true }) });
    else if (errorText !== undefined) {
      // Nothing was committed, so no renderer knows when the navigation began. Its request does.
      this.#clock.settle();
      this.#finish({ failure: loadFailure(documentFault(url, this.#document()) ?? navigationFault(url, errorText)) });
    }
  }

  /** The last hop of the document that is there now. */
  #document(): Request | undefined {
    return this.#recorder.timeline().requests.findLast((each) => each.mainDocument && !each.fromPreviousDocument);
  }

  /** Ends the load when the document is no page, or only a part of one. An error page may still reload itself. */
  #giveUpOnDocument(event: NetworkEvent): void {
    if (event.kind === 'request' && event.mainDocument) this.#documents.add(event.id);
    if ((event.kind !== 'response' && event.kind !== 'failed') || !this.#documents.has(event.id)) return;
    const fault = documentFault(this.#request.url, this.#document());
    if (fault && fault.code !== 'http-error') this.#finish({ failure: loadFailure(fault) });
  }

  async #dialog(page: CDPSession, dialog: Protocol.Page.JavascriptDialogOpeningEvent): Promise<void> {
    // Leaving is allowed, questions are declined: there is no user to answer them.
    const accept = dialog.type === 'beforeunload' || dialog.type === 'alert';
    await page.send('Page.handleJavaScriptDialog', { accept }).catch(() => undefined);
    const { type, message } = dialog;
    this.#addIncident({ code: 'dialog', facts: { type, accepted: accept, text: cutTo(message, LONGEST_DIALOG) } });
  }

  async #addCompleteOnMark(page: CDPSession, completeOn: string, sinceTimeOrigin: number): Promise<void> {
    const metrics = await readRenderer(page).catch(() => undefined);
    if (!metrics || !this.#clock.isKnown()) return;
    const loaderId = this.#lastCommit()?.loaderId;
    this.#recorder.addMark(
      defined({
        name: 'complete-on',
        at: toMicroseconds(this.#clock.at(metrics.navigationStart) + sinceTimeOrigin),
        loaderId,
        detail: completeOn,
      }),
    );
    this.#recorder.watch.markMet();
  }

  #addIncident(fact: IncidentFact): void {
    (this.#steps ?? this.#recorder).addIncident(fact);
  }

  // --- Watching ---------------------------------------------------------------------------------------------------

  /** The page's own mark may be met by a document that is about to be replaced: then its successor is waited for. */
  #complete(observedUntil: Ms): boolean {
    if (this.#document()?.response === undefined || this.#isStillDrawing(observedUntil)) return false;
    this.#finish({ judgedUntil: observedUntil });
    return true;
  }

  /** The film is looked at meanwhile: as long as nobody knows, the page is watched on. */
  #isStillDrawing(now: Ms): boolean {
    const { stillDraws, policy } = this.#request;
    this.#drawnFrom ??= now;
    const patienceEnds = this.#drawnFrom + policy.observation.suspectMs;
    if (!stillDraws || !this.#film || this.#hasDrawn || now > patienceEnds) return false;
    this.#lookAtDrawing.at(now, async () => {
      const soFar = { ...this.#recorder.observed(now), frames: this.#frames(now) };
      this.#hasDrawn = !(await stillDraws(soFar).catch(() => false));
    });
    return true;
  }

  /** What becomes visible by its opacity or its place alone is no paint to Chrome. A film shows it. */
  #watchForContent(): void {
    const { visibleAt } = this.#request;
    if (!visibleAt || !this.#film || !this.#recorder.watch.waitingFor().some(({ code }) => code === 'first-paint'))
      return;
    const now = this.#clock.now();
    this.#lookForContent.at(now, async () => {
      const commit = this.#lastCommit();
      // What the document before it had drawn stands until this one draws.
      const frames = this.#frames(now).filter(({ at }) => at > (commit?.at ?? 0));
      const at = await visibleAt(frames).catch(() => undefined);
      if (at === undefined || commit !== this.#lastCommit()) return;
      this.#recorder.addMark(defined({ name: 'content-visible', at, loaderId: commit?.loaderId }));
      this.#recorder.watch.markMet();
    });
  }

  #lastCommit(): Mark | undefined {
    return this.#recorder.marks().findLast(({ name }) => name === 'document-commit');
  }

  #tick(): void {
    this.#watchForContent();
    this.#request.onTick?.({
      elapsed: Math.max(0, this.#clock.now()),
      requests: this.#recorder.announcedHops(),
      waitingFor: this.#recorder.watch.waitingFor(),
    });
    // A remote browser's readings come late: these are made at least every now and then.
    if (this.#browser.isRemote) void this.#recorder.sampleMainThread();
    if (this.#clock.isKnown()) void this.#recorder.sampleHost(this.#clock.now());
  }

  // --- The end ----------------------------------------------------------------------------------------------------

  async #conclude(page: CDPSession, { failure: failed, judgedUntil }: End): Promise<LoadOutcome> {
    const { url, policy } = this.#request;
    this.#clock.settle();
    const observed = this.#recorder.observed(judgedUntil);
    const document = this.#document();
    const unanswered = document?.response ? undefined : failure('no-answer', { url, timeout: policy.timeout });
    const fault = documentFault(url, document);
    const trouble = failed ?? (fault ? loadFailure(fault) : unanswered);
    this.#film?.stop();
    const silent = trouble !== undefined || !(await this.#recorder.answers());
    const recording = await this.#recordingOf(page, observed, { silent, ended: true });
    const why = trouble ?? this.#crash;
    return why ? { ok: false, failure: why, recording } : { ok: true, recording };
  }

  /** What was observed, with what only the page itself can tell, as it is now; of one that is `silent` without that. */
  async #recordingOf(
    page: CDPSession,
    observed: Observed,
    { silent, ended }: { readonly silent: boolean; readonly ended: boolean },
  ): Promise<Recording> {
    const { url, content, film, conditions = NO_CONDITIONS } = this.#request;
    // The browser's processes take half a second to hand over what they have traced.
    const tracing = silent || !ended ? undefined : this.#readTrace();
    const lastPicture = silent ? undefined : await this.#lastPicture(page);
    const outline = film && !silent ? await withTimeout(readOutline(page, this.#targets?.frames())) : undefined;
    const report = silent ? undefined : await this.#recorder.readPage();
    const coverage = silent || !ended ? undefined : await this.#coverage?.end();
    const traced = await tracing;
    const profile = silent || !ended ? undefined : await this.#cpuProfile?.end();
    const workerThreads = this.#workerClocks.threads();
    return await this.#recorder.recording(
      observed,
      defined({
        navigation: defined({
          url,
          startedAt: this.#clock.startedAt(),
          browser: this.#browser.product,
          userAgent: userAgentOf(conditions, this.#browser)?.userAgent ?? this.#browser.userAgent,
          network: conditions.network,
          ...(conditions.view === 'warm' && { view: conditions.view }),
        }),
        paints: report?.paints ?? [],
        frames: this.#frames(observed.observedUntil),
        animations: this.#film?.animations(this.#clock),
        lastPicture,
        ...outline,
        earlierOutline: outline && this.#earlier?.outline,
        earlierNumbers: outline && this.#earlier?.numbers,
        shown: report?.shown,
        rendered: report?.rendered,
        domChanges: report?.domChanges,
        ...traced,
        profile: profile === undefined ? undefined : { profile, zero: this.#traceZero() },
        coverage,
        ...(workerThreads.length > 0 && { workerThreads }),
        ...(report && { page: delayedByNetwork(report.timings, conditions, this.#document()) }),
        readBodies: content && ended && !silent,
      }),
    );
  }

  /** Others may prove something while the page is watched for what may still come of it. */
  async #proveMeanwhile(): Promise<void> {
    const { onlyWatched } = this.#request;
    const { page } = this.#targets ?? {};
    if (!onlyWatched || !page || this.#proving) return;
    this.#proving = true;
    const same = await this.#recordingOf(page, this.#recorder.observed(), { silent: false, ended: false })
      .then((soFar) => onlyWatched(soFar))
      // Nothing was proved, and the page is watched to the end.
      .catch((): readonly string[] => []);
    const at = Math.max(0, this.#clock.now());
    for (const detail of same) this.#recorder.addMark({ name: 'same-without', at, detail });
    this.#recorder.watch.markMet();
  }

  /** What counts by itself differs between now and later, when the page is compared: nothing else changes any more. */
  #readOutlineSoon(): void {
    const { page } = this.#targets ?? {};
    if (!this.#request.onlyWatched || !page || this.#outlineTimer) return;
    const timer = setTimeout(async () => {
      const earlier = await withTimeout(readOutline(page));
      // Content may have come while it was read.
      if (this.#outlineTimer === timer) this.#earlier = earlier;
    }, DRAWN_BY_THEN_MS);
    this.#outlineTimer = timer;
  }

  #forgetOutline(): void {
    clearTimeout(this.#outlineTimer);
    this.#outlineTimer = undefined;
    this.#earlier = undefined;
  }

  async #filmFromNowOn(): Promise<void> {
    if (!this.#request.filmWhenQuiet || !this.#targets) return;
    this.#isFilmWanted = true;
    if (this.#filming) return;
    this.#filming = true;
    const film = await startFilm(this.#targets.page, () => this.#clock.browserNow()).catch(() => undefined);
    this.#film = film;
    // The page may have begun to load again while the film was started.
    if (!this.#isFilmWanted) this.#filmLater();
  }

  /** What the page still loads must not share the machine with a film of it. */
  #filmLater(): void {
    if (!this.#request.filmWhenQuiet) return;
    this.#isFilmWanted = false;
    if (!this.#film) return;
    this.#film.stop();
    this.#film = undefined;
    this.#filming = false;
  }

  #frames(until: Ms): readonly Frame[] {
    return (
      this.#film?.frames({ at: (seconds) => this.#clock.at(seconds), startedAt: this.#clock.startedAt(), until }) ?? []
    );
  }

  async #readTrace(): Promise<Pick<Recording, 'trace' | 'causes'>> {
    const traced = this.#trace && (await readTraced(this.#trace));
    const frameId = this.#targets?.targetId;
    if (!traced || frameId === undefined) return {};
    const { events, causes } = traced;
    return { trace: { events, frameId, zero: this.#traceZero() }, ...defined({ causes }) };
  }

  /** The recording's zero on the clock of traces and profiles, microseconds. */
  #traceZero(): number {
    return -this.#clock.at(0) * 1000;
  }

  async #lastPicture(page: CDPSession): Promise<Frame | undefined> {
    if (!this.#request.film) return undefined;
    const at = this.#clock.now();
    const image = await withTimeout(takePicture(page));
    return image === undefined ? undefined : { at, image };
  }
}
