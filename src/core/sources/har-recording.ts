import type { RequestEvent, ResponseEvent } from '../../model/network.ts';
import type { PageTimings, Recording } from '../../model/recording.ts';
import type { Mark } from '../../model/timeline.ts';
import type { HarRecording } from './har.ts';

/** Metrics that come from the page's own performance timeline, of which a HAR holds nothing. */
export const NOT_IN_A_HAR: ReadonlySet<string> = new Set(['totalBlockingTime', 'cumulativeLayoutShift']);

/** A page of a HAR as a recording that can be judged and measured like a live one; what no HAR has is empty. */
export function recordingOfHar(read: HarRecording): Recording {
  const { navigation, events, marks, observedUntil } = read;
  return {
    navigation,
    events,
    marks,
    frames: [],
    hostSamples: [],
    mainThread: [],
    page: pageTimingsOf(read),
    incidents: [],
    bodies: [],
    observedUntil,
    announcedHops: events.filter(({ kind }) => kind === 'request').length,
  };
}

/** Milestones out of the file's marks and its document. */
function pageTimingsOf({ navigation, finalUrl, title, events, marks, longTasks }: HarRecording): PageTimings {
  const document = events.findLast(
    (event): event is RequestEvent => event.kind === 'request' && event.mainDocument === true,
  );
  const answer = events.find((event): event is ResponseEvent => event.kind === 'response' && event.id === document?.id);
  const end = events.find((event) => event.kind === 'finished' && event.id === document?.id);
  const last = (name: Mark['name']): number | undefined => marks.findLast((mark) => mark.name === name)?.at;
  const times = {
    // An emulated network held the first byte back until the last one of the headers.
    responseStart:
      answer &&
      ((navigation.network ? undefined : answer.timing?.headersStart) ?? answer.timing?.headersEnd ?? answer.at),
    responseEnd: end?.at,
    domContentLoadedEnd: last('dom-content-loaded'),
    loadEnd: last('load'),
    firstPaint: last('first-paint'),
    firstContentfulPaint: last('first-contentful-paint'),
  };
  return {
    finalUrl: finalUrl ?? document?.url ?? navigation.url,
    title,
    ...Object.fromEntries(Object.entries(times).filter(([, at]) => at !== undefined)),
    ...(longTasks && { longTasks }),
    layoutShifts: [],
  };
}
