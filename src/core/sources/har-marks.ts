import type { Mark } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { duration, type Fields, fields } from '../requests/har-fields.ts';

/** The milestones that other tools write. Their times count from the date of their page, `shift` ms before its navigation. */
export function pageMarks(page: Fields, shift: Ms): readonly Mark[] {
  const timings = fields(page.pageTimings);
  /** The first that is known; nothing of a page happens at 0, which some tools write for "not known". */
  const first = (...values: readonly unknown[]): Ms | undefined => {
    const at = values.map(duration).find((value) => value !== undefined && value - shift > 0);
    return at === undefined ? undefined : at - shift;
  };
  const marks: readonly { readonly name: Mark['name']; readonly at: Ms | undefined }[] = [
    { name: 'dom-content-loaded', at: first(timings.onContentLoad, page._domContentLoadedEventEnd) },
    { name: 'load', at: first(timings.onLoad, page._loadEventEnd) },
    {
      name: 'first-contentful-paint',
      at: first(timings._firstContentfulPaint, page._firstContentfulPaint),
    },
    {
      name: 'largest-contentful-paint',
      at: first(timings._largestContentfulPaint, page['_chromeUserTiming.LargestContentfulPaint']),
    },
  ];
  return marks.flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
}
