import type { JSX } from 'preact';
import { type Shared, shardStory } from '../../../report/shards.ts';
import { sentence } from './part.tsx';

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
