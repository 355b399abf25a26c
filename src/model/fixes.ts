import type { CodePlace } from './main-thread.ts';
import type { Size } from './recording/rendered.ts';
import type { Bytes, Ms } from './units.ts';

/** What is known of everything that can be fixed. */
interface Fixable {
  /** The requests it is about. */
  readonly urls: readonly string[];
  /** How much sooner page complete would be without it, ms; 0 where page complete does not wait for it. */
  readonly savesMs: Ms;
}

/** Requests that could not be sent because background traffic held all connections. */
export interface StarvationFact extends Pick<Fixable, 'urls'> {
  readonly code: 'stream-starvation';
  readonly facts: {
    /** Background requests that held the connections. */
    readonly connections: number;
    readonly origin: string;
    /** The request that could not be sent for longest, and from when to when. */
    readonly url: string;
    readonly from: Ms;
    readonly to: Ms;
    /** How many other requests had to wait. */
    readonly others: number;
    readonly culprits: readonly string[];
  };
}

/** Something about a page that can be fixed, with the requests it is about and its figures. */
export type FixFact = Fixable &
  (
    | {
        /** Scripts and style sheets that hold up what comes after them in the document. */
        readonly code: 'render-blocking';
        readonly facts: { readonly scripts: number; readonly styles: number };
      }
    | {
        /** Requests that only another file asks for, though the document could. */
        readonly code: 'late-discovery';
        readonly facts: { readonly requests: number };
      }
    | {
        readonly code: 'slow-server';
        readonly facts: {
          readonly url: string;
          /** From the request to the first byte, ms. */
          readonly wait: Ms;
          /** What it would be with a fast server, ms. */
          readonly target: Ms;
        };
      }
    | {
        /** A script whose work the page waits for. */
        readonly code: 'slow-script';
        readonly facts: {
          readonly url: string;
          /** How long it ran in long frames before page complete, ms. */
          readonly ms: Ms;
          /** Of that, what ran longest in one piece, where the browser tells. */
          readonly function?: string;
          readonly place?: CodePlace;
          /** Its code, and what of that was not used until page complete, bytes of text; where the untimed load tells. */
          readonly bytes?: Bytes;
          readonly unused?: Bytes;
        };
      }
    | {
        /** Style and layout that no script forced, and the page waits for. */
        readonly code: 'slow-layout';
        /** `ms`: how long it took in long frames before page complete. */
        readonly facts: { readonly ms: Ms };
      }
    | {
        readonly code: 'no-compression';
        readonly facts: {
          readonly requests: number;
          /** What these files have on the wire, and how much less it would be. */
          readonly bytes: Bytes;
          readonly savesBytes: Bytes;
        };
      }
    | {
        readonly code: 'duplicate-request';
        readonly facts: { readonly url: string; readonly times: number; readonly savesBytes: Bytes };
      }
    | {
        readonly code: 'redirect';
        /** `to`: where the last one led. */
        readonly facts: { readonly redirects: number; readonly to?: string };
      }
    | {
        readonly code: 'late-connection';
        readonly facts: {
          readonly origin: string;
          /** How long looking up the name, connecting and encrypting took, ms. */
          readonly took: Ms;
        };
      }
    | {
        readonly code: 'late-picture';
        readonly facts: {
          readonly url: string;
          /** How long after the first byte of the document it was requested, ms. */
          readonly after: Ms;
          /** In the browser's words: 'Low', 'Medium'. */
          readonly priority?: string;
        };
      }
    | {
        /** Pictures with more pixels than the screen shows of them. */
        readonly code: 'large-picture';
        readonly facts: {
          readonly requests: number;
          readonly bytes: Bytes;
          readonly savesBytes: Bytes;
          /** The one that wastes most: its own pixels, and those that are shown. */
          readonly natural: Size;
          readonly shown: Size;
        };
      }
    | {
        /** JPEG, PNG and GIF files. */
        readonly code: 'old-format';
        readonly facts: { readonly requests: number; readonly bytes: Bytes; readonly savesBytes: Bytes };
      }
    | {
        /** Fonts that keep text from being seen until they have come. */
        readonly code: 'hidden-text';
        readonly facts: {
          readonly families: readonly string[];
          /** How long some text was not shown, ms. */
          readonly hidden: Ms;
        };
      }
    | {
        /** Fonts that moved the page when they came. */
        readonly code: 'font-shift';
        /** `score`: their part of the layout shift. */
        readonly facts: { readonly families: readonly string[]; readonly score: number };
      }
    | Omit<StarvationFact, 'urls'>
    | {
        /** Requests that waited for one of the few connections that HTTP/1.1 allows, which the page's own requests held. */
        readonly code: 'connection-limit';
        readonly facts: {
          readonly origin: string;
          readonly requests: number;
          /** How long the one that waited longest could not be sent, ms. */
          readonly longest: Ms;
        };
      }
    | {
        /** One question that several parts of the page ask again and again. */
        readonly code: 'duplicate-poll';
        readonly facts: {
          readonly url: string;
          readonly times: number;
          /** How many of them asked what another one asked already. */
          readonly again: number;
          readonly savesBytes: Bytes;
        };
      }
    | {
        readonly code: 'third-party';
        readonly facts: {
          readonly site: string;
          /** Who runs it, where that is known. */
          readonly entity?: string;
          readonly requests: number;
        };
      }
    | {
        readonly code: 'short-cache';
        readonly facts: {
          readonly requests: number;
          /** How many of them may not be kept at all. */
          readonly unkept: number;
          readonly bytes: Bytes;
        };
      }
  );

/** Everything that can be fixed, by its code. */
export type FixCode = FixFact['code'];

/** Who can do something about a problem. */
export type FixOwner = 'server' | 'front-end' | 'third-party';

/** What a fix is about. */
export interface FixAbout {
  /** The address of a file or an endpoint, of several the one that matters most, or the name of a third party. */
  readonly about?: string;
  readonly who: FixOwner;
}
