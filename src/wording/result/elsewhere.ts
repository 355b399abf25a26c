import type { TargetResult } from '../../model/result/result.ts';

/** "On a phone with slow 4G it would be complete after about 4.2 s (estimate)."; undefined where nothing is estimated. */
export function elsewhereInWords({ elsewhere }: Pick<TargetResult, 'elsewhere'>): string | undefined {
  const [first] = elsewhere ?? [];
  if (first === undefined) return undefined;
  const { device, network, pageComplete } = first;
  // Right within a quarter, it has no third digit.
  const seconds = Number((pageComplete / 1_000).toPrecision(2));
  return `On a ${device} with ${network.replace('-4g', ' 4G')} it would be complete after about ${seconds} s (estimate).`;
}
