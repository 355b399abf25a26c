import type { RequestEvent, ResponseEvent } from '../../model/network/network.ts';
import type { PageTimings, Recording } from '../../model/recording/recording.ts';
import { milestones } from '../rendering/page-timings.ts';
import { optional } from '../requests/har-fields.ts';
import { defined } from '../text/defined.ts';
import type { HarRecording } from './har.ts';
import { mayLeaveOutOpen } from './har-producers.ts';

/** A page of a HAR as a recording that can be judged and measured like a live one; what no HAR has is empty. */
export function recordingOfHar(read: HarRecording): Recording {
  const { navigation, events, marks, mainThread, frameThreads, workerThreads, rendered, observedUntil, exact } = read;
  return {
    navigation,
    events,
    marks,
    frames: [],
    hostSamples: [],
    mainThread,
    page: pageTimingsOf(read),
    incidents: [],
    bodies: [],
    observedUntil,
    ...optional('frameThreads', frameThreads),
    ...optional('workerThreads', workerThreads),
    ...optional('rendered', rendered),
    announcedHops: events.filter(({ kind }) => kind === 'request').length,
    ...(!exact && { foreign: { mayLeaveOutOpen: mayLeaveOutOpen(read.creator) } }),
  };
}

/** Milestones out of the file's marks and its document. */
function pageTimingsOf({
  navigation,
  finalUrl,
  title,
  events,
  marks,
  timings,
  evaluated,
  unwaited,
}: HarRecording): PageTimings {
  const document = events.findLast(
    (event): event is RequestEvent => event.kind === 'request' && event.mainDocument === true,
  );
  const answer = events.find((event): event is ResponseEvent => event.kind === 'response' && event.id === document?.id);
  // An emulated network held the first byte back until the last one of the headers.
  const responseStart =
    answer &&
    ((navigation.network ? undefined : answer.timing?.headersStart) ?? answer.timing?.headersEnd ?? answer.at);
  return defined({
    finalUrl: finalUrl ?? document?.url ?? navigation.url,
    title,
    // Without waiting times it is not known.
    ...(unwaited === 0 && { responseStart }),
    ...milestones(({ mark }) => (mark === undefined ? undefined : marks.findLast(({ name }) => name === mark)?.at)),
    ...timings,
    evaluated,
  });
}
