import type { Access } from '../access.ts';
import type { Policy } from '../background/verdict.ts';
import type { WaitingFor } from '../completion/completion.ts';
import type { Conditions } from '../host/conditions.ts';
import type { LighthouseOutcome, LighthouseRequest } from '../lighthouse/request.ts';
import type { OwnMetric } from '../metrics/metrics.ts';
import type { BrowserNote } from '../result/note.ts';
import type { Failure } from '../result/result.ts';
import type { Ms } from '../units.ts';
import type { Frame, Recording } from './recording.ts';
import type { LoadScript } from './script.ts';

/** What one load is asked for. */
export interface LoadRequest {
  readonly url: string;
  readonly policy: Policy;
  /** Keep the text of responses. */
  readonly content: boolean;
  /** The desktop, as fast as the machine is, when absent. */
  readonly conditions?: Conditions;
  /** Nothing is sent or blocked when absent. */
  readonly access?: Access;
  /** The user's own metrics, which are read of the page when watching is over; none when absent. */
  readonly metrics?: readonly OwnMetric[];
  /** What is done before the load and after it; nothing when absent. */
  readonly script?: LoadScript;
  /** Film the viewport, take a last picture, and record which timer started each request. Never in a timed run. */
  readonly film?: boolean;
  /** Trace what the main thread does. Never in a timed run: a browser that traces is slower. */
  readonly trace?: boolean;
  /** Take a CPU profile of the page's scripts. Never in a timed run: it makes them slower, if less than a trace. */
  readonly profile?: boolean;
  /** Note when scripts change what the document shows. What is filmed notes it, too. */
  readonly domChanges?: boolean;
  /** Film the viewport from when the network is quiet on. Nothing is filmed while the page still loads. */
  readonly filmWhenQuiet?: boolean;
  /**
   * Asked when the answer is known and such a film is taken: is content still drawn, or to be drawn? Then the page is watched
   * on, and asked of again, for as long as a suspect is watched. Rejections mean that it is not.
   */
  stillDraws?(soFar: Pick<Recording, 'events' | 'marks' | 'frames' | 'observedUntil'>): Promise<boolean>;
  /**
   * Asked while such a film, or one of the whole load, is taken and the browser has reported no paint: since when does the
   * film show anything? Undefined while it shows nothing.
   */
  visibleAt?(frames: readonly Frame[]): Promise<Ms | undefined>;
  /** URL patterns (`*` matches anything) whose requests are held for ever: they are never answered, nor refused. */
  readonly hold?: readonly string[];
  /** Watch at least until then, even when the answer is known. */
  readonly watchUntil?: Ms;
  /**
   * Called once, when the answer is known and the page is only watched for what may still come of it, with what was recorded
   * so far. Resolves to the keys of endpoints without which another load proved the page to be the same; the page is
   * watched meanwhile. Rejections mean that nothing was proved.
   */
  onlyWatched?(soFar: Recording): Promise<readonly string[]>;
  /**
   * Asked now and then while such a page is filmed, from when a suspect has been watched for long enough otherwise: the keys of
   * endpoints that only update what the film shows. Rejections mean that none does.
   */
  onlyUpdating?(soFar: Pick<Recording, 'events' | 'marks' | 'frames' | 'observedUntil'>): Promise<readonly string[]>;
  /** Called when it is about to navigate: nothing else is under way then. */
  justBefore?(): void;
  /** Called a few times a second with what the load is waiting for. */
  onTick?(tick: { readonly elapsed: Ms; readonly requests: number; readonly waitingFor: readonly WaitingFor[] }): void;
}

/** A load that was measured, or the reason why it could not be; what was recorded by then is kept. */
export type LoadOutcome =
  | { readonly ok: true; readonly recording: Recording; readonly steps?: readonly StepOutcome[] }
  | { readonly ok: false; readonly failure: Failure; readonly recording?: Recording };

/** A step after the load: a recording of its own, from its own zero. */
export interface StepOutcome {
  /** As the script names it. */
  readonly name: string;
  /** With what it was judged: what the load taught about background is known in it. */
  readonly policy: Policy;
  readonly outcome: LoadOutcome;
}

/** A place where pages are loaded: Chrome, or a script in tests. */
export interface Lab {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
  /** Absent where it is not known. */
  readonly sandbox?: boolean;
  /** True when the browser runs on another machine than this program. */
  readonly elsewhere?: boolean;
  /** What a reader should know of the browser. */
  readonly notes?: readonly BrowserNote[];
  /** Of the executable, where one was started. */
  readonly path?: string;
  /** Loads a page once in a fresh profile. Rejects when `signal` aborts, and with a `QuiesceError` for settings it refuses. */
  record(request: LoadRequest, signal: AbortSignal): Promise<LoadOutcome>;
  /** Runs Lighthouse on a page in a fresh profile; absent where that cannot be done. Rejects when `signal` aborts. */
  lighthouse?(request: LighthouseRequest, signal: AbortSignal): Promise<LighthouseOutcome>;
  /** False once the browser is gone: the next load needs a new lab. */
  alive(): boolean;
  close(): Promise<void>;
}
