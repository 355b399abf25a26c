import type { VisualChange } from '../model/picture.ts';
import type { Message, Timeline } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import type { ContentShape, EndpointRule } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { PAUSE_SHARE } from './background/rhythm.ts';
import { asks } from './background/series.ts';
import { isOfShape } from './background/stream-content.ts';
import { messagesOf } from './background/stream-parts.ts';
import { NEARLY_ALL, ONE_MOMENT_MS, TIMER_JITTER } from './lags.ts';
import { median } from './median.ts';
import { shapeOf } from './message-shape.ts';

/** So many pauses between drawings show a rhythm. */
const ENOUGH_PAUSES = 5;

/**
 * How often the page draws what messages have brought meanwhile, by a timer of its own, ms. Undefined where it draws them as
 * they come, or nobody can tell: a content message is then drawn by the time that it has come, but for a few frames.
 *
 * Seen by the drawings, which are even in time, and by the messages, which are not followed by one for long.
 *
 * @param rules with the shapes of messages that bring content
 * @param changes of the picture, without what moves by itself
 */
export function drawsEvery(
  { complete, timeline }: Pick<Visit, 'complete' | 'timeline'>,
  rules: readonly EndpointRule[],
  changes: readonly VisualChange[],
): Ms | undefined {
  if (complete.state !== 'complete') return undefined;
  const drawings = beginningsOf(changes.map(({ at }) => at));
  const every = rhythmOf(drawings.filter((at) => at > complete.networkAt));
  if (every === undefined) return undefined;
  const streams = contentStreams(timeline, rules);
  const messages = timesOf(
    streams.flatMap(({ messages: all, content }) => all.filter((each) => isOfAny(each, content))),
  );
  const waits = messages.flatMap((at) => {
    const drawn = drawings.find((each) => each >= at);
    return drawn === undefined ? [] : [drawn - at];
  });
  const wait = median(waits);
  if (!(wait > ONE_MOMENT_MS && wait > PAUSE_SHARE * every)) return undefined;
  const after = (times: readonly Ms[]): readonly Ms[] => times.filter((at) => at > complete.networkAt);
  const shapes = Map.groupBy(
    streams.flatMap(({ messages: all }) => all),
    (message) => shapeOf(message).shape,
  );
  // Updates may be of another shape than the content was.
  const isUpdated = [...shapes.values()].some((own) => isDrawnEachTime(after(timesOf(own)), after(drawings)));
  return isUpdated || isDrawnAtOnce(after(messages), after(drawings)) ? undefined : every;
}

/** When each drawing began. */
function beginningsOf(changedAt: readonly Ms[]): readonly Ms[] {
  return changedAt.filter((at, i) => at - (changedAt[i - 1] ?? Number.NEGATIVE_INFINITY) > ONE_MOMENT_MS);
}

/** The pause between times that are even; now and then there may be none, where nothing had to be drawn. */
function rhythmOf(times: readonly Ms[]): Ms | undefined {
  const pauses = pausesOf(times);
  if (pauses.length < ENOUGH_PAUSES) return undefined;
  const every = median(pauses);
  const even = pauses.filter((pause) => {
    const turns = Math.round(pause / every);
    return turns >= 1 && Math.abs(pause - turns * every) <= TIMER_JITTER * every;
  });
  return even.length >= NEARLY_ALL * pauses.length ? every : undefined;
}

/** The streams that brought content, with all their messages and the shapes of those that did. */
function contentStreams({ requests }: Timeline, rules: readonly EndpointRule[]) {
  return rules.flatMap((rule) => {
    const { content = [] } = rule;
    if (content.length === 0) return [];
    return [{ content, messages: requests.filter((request) => asks(request, rule)).flatMap(messagesOf) }];
  });
}

function isOfAny(message: Message, content: readonly ContentShape[]): boolean {
  return content.some(({ shape }) => isOfShape(message, shape));
}

function timesOf(messages: readonly Message[]): readonly Ms[] {
  return messages.map(({ at }) => at).toSorted((a, b) => a - b);
}

/**
 * Does each drawing come promptly after a message, though messages are too rare by then for that to be chance? Then each is
 * drawn as it comes, and those that no drawing follows are not seen.
 */
function isDrawnAtOnce(messages: readonly Ms[], drawings: readonly Ms[]): boolean {
  const isDense = median(pausesOf(messages)) < 2 * ONE_MOMENT_MS;
  return !isDense && arePrompt(drawings, messages);
}

/** Does each drawing come promptly after one of these messages, and a drawing after each of them? */
function isDrawnEachTime(messages: readonly Ms[], drawings: readonly Ms[]): boolean {
  const drawn = messages.filter((came) => drawings.some((at) => came <= at && at - came <= ONE_MOMENT_MS));
  return (
    messages.length > ENOUGH_PAUSES && drawn.length >= NEARLY_ALL * messages.length && arePrompt(drawings, messages)
  );
}

function arePrompt(drawings: readonly Ms[], messages: readonly Ms[]): boolean {
  const prompt = drawings.filter((at) => messages.some((came) => came <= at && at - came <= ONE_MOMENT_MS));
  return prompt.length >= NEARLY_ALL * drawings.length;
}

function pausesOf(times: readonly Ms[]): readonly Ms[] {
  return times.slice(1).map((at, i) => at - (times[i] ?? at));
}
