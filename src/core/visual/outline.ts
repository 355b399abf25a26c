import type { FrameOutline } from '../../model/recording/recording.ts';

/**
 * Is the page the same as a document? Two outlines are the lines that the recorder makes of what is there to be seen, also
 * below the fold. Their order does not matter: what arrives in another order may stand in another place. Numbers are left
 * open where they change by themselves: they count, and tell the time.
 *
 * @param earlier the first outline as it was before, in the same load; absent where nobody looked
 */
export function sameOutline(one: readonly string[], other: readonly string[], earlier?: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const counting = new Set(earlier ? beyond(one, earlier).map(withoutNumbers) : []);
  const own = beyond(one, other).map(withoutNumbers);
  const others = beyond(other, one).map(withoutNumbers);
  return own.every((line) => counting.has(line)) && beyond(own, others).length === 0;
}

/**
 * Are frames of other origins the same, as far as it was they that asked for something? What others show is another matter:
 * advertisements differ from load to load.
 */
export function sameFrames(
  frames: readonly FrameOutline[],
  other: readonly FrameOutline[],
  askedBy: ReadonlySet<string>,
): boolean {
  return frames
    .filter(({ frameId }) => askedBy.has(frameId))
    .every(({ url, lines }) => other.some((each) => each.url === url && sameOutline(lines, each.lines)));
}

/** The lines that the other outline does not have, each as often as it lacks it. */
function beyond(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

/** The same line whatever its numbers are. */
export function withoutNumbers(line: string): string {
  return line.replace(/\d+/g, '0');
}
