import type { Load, Step } from './load.ts';

/** The request for the picture that was the largest thing painted; undefined where that was text, or nobody knows. */
export function pictureOf({ marks, steps }: Load): Step | undefined {
  const url = marks.findLast(({ name }) => name === 'largest-contentful-paint')?.url;
  return url === undefined ? undefined : steps.find(({ request }) => request.url === url && request.type === 'image');
}
