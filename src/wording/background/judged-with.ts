import { DEFAULT_POLICY } from '../../core/completion/default-policy.ts';
import type { Policy } from '../../model/background/verdict.ts';
import { formatValue } from '../text/format.ts';
import { listNames } from '../text/names.ts';

/** With which policy loads were judged, and where each of its rules came from. */
export interface PolicyOrigin {
  readonly policy: Policy;
  readonly from: Readonly<Record<string, 'option' | 'file' | 'default'>>;
}

/** Which rules judged, a sentence for each policy that is not simply the default. */
export function policyNotes(policies: readonly PolicyOrigin[]): readonly string[] {
  const notes = policies.flatMap(({ policy, from }) => {
    const { quietWindow, maxInflight } = policy;
    const parts = [
      ...(from.quietWindow !== 'default'
        ? [`a quiet window of ${formatValue(quietWindow, 'ms')} (${origin(from.quietWindow)})`]
        : []),
      ...(from.maxInflight !== 'default' && maxInflight !== DEFAULT_POLICY.maxInflight
        ? [`${maxInflight} in flight allowed (${origin(from.maxInflight)})`]
        : []),
      ...(policy.completeOn === undefined ? [] : [`the page's own mark ${policy.completeOn} (as recorded)`]),
      ...(['background', 'foreground'] as const).flatMap((name) =>
        policy[name].length === 0 ? [] : [`--${name} ${listNames(policy[name])} (${origin(from[name])})`],
      ),
    ];
    return parts.length === 0 ? [] : [`Judged with ${parts.join(', ')}.`];
  });
  return [...new Set(notes)];
}

function origin(from: PolicyOrigin['from'][string] | undefined): string {
  return from === 'option' ? 'from an option' : 'as recorded';
}
