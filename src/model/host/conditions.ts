import type { Ms } from '../units.ts';

/** The screen that a page is shown on, and how its browser introduces itself. */
export interface Device {
  /** 'desktop', 'Moto G Power', 'iPhone 15'. */
  readonly name: string;
  /** Viewport in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels a CSS pixel. */
  readonly deviceScaleFactor: number;
  /** Does it lay pages out as phones do: the viewport tag counts, text is boosted, scroll bars lie over the page. */
  readonly mobile: boolean;
  readonly touch: boolean;
  /** The browser's own when absent. A Chrome's version in it is replaced by the browser's. */
  readonly userAgent?: string;
}

/**
 * A slower network, as Chrome emulates it: it acts on requests, not on packets. Connecting and looking up names cost no
 * more than they do without it.
 */
export interface NetworkConditions {
  /** The preset's name, or the figures as typed. */
  readonly name: string;
  /** The least time from a request's start to its answer's headers. */
  readonly latency: Ms;
  /** Kilobit (1,000 bit) a second for all of a page's answers together; not limited when absent. */
  readonly download?: number;
  /** The same for what is sent. */
  readonly upload?: number;
}

/** A place on earth, degrees. */
export interface Geolocation {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy: number;
}

/** Which visit is measured: the first, or the one after it, with what the first left in the caches. */
export type View = 'cold' | 'warm';

/** What a load is to find: everything in force before its first request. */
export interface Conditions {
  readonly device: Device;
  /** The machine's own when absent. */
  readonly network?: NetworkConditions;
  /** How many times slower the main threads of pages run; 1 is as fast as they can. */
  readonly cpu: number;
  readonly view: View;
  /** Instead of the device's. */
  readonly userAgent?: string;
  /** BCP 47: 'de-DE'. */
  readonly locale?: string;
  /** IANA: 'Asia/Tokyo'. */
  readonly timezone?: string;
  readonly geolocation?: Geolocation;
}

/** What a run really got of the network that it requested. Absent parts cannot be read from its traffic. */
export interface MeasuredNetwork {
  /** The least time from a request to its answer's headers. */
  readonly rtt?: Ms;
  /** Kilobit a second while the line was full. */
  readonly download?: number;
  /** The same for what was sent. */
  readonly upload?: number;
}

/** Other conditions than those of a load, by their names on the command line. */
export interface ElsewhereConditions {
  readonly device: string;
  readonly network: string;
  readonly cpu: number;
}

/** Conditions with their clause: "desktop, no throttling, cold cache". */
export interface StatedConditions extends Conditions {
  readonly sentence: string;
}
