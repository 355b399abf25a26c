import type { NetworkConditions } from '../../model/host/conditions.ts';
import type { TargetKind } from '../../model/network/network.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { FindingFact } from '../../model/result/finding.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import { isFromServer, piecesOf, TOLERANCE } from './measured.ts';

/**
 * Chrome limits each of them by itself, and shared workers not at all; a worker has the limit of the page or frame that
 * started it. A limit cannot be divided among them during a load: Chrome 156 releases everything that waits when a limit
 * changes.
 */
const LIMITED_APART: ReadonlySet<TargetKind> = new Set(['iframe', 'service-worker', 'shared-worker']);
/** Chrome reports arrivals in lumps of up to this many bytes: so much may seem to come sooner than it did. */
const LUMP_BYTES = 65_536;

/** A stretch of a load, and what came in it beyond a limit. */
interface Excess {
  readonly from: Ms;
  readonly to: Ms;
  readonly bytes: Bytes;
}

/**
 * Says so when more arrived than the requested network carries, because several targets of a page loaded at once.
 *
 * @param until when the page was complete: what came later made no time of the load shorter
 */
export function limitExceeded(
  { requests }: Timeline,
  { name: network, download: asked }: NetworkConditions,
  until: Ms,
): readonly FindingFact[] {
  if (asked === undefined) return [];
  const loaded = requests.filter((request) => isFromServer(request) && request.startedAt < until);
  // Bytes a millisecond.
  const limit = asked / 8;
  const most = mostExcess(loaded, limit * (1 + TOLERANCE), until);
  if (most === undefined) return [];
  const { from, to } = most;
  const hasOthers = loaded.some(
    (request) =>
      LIMITED_APART.has(request.target) && piecesOf(request).some((piece) => piece.from <= to && piece.to > from),
  );
  const beyond = most.bytes + limit * TOLERANCE * (to - from);
  if (!hasOthers || beyond < LUMP_BYTES) return [];
  const got = Math.round(asked + (beyond * 8) / (to - from));
  const facts = {
    network,
    download: { asked, got },
    lasted: Math.round(to - from),
    shortBy: Math.round(beyond / limit),
  };
  return [{ code: 'network-limit-exceeded', urls: [], facts }];
}

/**
 * The stretch with most bytes beyond a rate: what would wait before one line of that rate where its queue is longest, since
 * the line was last idle.
 */
function mostExcess(requests: readonly Request[], rate: number, until: Ms): Excess | undefined {
  // Between two of these moments the rate of arrival does not change.
  const moments = requests.flatMap(piecesOf).flatMap(({ from, to, bytes }) => {
    // What came at once came within a millisecond.
    const begin = Math.min(from, to - 1);
    const speed = bytes / (to - begin);
    return [
      { at: begin, speed },
      { at: to, speed: -speed },
    ];
  });
  moments.sort((a, b) => a.at - b.at);
  let most: Excess | undefined;
  let last = Math.min(moments[0]?.at ?? 0, until);
  let from = last;
  let speed = 0;
  let waiting = 0;
  for (const moment of moments) {
    const at = Math.min(moment.at, until);
    if (waiting === 0) from = last;
    waiting = Math.max(0, waiting + (speed - rate) * (at - last));
    if (waiting > (most?.bytes ?? 0)) most = { from, to: at, bytes: waiting };
    speed += moment.speed;
    last = at;
  }
  return most;
}
