import type { Bytes, Ms } from '../units.ts';

/**
 * What loads that were watched for the whole quiet window asked for. A load that has asked for just that, and has got it,
 * need not be watched for as long.
 */
export interface ExpectedContent {
  /** The silence that suffices once everything has come, ms. */
  readonly quietWindow: Ms;
  /** One for each way in which the page was seen to load. */
  readonly patterns: readonly ContentPattern[];
  /** Background kept the network of one of them busy beyond that silence: a load that ends after it does not show it. */
  readonly busyLater?: true;
}

/** What one load needed. */
export interface ContentPattern {
  readonly requests: readonly ExpectedRequests[];
  /** The element of the largest contentful paint, as a selector; absent where it is not known. */
  readonly largest?: string;
  /** The load event had not fired when the load was called complete: background alone held it up, or it was a step. */
  readonly withoutLoadEvent?: true;
  /** It painted nothing, however long that was waited for. */
  readonly blank?: true;
}

/** What a load asked one endpoint for. */
export interface ExpectedRequests {
  /** The endpoint's key (`endpointOf`). */
  readonly endpoint: string;
  /** How many requests, redirects counted each. */
  readonly count: number;
  /** How many of them failed, or were answered with an error. */
  readonly failed: number;
  /** Decoded, of all of them; of streams the part that is content. */
  readonly bytes: Bytes;
  /** How many messages of streams were content; absent where there was no stream of which that is known. */
  readonly parts?: number;
}
