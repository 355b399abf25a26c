import type { NetworkConditions } from '../../model/host/conditions.ts';

/** A network by a name that people know. */
export interface NetworkPreset extends NetworkConditions {
  /** Other names that are understood. */
  readonly aliases: readonly string[];
  /** Where the figures come from. */
  readonly source: string;
}

const DEVTOOLS = 'Chrome DevTools';
const WEBPAGETEST = 'WebPageTest';

/** The network that DevTools and Lighthouse emulate for a phone. */
export const SLOW_4G = {
  name: 'slow-4g',
  latency: 562.5,
  download: 1_440,
  upload: 675,
  aliases: ['fast-3g'],
  source: `${DEVTOOLS} Slow 4G (once Fast 3G); Lighthouse mobile`,
} as const satisfies NetworkPreset;

/**
 * The presets, fastest first; `none` is not in the list. DevTools' and Lighthouse's latencies are a multiple of the round
 * trip that they stand for, because Chrome delays requests and not the round trips of connecting; WebPageTest's are that
 * round trip itself. Sources: puppeteer-core `PredefinedNetworkConditions` (DevTools' figures), Lighthouse
 * `core/lib/lantern` (3.75 × RTT, 0.9 × throughput), WebPageTest `connectivity.ini.sample`. All of them write kbit for
 * 1,000 bit but Lighthouse, whose slow-4g is therefore 5 % faster down than DevTools'.
 */
const PRESETS = [
  { name: 'lte', latency: 70, download: 12_000, upload: 12_000, aliases: [], source: `${WEBPAGETEST} LTE` },
  { name: 'cable', latency: 28, download: 5_000, upload: 1_000, aliases: [], source: `${WEBPAGETEST} Cable` },
  { name: 'dsl', latency: 50, download: 1_500, upload: 384, aliases: [], source: `${WEBPAGETEST} DSL` },
  { name: '4g', latency: 165, download: 8_100, upload: 1_350, aliases: ['fast-4g'], source: `${DEVTOOLS} Fast 4G` },
  SLOW_4G,
  { name: '3g', latency: 1_125, download: 630, upload: 630, aliases: [], source: 'Lighthouse regular 3G' },
  { name: 'slow-3g', latency: 2_000, download: 400, upload: 400, aliases: [], source: `${DEVTOOLS} 3G (once Slow 3G)` },
  { name: '2g', latency: 800, download: 280, upload: 256, aliases: [], source: `${WEBPAGETEST} 2G` },
] as const satisfies readonly NetworkPreset[];
export type NetworkPresetName = (typeof PRESETS)[number]['name' | 'aliases'] extends infer Name
  ? Name extends readonly (infer Alias)[]
    ? Alias
    : Name
  : never;
export const NETWORKS: readonly NetworkPreset[] = PRESETS;

/** Longer is a mistake in the unit. */
const MOST_LATENCY_MS = 60_000;
/** Chrome counts throughput in whole bytes a second; a slower line would never deliver a page. */
const LEAST_KBIT = 1;
const MOST_KBIT = 10_000_000;

const WRONG_FORM = {
  problem: `must be none, ${NETWORKS.map(({ name }) => name).join(', ')}, or latency,down,up such as 150ms,1.6Mbps,750kbps`,
};

/** What `--network` names: a preset, or `latency,down,up` in ms and kbit/s, with units or without. */
export function parseNetwork(
  text: string,
): { readonly value: NetworkConditions | undefined } | { readonly problem: string } {
  const wanted = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  if (wanted === 'none') return { value: undefined };
  const preset = NETWORKS.find(({ name, aliases }) => name === wanted || aliases.includes(wanted));
  if (preset) {
    const { aliases: _aliases, source: _source, ...network } = preset;
    return { value: network };
  }
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== 3) return WRONG_FORM;
  const [latency, download, upload] = [latencyIn(parts[0] ?? ''), rateIn(parts[1] ?? ''), rateIn(parts[2] ?? '')];
  if (latency === undefined || download === undefined || upload === undefined) return WRONG_FORM;
  if (latency > MOST_LATENCY_MS) return { problem: `must have a latency of at most ${MOST_LATENCY_MS} ms` };
  for (const rate of [download, upload]) {
    // 0 is how DevTools writes "not limited".
    if (rate !== 0 && (rate < LEAST_KBIT || rate > MOST_KBIT)) {
      return { problem: `must have rates from ${LEAST_KBIT} to ${MOST_KBIT} kbit/s, or 0 for no limit` };
    }
  }
  return {
    value: {
      name: parts.join(','),
      latency,
      ...(download > 0 && { download }),
      ...(upload > 0 && { upload }),
    },
  };
}

function latencyIn(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*(ms|s)?$/i.exec(text);
  return parts ? Number(parts[1]) * (parts[2]?.toLowerCase() === 's' ? 1000 : 1) : undefined;
}

/** Kilobit a second. A small b is a bit, as everywhere where lines are sold. */
function rateIn(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*([km])?(?:bps|bit\/s|bits?)?$/i.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * (parts[2]?.toLowerCase() === 'm' ? 1000 : 1);
}
