import { withoutHash } from '../requests/address-parts.ts';
import { isFetched } from './fix.ts';
import type { Load, Step } from './replay/load.ts';

/** A font that was downloaded, with what its style sheet says of it. */
export interface LoadedFont {
  readonly step: Step;
  readonly family: string;
  /** Its `font-display`. */
  readonly display: string;
}

/** The fonts of a load; empty where the page was not inspected. */
export function fontsOf({ steps, visit }: Load): readonly LoadedFont[] {
  const declared = visit.recording.rendered?.fonts ?? [];
  const byUrl = new Map(declared.flatMap((font) => (font.url === undefined ? [] : [[font.url, font] as const])));
  // Of style sheets that cannot be read, only the fonts together are known: all alike, or not.
  const unread = declared.filter(({ url }) => url === undefined);
  const [other] = new Set(unread.map(({ display }) => display)).size === 1 ? unread : [];
  return steps.flatMap((step): readonly LoadedFont[] => {
    const font = byUrl.get(withoutHash(step.request.url)) ?? other;
    if (step.request.type !== 'font' || !isFetched(step.request) || font === undefined) return [];
    return [{ step, family: font.family, display: font.display }];
  });
}

/** The families of fonts, each once. */
export const familiesOf = (fonts: readonly LoadedFont[]): readonly string[] => [
  ...new Set(fonts.map(({ family }) => family)),
];
