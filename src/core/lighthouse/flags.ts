import type { NetworkConditions } from '../../model/host/conditions.ts';
import type { LighthouseRequest } from '../../model/lighthouse/request.ts';

/** Lighthouse reckons a kilobit as 1,024 bit. Source: lighthouse core/lib/emulation.js, enableNetworkThrottling. */
const LIGHTHOUSE_KBIT = 1024;

/**
 * What Lighthouse is reported: nothing is simulated. What the user asked for is in force already, and Lighthouse is given the
 * same figures because it clears what it was not reported of. Without any, the page is as fast as the machine is.
 */
export function lighthouseFlags({ conditions, access, block, cap }: LighthouseRequest): object {
  const { device, network, cpu } = conditions;
  const isThrottled = network !== undefined || cpu > 1;
  const patterns = [...access.block, ...block];
  return {
    logLevel: 'silent',
    output: 'json',
    // Warnings are recognised by their words.
    locale: 'en-US',
    formFactor: device.mobile ? 'mobile' : 'desktop',
    screenEmulation: { disabled: true },
    emulatedUserAgent: false,
    throttlingMethod: isThrottled ? 'devtools' : 'provided',
    ...(isThrottled && { throttling: throttlingOf(network, cpu) }),
    // Cookies and storage are what got us in.
    disableStorageReset: true,
    ...(patterns.length > 0 && { blockedUrlPatterns: patterns }),
    maxWaitForLoad: cap,
  };
}

function throttlingOf(network: NetworkConditions | undefined, cpu: number): object {
  const rate = (kbit: number | undefined): number => ((kbit ?? 0) * 1000) / LIGHTHOUSE_KBIT;
  return {
    // Only for its simulation, which is not used.
    rttMs: 0,
    throughputKbps: 0,
    requestLatencyMs: network?.latency ?? 0,
    downloadThroughputKbps: rate(network?.download),
    uploadThroughputKbps: rate(network?.upload),
    cpuSlowdownMultiplier: cpu,
  };
}
