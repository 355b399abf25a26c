import type { FixAbout, FixOwner } from '../../model/fixes.ts';

/** Who can act, as a word of a list or a filter. */
export const OWNER_NAMES: Readonly<Record<FixOwner, string>> = {
  server: 'server',
  'front-end': 'front end',
  'third-party': 'third party',
};

/** Who can act; a third party by its name. */
export const ownerInWords = ({ who, about }: FixAbout): string =>
  who === 'third-party' ? `third party: ${about ?? 'unknown'}` : OWNER_NAMES[who];
