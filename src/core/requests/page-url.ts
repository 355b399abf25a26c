import type { Recording } from '../../model/recording/recording.ts';

/** The address of the page that was loaded: where it led in the end, or, where that is not known, what was asked for. */
export const pageUrlOf = ({ page, navigation }: Pick<Recording, 'page' | 'navigation'>): string =>
  page?.finalUrl ?? navigation.url;
