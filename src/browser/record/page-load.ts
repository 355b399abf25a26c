import { performance } from 'node:perf_hooks';
import { setTimeout as settle } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { rulesForSteps } from '../../core/background/content/rules-for-steps.ts';
import { DESKTOP } from '../../core/conditions/devices.ts';
import { visitOf } from '../../core/measure.ts';
import type { CdpMessage } from '../../core/sources/cdp.ts';
import { defined } from '../../core/text/defined.ts';
import { toMicroseconds } from '../../core/time/time.ts';
import type { Conditions } from '../../model/host/conditions.ts';
import type { LoadOutcome, LoadRequest, StepOutcome } from '../../model/recording/lab.ts';
import type { Recording } from '../../model/recording/recording.ts';
import type { LoadScript } from '../../model/recording/script.ts';
import type { IncidentFact } from '../../model/result/finding.ts';
import type { Failure } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { failure } from '../../wording/result/failure.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { closingIsOver } from '../connect/closing.ts';
import { type Profile } from '../connect/profile.ts';
import { rejectOnAbort } from '../connect/reject-on-abort.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { applyConditions, userAgentOf } from '../context/conditions.ts';
import { type Hold, holdRequests } from '../intercept/hold.ts';
import { createSteps, type Steps } from '../script/steps.ts';
import { browserClock, type RendererClocks, readRenderer } from './clocks/clock.ts';
import { createFrameClocks, type FrameClocks } from './clocks/frames.ts';
import { createNavigationClock } from './clocks/navigation.ts';
import { createProcessorClocks, type ProcessorClocks } from './clocks/processor.ts';
import { watchCompleteOn } from './complete-on.ts';
import { answerDialogs } from './dialogs.ts';
import { createFilming, type Filming } from './instruments/film.ts';
import { createInstruments, type Instruments } from './instruments/index.ts';
import type { ReadingMoment } from './instruments/instrument.ts';
import { createNavigation, type PageNavigation } from './navigation.ts';
import { reportErrors } from './page-errors.ts';
import { type Observed, Recorder } from './recorder.ts';
import type { RequestOwnership } from './request-ownership.ts';
import { type BeforeStart, openPage, type TargetWatch } from './targets.ts';
import { startTimeLimit } from './time-limit.ts';
import { type FilmWatch, watchFilm } from './watch-film.ts';

/**
 * How old a context must be before a timed load navigates, ms. Processes start and end when contexts are opened and closed:
 * on two cores a load that began at once was 11 % slower than one 300 ms later. Medians of 26 loads of a page that is complete
 * after 170 ms: after 250 ms it was complete as early as after 400, after 200 ms 1 % later, after 100 ms 3 % and its first
 * paint 16 %.
 */
export const SETTLE_MS = 200;
/** How often progress is reported, ms. */
const TICK_EVERY_MS = 200;
/** Conditions of a request that names none. */
const NO_CONDITIONS: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };

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
  readonly #navigation: PageNavigation;
  readonly #film: Filming;
  readonly #filmWatch: FilmWatch;
  readonly #instruments: Instruments;
  #targets: TargetWatch | undefined;
  readonly #processors: ProcessorClocks;
  readonly #frameClocks: FrameClocks;
  /** The second session with the page, for its processor's clock. */
  #processor: CDPSession | undefined;
  /** It was asked what can be proved while the page is only watched. */
  #proving = false;
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
    this.#processors = createProcessorClocks(browser, this.#frameClocks.processorOpened);
    if (request.hold && request.hold.length > 0) this.#hold = holdRequests(request.hold, ownership);
    this.#navigation = createNavigation(
      request,
      this.#clock,
      () => this.#recorder,
      (why) => this.#finish({ failure: why }),
    );
    this.#recorder = new Recorder({
      browser,
      clock: this.#clock,
      policy: () => request.policy,
      ...(request.watchUntil !== undefined && { watchUntil: request.watchUntil }),
      onComplete: (observedUntil) => this.#complete(observedUntil),
      onQuiet: () => this.#instruments.quiet(),
      onBusyAgain: () => this.#instruments.busyAgain(),
      onOnlyWatched: () => {
        void this.#proveMeanwhile();
        this.#filmWatch.lookForUpdates();
      },
      onDocumentCommit: (at) => this.#navigation.documentCommitted(at),
      onNetworkEvent: (event) => this.#navigation.networkEvent(event),
    });
    const load = {
      browser,
      request,
      clock: this.#clock,
      recorder: this.#recorder,
      document: () => this.#navigation.document(),
    };
    this.#film = createFilming(load);
    this.#filmWatch = watchFilm(request, this.#clock, this.#recorder, this.#film);
    this.#instruments = createInstruments(load, this.#film);
  }

  async run(signal: AbortSignal): Promise<LoadOutcome> {
    signal.throwIfAborted();
    const { policy } = this.#request;
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
    // Time counts from the request; a page that sends none in time has none left.
    const limit = startTimeLimit(
      policy.timeout,
      () => (this.#clock.hasRequest() ? this.#clock.now() : policy.timeout),
      () => this.#finish({}),
    );
    const ticker = setInterval(() => this.#tick(), TICK_EVERY_MS);
    try {
      this.#navigation.start(page);
      const end = await Promise.race([ended, abortion.rejected]);
      this.#recorder.watch.stop();
      clearInterval(ticker);
      if (end.failure && !this.#clock.isKnown() && !this.#navigation.isAnswered())
        return { ok: false, failure: end.failure };
      return await this.#conclude(end);
    } finally {
      this.#recorder.watch.stop();
      abortion.stop();
      limit.stop();
      clearInterval(ticker);
      await this.#instruments.stop();
    }
  }

  /** What a script does in the page when the load is over, each step recorded by itself. */
  async runSteps(recording: Recording, script: LoadScript, signal: AbortSignal): Promise<readonly StepOutcome[]> {
    const { url, policy, content, trace = false, profile = false } = this.#request;
    const targets = this.#targets;
    if (!targets) return [];
    const { browser, userAgent, network, metrics } = recording.navigation;
    this.#steps = createSteps({
      browser: this.#browser,
      browserContextId: this.#profile.browserContextId,
      url,
      loadedRequests: this.#recorder.events().flatMap((event) => (event.kind === 'request' ? event.requestId : [])),
      clocks: this.#clocksOf(targets.page),
      targetId: targets.targetId,
      others: targets.others,
      navigation: defined({ browser, userAgent, network, metrics }),
      policy,
      rules: rulesForSteps(visitOf(recording, policy), policy.learnt ?? []),
      content,
      traced: trace,
      profiled: profile,
      browserNow: () => this.#clock.browserNow(),
      epochAt: (seconds) => this.#clock.startedAt() + this.#clock.at(seconds),
    });
    return this.#steps.run(script, signal);
  }

  /** Stops all instruments, and ends the requests that were held. The page stays open. */
  async release(): Promise<void> {
    await this.#instruments.stop();
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
          ...this.#instruments.beforeStart,
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
    answerDialogs(page, (fact) => this.#addIncident(fact));
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined && frame.loaderId !== blankLoader) void this.#clock.askRenderer(page);
    });
    page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      // Steps tell of their own.
      if (frameId === targets.targetId && !this.#steps) this.#navigation.movedWithinDocument(url);
    });
    await this.#instruments.start(targets);
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

  async #addCompleteOnMark(page: CDPSession, completeOn: string, sinceTimeOrigin: number): Promise<void> {
    const metrics = await readRenderer(page).catch(() => undefined);
    if (!metrics || !this.#clock.isKnown()) return;
    const loaderId = this.#recorder.lastCommit()?.loaderId;
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
    if (this.#navigation.document()?.response === undefined || this.#filmWatch.isStillDrawing(observedUntil))
      return false;
    this.#finish({ judgedUntil: observedUntil });
    return true;
  }

  #tick(): void {
    this.#filmWatch.lookForContent();
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

  async #conclude({ failure: failed, judgedUntil }: End): Promise<LoadOutcome> {
    this.#clock.settle();
    const observed = this.#recorder.observed(judgedUntil);
    const trouble = failed ?? this.#navigation.failure();
    this.#film.stop();
    const answers = trouble === undefined && (await this.#recorder.answers());
    const recording = await this.#recordingOf(observed, { answers, ended: true });
    const why = trouble ?? this.#crash;
    return why ? { ok: false, failure: why, recording } : { ok: true, recording };
  }

  /** What was observed, with what the instruments tell now. */
  async #recordingOf(observed: Observed, moment: Pick<ReadingMoment, 'answers' | 'ended'>): Promise<Recording> {
    const { url, content, conditions = NO_CONDITIONS, metrics } = this.#request;
    const readings = await this.#instruments.read({ ...moment, until: observed.observedUntil });
    return await this.#recorder.recording(observed, {
      frames: [],
      paints: [],
      ...readings,
      navigation: defined({
        url,
        startedAt: this.#clock.startedAt(),
        browser: this.#browser.product,
        userAgent: userAgentOf(conditions, this.#browser)?.userAgent ?? this.#browser.userAgent,
        network: conditions.network,
        metrics,
        ...(conditions.view === 'warm' && { view: conditions.view }),
      }),
      readBodies: content && moment.ended && moment.answers,
    });
  }

  /** Others may prove something while the page is watched for what may still come of it. */
  async #proveMeanwhile(): Promise<void> {
    const { onlyWatched } = this.#request;
    if (!onlyWatched || !this.#targets || this.#proving) return;
    this.#proving = true;
    const same = await this.#recordingOf(this.#recorder.observed(), { answers: true, ended: false })
      .then((soFar) => onlyWatched(soFar))
      // Nothing was proved, and the page is watched to the end.
      .catch((): readonly string[] => []);
    const at = Math.max(0, this.#clock.now());
    for (const detail of same) this.#recorder.addMark({ name: 'same-without', at, detail });
    this.#recorder.watch.markMet();
  }
}
