import { andMore } from '../../wording/format.ts';
import { type Shared, shardStory } from '../shards.ts';
import { fit } from './columns.ts';
import { INDENT, indented, prose, type Screen, unpainted } from './screen.ts';

/** Shards and remarks that are listed. */
const LISTED = 12;

/** What was joined from what, and what is missing; no line where one machine did all of it. */
export function shardLines(result: Shared, screen: Screen): readonly string[] {
  const story = shardStory(result);
  // A comparison's part says so in its decision.
  if (story === undefined || (story.state === 'part' && result.kind === 'compare')) return [];
  const { state, sentence, notes, rows } = story;
  const { style, width } = screen;
  const lines = rows.slice(0, LISTED).map(({ index, brought, machine, browser, lost }) => {
    const text = [`shard ${index}: ${brought}`, machine, browser].flatMap((part) => part ?? []).join(', ');
    return INDENT + (lost ? style.yellow : style.dim)(fit(text, width - INDENT.length));
  });
  const more = rows.length > LISTED ? [INDENT + style.dim(andMore(rows.length - LISTED))] : [];
  return [
    ...prose(sentence, screen, state === 'whole' ? unpainted : style.yellow),
    ...lines,
    ...more,
    ...notes.slice(0, LISTED).flatMap((note) => indented(note, screen)),
  ];
}
