import type { JSX } from 'preact';
import type { FixOwner } from '../../../model/fixes.ts';
import { OWNER_NAMES } from '../../../wording/background/owners.ts';

/** A choice of who can act, for what stands beside it in `.owned` with `data-who`. The style sheet follows it, without a script. */
export function Owners(props: {
  readonly name: string;
  readonly owners: readonly FixOwner[];
}): JSX.Element | undefined {
  const owners = [...new Set(props.owners)];
  if (owners.length < 2) return undefined;
  const choices = [['all', 'all'] as const, ...owners.map((owner) => [owner, OWNER_NAMES[owner]] as const)];
  return (
    <fieldset class="owners">
      <legend class="unseen">Who can act</legend>
      {choices.map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={props.name} value={value} checked={value === 'all'} autocomplete="off" /> {label}
        </label>
      ))}
    </fieldset>
  );
}
