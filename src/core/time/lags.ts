import type { Bytes, Ms } from '../../model/units.ts';

/**
 * How soon one thing follows from another, how often is a habit, and how long one waits: what the rules of page complete have in
 * common. What the corpus loses at half and at twice each is in docs/internals/rules.md.
 */

/** What follows at once, within one task that is not long, ms. Source: Long Tasks API. */
export const AT_ONCE_MS: Ms = 50;
/** What lies closer together is one moment, ms: a film has 10 to 15 pictures a second. */
export const ONE_MOMENT_MS: Ms = 100;
/** Times that differ by less are one answer, ms. Source: the goal of the accuracy benchmark. */
export const NOTICEABLE_MS: Ms = 100;
/** A script goes on because of an answer so soon, ms. Source: measured on cometd and socket.io, 5 to 120 ms; twice that on a busy machine. */
export const GOES_ON_WITHIN_MS: Ms = 250;
/**
 * Data is on the screen so soon, ms. Script, style, layout and paint of an update take 20 to 100 ms; two busy cores that also film
 * were seen to take three times as long. Longer windows would put more down to chance: one of 400 ms after each message of every
 * second leaves three fifths of the time to tell apart by. What is drawn in one movement pauses no longer.
 */
export const DRAWN_WITHIN_MS: Ms = 400;
/** A drawing that takes long, or waits for its next piece, pauses no longer than this, ms. */
export const LONGEST_PAUSE_MS: Ms = 1_000;
/** The usual quiet window, ms. Source: docs/page-complete.md. */
export const USUAL_WINDOW_MS: Ms = 3_000;
/** What took so long in one load may take this many times as long in another, and so much longer, ms. */
export const PATIENCE = { factor: 2, ms: 5_000 } as const;
/** What comes once more may be longer, or larger, than the most so far by this factor. */
export const MARGIN = 1.5;
/** What is so many times as long, or as large, is of another order. */
export const ANOTHER_ORDER = 4;
/** Once is an event, twice may be chance: so often is a habit. */
export const HABIT = 3;
/** Less than this share is a small part. */
export const SMALL_PART = 0.3;
/** More than this share is most. */
export const HALF = 0.5;
/** So many of several are nearly all: a busy machine loses one now and then. */
export const NEARLY_ALL = 0.8;
/** More kinds of one thing than this are not told apart: each comes too seldom. */
export const TOO_MANY = 12;
/** An answer, or a difference, of so few bytes says next to nothing. */
export const FEW_BYTES: Bytes = 1_000;
