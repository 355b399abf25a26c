import type { NamedPlace } from './main-thread.ts';
import type { Bytes, Ms } from './units.ts';

/** Text that was loaded, and how much of it was not used: of scripts what did not run, of style sheets rules that matched nothing. */
export interface CoveredBytes {
  /** Of the text, uncompressed. */
  readonly bytes: Bytes;
  readonly unused: Bytes;
}

/** A function that did not run. */
export interface UnusedFunction extends NamedPlace {
  readonly bytes: Bytes;
}

/** A script or style sheet; those inside of a document stand together under its address. */
export interface CoveredFile extends CoveredBytes {
  readonly kind: 'script' | 'style';
  readonly url: string;
  /** Who runs the host that it is from, `Google Tag Manager`, or the site where that is not known: `shop.example`. */
  readonly party: string;
  /** True when that is not the page's own. */
  readonly thirdParty: boolean;
  /** True of what stands in a document. */
  readonly inline?: true;
  /** What it had on the wire; absent where that is not known, and of what stands in a document. */
  readonly transferSize?: Bytes;
  /** Of scripts: the largest functions that did not run, the largest first. */
  readonly functions?: readonly UnusedFunction[];
  /** Of scripts whose source map tells: what did not run by npm package, the most first. */
  readonly unusedByPackage?: readonly { readonly package: string; readonly bytes: Bytes }[];
}

/** How much of the loaded scripts and style sheets the page used until page complete, from the evidence run. */
export interface Coverage {
  /** What ran later does not count, ms: the first reading after page complete. */
  readonly until: Ms;
  readonly scripts: CoveredBytes;
  readonly styles: CoveredBytes;
  /** The most unused first. */
  readonly files: readonly CoveredFile[];
  /** Files that are not listed. */
  readonly otherFiles?: CoveredBytes & { readonly count: number };
}

/** A script or style sheet of two builds; 0 bytes where a build has not loaded it. */
export interface CoverageChange extends Pick<CoveredFile, 'kind' | 'inline'> {
  /** Its address without what changes from build to build: hashes, the page's own origin. */
  readonly name: string;
  /** As it was seen: the candidate's, or the base's when only that one has it. */
  readonly url: string;
  readonly base: CoveredBytes;
  readonly candidate: CoveredBytes;
}

/** How much code of two builds was not used until page complete, from one untimed load of each: information, no decision. */
export interface CoverageChanges {
  readonly scripts: { readonly base: CoveredBytes; readonly candidate: CoveredBytes };
  readonly styles: { readonly base: CoveredBytes; readonly candidate: CoveredBytes };
  /** Those of which more or less was unused, the largest change first. */
  readonly files: readonly CoverageChange[];
  /** In plain words, with figures. */
  readonly sentence: string;
}

/** The same before it is put into words. */
export type CoverageChangesFacts = Omit<CoverageChanges, 'sentence'>;
