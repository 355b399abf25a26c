import { type Shared, shardStory } from '../shards.ts';
import { list, others } from './blocks.ts';
import { prose } from './inert.ts';

/** Shards and remarks that are listed before it says how many more there are. */
const LISTED = 10;
/** Longest account of what is missing: it is what a reader must know first. */
const ACCOUNT = 800;

/** That this is a part, or that something is missing from what was joined; '' otherwise. */
export function shardsWarning(result: Shared): string {
  const story = shardStory(result);
  // A comparison's part says so in its decision.
  if (story === undefined || story.state === 'whole' || (story.state === 'part' && result.kind === 'compare'))
    return '';
  return ['> [!WARNING]', `> ${prose(story.sentence, ACCOUNT)}`].join('\n');
}

/** What was joined from what, a line for each shard; '' where nothing was. */
export function shardsPart(result: Shared): string {
  const story = shardStory(result);
  if (story === undefined || story.state === 'part') return '';
  const { sentence, notes, rows } = story;
  const lines = rows.map(({ index, brought, machine, browser }) =>
    [`Shard ${index}: ${brought}`, machine, browser]
      .flatMap((part) => (part === undefined ? [] : prose(part)))
      .join(', '),
  );
  return list([
    prose(sentence, ACCOUNT),
    ...lines.slice(0, LISTED),
    ...others(lines.length - LISTED),
    ...notes.slice(0, LISTED).map((note) => prose(note)),
    ...others(notes.length - LISTED),
  ]);
}
