import type { NetworkEvent, RequestEvent, ResponseEvent } from '../../model/network/network.ts';
import type { Mark } from '../../model/network/timeline.ts';
import type { MissingLoad } from '../../model/result/finding.ts';
import type { Ms } from '../../model/units.ts';
import { withoutHash } from '../requests/address-parts.ts';
import { defined } from '../text/defined.ts';

/** A page that asks for nothing for so long after its start, ms, was not being loaded then but used. */
export const LATE_MS = 10_000;

/** Tools read the clocks of a page and of its requests one after the other, and round, ms. */
const CLOCKS_MS = 50;

/**
 * What shows that a file does not hold the load of its page; undefined where it does. The log was cleared or filtered, the recording
 * began when the page was there, or a tool wrote the load event of another load.
 */
export function missingLoad(
  pageUrl: string,
  events: readonly NetworkEvent[],
  marks: readonly Mark[],
): MissingLoad | undefined {
  // A step need not open a document.
  if (marks.some(({ name }) => name === 'step-start')) return undefined;
  const requests = events.filter((event) => event.kind === 'request');
  const document = requests.findLast(({ mainDocument }) => mainDocument === true);
  const answer = events.find((event) => isAnswerTo(event, document?.id));
  const firstAt = requests.reduce((first, { at }) => Math.min(first, at), Number.POSITIVE_INFINITY);
  const firedAt = marks.findLast(({ name }) => name === 'load')?.at;
  const couldFireAt = (document === undefined ? firstAt : (answer ?? document).at) - CLOCKS_MS;
  const isLate = Number.isFinite(firstAt) && firstAt > LATE_MS;
  const isEarly = firedAt !== undefined && Number.isFinite(firstAt) && firedAt < couldFireAt;
  // The page itself came out of the cache of its service worker, which asks for it again.
  const isOfWorker = ({ id, at, url, target }: RequestEvent): boolean =>
    at <= (firedAt ?? 0) &&
    (target === 'service-worker' ||
      (withoutHash(url) === withoutHash(pageUrl) && isHtml(events.find((each) => isAnswerTo(each, id)))));
  const hasDocument = document !== undefined || requests.some(isOfWorker);
  if (hasDocument && !isLate && !isEarly) return undefined;
  return defined({
    missing: 'load',
    noDocument: hasDocument ? undefined : true,
    firstRequestAt: isLate ? firstAt : undefined,
    firedAt: isEarly ? firedAt : undefined,
  });
}

function isAnswerTo(event: NetworkEvent, id: string | undefined): event is ResponseEvent {
  return event.kind === 'response' && event.id === id;
}

function isHtml(answer: ResponseEvent | undefined): boolean {
  return answer !== undefined && /^(?:text\/html|application\/xhtml)/i.test(answer.mimeType);
}

/** How many events and milestones of a load are dated before it, where nothing of it can be. A step goes on with what was before it. */
export function beforeTheLoad(events: readonly NetworkEvent[], marks: readonly Mark[]): number {
  if (marks.some(({ name }) => name === 'step-start')) return 0;
  const timesOf = (event: NetworkEvent): readonly Ms[] => [
    event.at,
    ...(event.kind === 'response' ? Object.values(event.timing ?? {}) : []),
  ];
  return [...events.map(timesOf), ...marks.map(({ at }) => [at])].filter((times) => Math.min(...times) < -CLOCKS_MS)
    .length;
}
