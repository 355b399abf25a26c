/** What is to be known of a kind of background traffic, so that it is treated alike wherever it is met. */
export interface KindFacts {
  /** Who says so: a detector, of which the compiler then demands one, a load without it, or the user. */
  readonly foundBy: 'detector' | 'ablation' | 'user';
  /**
   * One request of many parts · one question asked many times, where a part is a request · one request that is background
   * as a whole or not at all.
   */
  readonly family: 'stream' | 'series' | 'single';
  /** True when the first message or piece of it counts as content. */
  readonly firstPartCounts: boolean;
  /**
   * True when it goes by behaviour, which one run may show and another not: the runs then agree on it. Facts of the
   * protocol need no agreement.
   */
  readonly votes: boolean;
  /** True when the load event may wait for it. */
  readonly mayDelayLoad: boolean;
  /** True when the page may show something of it. */
  readonly mayBeSeen: boolean;
  /** True when something is proved by loading the page without it; `if-seen`: only where the film shows a change after it. */
  readonly mayBeHeld: boolean | 'if-seen';
  /**
   * How long an untimed run watches it, to see whether it ends: not at all · as long as others (`thoroughMs`) · longer
   * as long as nothing of it came · longer (`thoroughSilentMs`) · until the page had time to use what came.
   */
  readonly watched: 'no' | 'usual' | 'longer-while-silent' | 'longer' | 'until-used';
  /** True when more of it may come for as long as the page is open; else it is over when what was asked for has come. */
  readonly goesOn: boolean;
  /** True for what says nothing of the site: browsers fetch it once an origin, whichever build is there. */
  readonly ofBrowser: boolean;
}

/** What most of a family have in common; what nobody thought of is watched and agreed on rather than taken for granted. */
const STREAM = {
  foundBy: 'detector',
  family: 'stream',
  firstPartCounts: true,
  votes: true,
  mayDelayLoad: true,
  mayBeSeen: true,
  mayBeHeld: true,
  watched: 'usual',
  goesOn: true,
  ofBrowser: false,
} as const satisfies KindFacts;
const SERIES = { ...STREAM, family: 'series', firstPartCounts: false } as const satisfies KindFacts;
const SINGLE = { ...SERIES, family: 'single', watched: 'no' } as const satisfies KindFacts;

/**
 * The kinds of traffic that only keeps the wire busy, each with what is to be known of it. A kind needs no more than its
 * row here: the compiler asks for a detector (`core/background/index.ts`) and for words (`wording/background/advice.ts`).
 */
export const KINDS = {
  websocket: { ...STREAM, votes: false },
  webtransport: { ...STREAM, votes: false },
  sse: STREAM,
  /** Silent, it looks like a slow answer. */
  'http-stream': { ...STREAM, watched: 'longer-while-silent' },
  'long-poll': SERIES,
  poll: SERIES,
  reconnect: SERIES,
  beacon: SINGLE,
  speculative: { ...SINGLE, votes: false, mayDelayLoad: false, mayBeSeen: false, goesOn: false },
  /** A player shows what it fetches, as everybody knows. */
  media: { ...SINGLE, mayBeHeld: false },
  'browser-internal': {
    ...SINGLE,
    votes: false,
    mayDelayLoad: false,
    mayBeSeen: false,
    goesOn: false,
    ofBrowser: true,
  },
  /** A service worker's own cache: no request of the page waits for it, though the page may read the cache. */
  'service-worker': { ...SINGLE, votes: false, mayDelayLoad: false, mayBeHeld: 'if-seen', watched: 'until-used' },
  /** The page was loaded without it, and was the same. */
  'no-effect': { ...SINGLE, foundBy: 'ablation', mayBeSeen: false },
  /** What never answers is held back already. */
  hung: { ...SINGLE, mayBeHeld: false, watched: 'longer' },
  user: { ...SINGLE, foundBy: 'user', votes: false },
} as const satisfies Readonly<Record<string, KindFacts>>;

/** The kinds of traffic that only keeps the wire busy. */
export type BackgroundKind = keyof typeof KINDS;

/** Those that a detector has to find. */
export type DetectedKind = {
  [Kind in BackgroundKind]: (typeof KINDS)[Kind]['foundBy'] extends 'detector' ? Kind : never;
}[BackgroundKind];
