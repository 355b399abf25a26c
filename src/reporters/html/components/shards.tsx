import type { JSX } from 'preact';
import { ABSENT, formatCount } from '../../../wording/format.ts';
import { type ShardRow, type Shared, shardStory } from '../../shards.ts';
import { Notes } from './notes.tsx';
import { foreign, sentence } from './part.tsx';
import { type Column, Table } from './table.tsx';

/** More shards than this are not listed by themselves. */
const LISTED = 64;

/** Above all figures: this is a part that gives no answer, or something is missing from what was joined. */
export function ShardsNotice({ result }: { readonly result: Shared }): JSX.Element | undefined {
  const story = shardStory(result);
  // A comparison's part says so in its statement.
  if (story === undefined || story.state === 'whole' || (story.state === 'part' && result.kind === 'compare')) {
    return undefined;
  }
  return (
    <div class={story.state === 'partial' ? 'notice bad' : 'notice'} role="note">
      <b>{story.state === 'part' ? 'This is one shard of several.' : 'Something is missing.'}</b>{' '}
      {sentence(story.sentence)}
    </div>
  );
}

/** What was joined from what: a line for each shard, and where they were not alike. */
export function ShardsTable({ result }: { readonly result: Shared }): JSX.Element | undefined {
  const story = shardStory(result);
  if (story === undefined || story.state === 'part') return undefined;
  const { state, rows, notes } = story;
  const shown = rows.slice(0, LISTED);
  return (
    <div class="shards">
      {/* What is missing stands above all figures. */}
      {state === 'whole' && <p>{sentence(story.sentence)}</p>}
      <Notes lines={notes.map(sentence)} />
      <details class="more" open={rows.some(({ lost }) => lost)}>
        <summary>The shards</summary>
        <Table caption="Shards" columns={COLUMNS} rows={shown} />
        {rows.length > shown.length && (
          <p class="keys">and {formatCount(rows.length - shown.length, 'more shard')}, which result.json lists</p>
        )}
      </details>
    </div>
  );
}

const COLUMNS: readonly Column<ShardRow>[] = [
  { title: 'Shard', cell: ({ index }) => `Shard ${index}` },
  {
    title: 'Brought',
    cell: ({ brought, lost }) =>
      lost ? (
        <b class="bad-text">
          <span aria-hidden="true">✗</span> {brought}
        </b>
      ) : (
        brought
      ),
  },
  { title: 'Machine', cell: ({ machine }) => machine ?? ABSENT },
  { title: 'Browser', cell: ({ browser }) => (browser === undefined ? ABSENT : foreign(browser)) },
  {
    title: 'Begun',
    cell: ({ startedAt }) =>
      startedAt === undefined ? ABSENT : foreign(startedAt.replace(/^(\S+)T(\d\d:\d\d).*Z$/, '$1 $2 UTC')),
  },
];
