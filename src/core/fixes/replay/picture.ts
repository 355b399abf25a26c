import type { RenderedPicture } from '../../../model/recording/rendered.ts';
import { withoutHash } from '../../requests/address-parts.ts';
import type { Load, Step } from './load.ts';

/** The request for the picture that was the largest thing painted; undefined where that was text, or it is not known. */
export function pictureOf({ marks, steps }: Load): Step | undefined {
  const url = marks.findLast(({ name }) => name === 'largest-contentful-paint')?.url;
  return url === undefined ? undefined : steps.find(({ request }) => request.url === url && request.type === 'image');
}

/** The places in which the document shows a file as a picture, by its request; none where the page was not inspected. */
export function placesOfPictures({ visit }: Load): (step: Step) => readonly RenderedPicture[] {
  const byUrl = Map.groupBy(visit.recording.rendered?.pictures ?? [], ({ url }) => url);
  return ({ request }) => byUrl.get(withoutHash(request.url)) ?? [];
}
