import { alert, type Detail, details, list, type Part, paragraph } from './parts.ts';
import { type Shared, shardStory } from './shards.ts';

/** That a job ended before it was done, or that this is a part, or that something is missing from what was joined. */
export function unfinished(result: Shared & { readonly interrupted?: boolean }): readonly Part[] {
  const story = shardStory(result);
  // A comparison's part says so in its decision.
  const isSaid = story?.state === 'whole' || (story?.state === 'part' && result.kind === 'compare');
  return [
    ...(isSaid ? [] : alert(story?.sentence, story?.state === 'partial')),
    ...(result.interrupted === true
      ? alert(
          `Ended early. The result contains what was measured until then.${result.kind === 'compare' ? ' --resume continues it.' : ''}`,
          false,
        )
      : []),
  ];
}

/** What was joined from what; nothing where one machine did all of it. */
export function shards(result: Shared, detail: Detail): readonly Part[] {
  const story = shardStory(result);
  if (story === undefined || story.state === 'part') return [];
  const rows = story.rows.map(({ index, brought, machine, browser }) => ({
    text: [`Shard ${index}: ${brought}`, machine, browser].filter((part) => part !== undefined).join(', '),
  }));
  const notes = story.notes.map((text) => ({ text }));
  return details(
    'The shards',
    [...paragraph(story.sentence), ...list(rows, detail, { noun: 'shard' }), ...list(notes, detail)],
    detail,
  );
}
