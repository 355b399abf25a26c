import type { Device, MeasuredNetwork, StatedConditions } from '../model/host/conditions.ts';
import type { RunResult, Settings } from '../model/result/result.ts';
import { formatInterval, formatRates } from '../wording/text/format.ts';
import { capitalized } from '../wording/text/text.ts';

/** The codes of findings that say that a run did not get the network that it requested. */
const NETWORK_OFF: ReadonlySet<string> = new Set(['network-conditions-off', 'network-limit-exceeded']);

/** The clause of the conditions at the start of a line: "Desktop, no throttling, cold cache". */
export function conditionsInWords({ sentence }: Pick<StatedConditions, 'sentence'>): string {
  return capitalized(sentence);
}

/** What every load found: "a fresh browser profile for every run: empty cache, no cookies, no service worker". */
export function profileInWords(conditions: Pick<StatedConditions, 'view'> | undefined, settings: Settings): string {
  const fresh = 'a fresh browser profile for every run';
  const prepared = [
    ...(typeof settings.storageState === 'string' ? [', with the cookies and storage of a file'] : []),
    ...(typeof settings.script === 'string' ? [', prepared by the script'] : []),
  ].join('');
  return conditions?.view === 'warm'
    ? `${fresh}${prepared}, in which the page was loaded once before: its caches are full`
    : `${fresh}${prepared}: empty cache${prepared === '' ? ', no cookies, no service worker' : ''}`;
}

/** "412 × 823 px, 1.75 device pixels each, touch, laid out as on phones". */
export function screenInWords({ width, height, deviceScaleFactor, touch, mobile }: Device): string {
  return [
    `${width} × ${height} px`,
    ...(deviceScaleFactor === 1 ? [] : [`${deviceScaleFactor} device pixels each`]),
    ...(touch ? ['touch'] : []),
    ...(mobile ? ['laid out as on phones'] : []),
  ].join(', ');
}

/** What the runs really got of the network that was asked for; nothing where none was. */
export function networkInWords(
  { network: asked }: Pick<StatedConditions, 'network'>,
  runs: readonly RunResult[],
): string | undefined {
  if (asked === undefined) return undefined;
  const range = (
    of: (got: MeasuredNetwork) => number | undefined,
  ): readonly [low: number, high: number] | undefined => {
    const known = runs.flatMap(({ network }) => (network && of(network)) ?? []).filter(Number.isFinite);
    return known.length === 0 ? undefined : [Math.min(...known), Math.max(...known)];
  };
  const [rtt, download, upload] = [range((got) => got.rtt), range((got) => got.download), range((got) => got.upload)];
  const parts = [
    ...(rtt ? [`${formatInterval(...rtt, 'ms')} from request to response`] : []),
    ...(download ? [`${formatRates(...download)} down`] : []),
    ...(upload ? [`${formatRates(...upload)} up`] : []),
  ];
  return parts.length === 0 ? 'could not be measured from the traffic of this page' : parts.join(', ');
}

/** Did a run get another network than the one it requested? */
export function isNetworkOff({ findings = [] }: RunResult): boolean {
  return findings.some(({ code }) => NETWORK_OFF.has(code));
}
