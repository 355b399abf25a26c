import type { CDPSession, ConnectionTransport } from 'puppeteer-core';
import type { BrowserNote } from '../../model/result/note.ts';

/** A running browser, ready for loads. */
export interface RunningBrowser extends BrowserSessions {
  /** Undefined where the browser does not say. */
  readonly sandbox: boolean | undefined;
  readonly path: string | undefined;
  /** True when Quiesce has connected to it, false when it has started it. */
  readonly isConnected: boolean;
  /** True when it runs on another machine than this program. */
  readonly isRemote: boolean;
  /** What a reader of the results should know about it. */
  readonly notes: readonly BrowserNote[];
  /** One more connection to the same browser, for a client that numbers its commands itself. */
  openTransport(): Promise<ConnectionTransport>;
  /** The last that it said on its standard error, once it is gone; where this program has started it. */
  lastWords?(): Promise<string>;
  /** Process id of the browser, when this program has started it. */
  readonly pid: number | undefined;
  /** Ends the browser and removes its profile; a browser that was only connected to is left running. */
  close(): Promise<void>;
}

/** The sessions of a browser. */
export interface BrowserSessions {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
  /** The browser's own session, for questions about the browser itself. */
  readonly root: CDPSession;
  /** Opens one more session with the browser. Targets that it attaches to are not seen by other sessions. */
  newRootSession(): Promise<CDPSession>;
  /** The session of an attached target. */
  session(sessionId: string): CDPSession | undefined;
  /** Resolves when the browser is gone, for whatever reason. */
  readonly gone: Promise<void>;
}
