import { endpointOf } from '../../src/core/background/endpoint.ts';
import { learnExpected } from '../../src/core/completion/expected.ts';
import { foregroundOf } from '../../src/core/completion/foreground.ts';
import { visitOf } from '../../src/core/measure.ts';
import { endedShort } from '../../src/core/short-ending.ts';
import type { Policy } from '../../src/model/background/verdict.ts';
import type { ExpectedContent } from '../../src/model/completion/expected.ts';
import type { Visit } from '../../src/model/network/visit.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { RunRole } from '../../src/model/result/result.ts';
import type { Ms } from '../../src/model/units.ts';

/** A load that was watched for the whole window. */
export interface WholeLoad {
  readonly role: RunRole;
  readonly index: number;
  readonly recording: Recording;
  /** With what it was judged. */
  readonly policy: Policy;
}

/** What a timed load would have been, had it ended when all that was expected had come. */
export interface CutLoad {
  readonly index: number;
  /** It would have ended early with the same answer · with another one · it would have been watched for the whole window. */
  readonly outcome: 'same' | 'other' | 'whole';
  /** Page complete of the whole load, and as the short ending would have had it, ms. */
  readonly at: Ms;
  readonly shortAt?: Ms;
  /** What the whole load shows after the short one had ended, where the answers differ. */
  readonly after?: readonly string[];
}

/** Answers that differ by less are the same, ms. */
const SAME_MS = 1;

/**
 * Cuts the timed loads of one page off where a short ending would have ended them. Each may expect what the filmed load and
 * the first timed one needed, and nothing that others taught: so little is known of a page when its second load ends early.
 */
export function cutShort(loads: readonly WholeLoad[]): readonly CutLoad[] {
  const [first, ...others] = loads.filter(({ role }) => role === 'timed').sort((a, b) => a.index - b.index);
  const filmed = loads.find(({ role }) => role === 'evidence');
  const expected = [filmed, first].reduce<ExpectedContent | undefined>(
    (before, load) => load && learnExpected(before, visitOf(load.recording, load.policy), load.policy.quietWindow),
    undefined,
  );
  return others.flatMap((load) => cut(load, expected));
}

function cut({ index, recording, policy }: WholeLoad, expected: ExpectedContent | undefined): readonly CutLoad[] {
  const whole = visitOf(recording, policy);
  const { complete } = whole;
  // Nobody ends early what was not complete either way.
  if (complete.state !== 'complete') return [];
  const { at } = complete;
  const short = expected && endedShort(recording, { ...policy, expected });
  if (short === undefined) return [{ index, outcome: 'whole', at }];
  if (Math.abs(short.at - at) < SAME_MS) return [{ index, outcome: 'same', at, shortAt: short.at }];
  return [{ index, outcome: 'other', at, shortAt: short.at, after: cameAfter(whole, short.decidedAt, at) }];
}

/** What counts and ended later, and paints. */
function cameAfter({ timeline, verdicts }: Visit, ended: Ms, until: Ms): readonly string[] {
  const isLater = (at: Ms): boolean => at > ended && at <= until;
  const content = foregroundOf(timeline, verdicts).filter(({ to }) => isLater(to));
  return [
    ...new Set(content.map(({ request }) => endpointOf(request).label)),
    ...timeline.marks.filter(({ at, name }) => isLater(at) && /paint|drawn/.test(name)).map(({ name }) => name),
  ];
}
