import type { CDPSession, Protocol } from 'puppeteer-core';
import { userAgentFor } from '../../core/conditions/user-agent.ts';
import type { Conditions, NetworkConditions } from '../../model/conditions.ts';
import type { TargetKind } from '../../model/network.ts';
import type { Incident } from '../../model/recording.ts';
import type { RunningBrowser } from './browser.ts';
import type { BeforeStart } from './targets.ts';

/** Conditions on their way into a load. */
export interface AppliedConditions {
  readonly beforeStart: BeforeStart;
  /** Resolves when all is in force on the page itself; rejects with what the browser refused. */
  inForce(): Promise<void>;
}

/** What a load can only be told of, because Chrome cannot do it. */
type Tell = (code: Incident['code'], message: string) => void;

const WORKERS: Readonly<Partial<Record<TargetKind, string>>> = {
  worker: 'a worker',
  'shared-worker': 'a shared worker',
  'service-worker': 'a service worker',
};

/**
 * Puts conditions in force on every target of a load before it runs: the page, frames of other sites, and workers of all
 * kinds. Where Chrome cannot, the load is told once: processors are slowed down for pages alone, and what a shared worker
 * asks for goes at full speed.
 */
export function applyConditions(conditions: Conditions, browser: RunningBrowser, tell: Tell): AppliedConditions {
  const { device, network, cpu, timezone, locale, geolocation } = conditions;
  const userAgent = userAgentOf(conditions, browser);
  const onPage: Promise<unknown>[] = [];
  const told = new Set<string>();
  const tellOnce = (code: Incident['code'], message: string): void => {
    if (told.has(code)) return;
    told.add(code);
    tell(code, message);
  };
  let emulateNetwork = emulateByRule;

  return {
    beforeStart(session, kind) {
      const isFrame = kind === 'page' || kind === 'iframe';
      // Of what is not the page itself, some kinds know some commands not.
      const apply = (sent: Promise<unknown>): void => {
        if (kind === 'page') onPage.push(sent);
        sent.catch(() => undefined);
      };
      if (network) {
        // Browsers of before 2025 know only the older command, which works on all targets but those that need none.
        const sent = emulateNetwork(session, network);
        apply(
          kind !== 'page'
            ? sent
            : sent.catch((error: unknown) => {
                if (!/wasn't found/.test(String(error))) throw error;
                emulateNetwork = emulateForAll;
                return emulateNetwork(session, network);
              }),
        );
      }
      if (userAgent) apply(session.send('Emulation.setUserAgentOverride', userAgent));
      if (timezone !== undefined) apply(session.send('Emulation.setTimezoneOverride', { timezoneId: timezone }));
      if (locale !== undefined) apply(session.send('Emulation.setLocaleOverride', { locale }));
      if (kind === 'page') {
        const { width, height, deviceScaleFactor, mobile } = device;
        apply(
          session.send('Emulation.setDeviceMetricsOverride', {
            width,
            height,
            deviceScaleFactor,
            mobile,
            ...(mobile && {
              screenWidth: width,
              screenHeight: height,
              screenOrientation:
                width > height ? { type: 'landscapePrimary', angle: 90 } : { type: 'portraitPrimary', angle: 0 },
            }),
          }),
        );
      }
      if (isFrame) {
        if (device.touch) apply(session.send('Emulation.setTouchEmulationEnabled', { enabled: true }));
        if (geolocation) apply(session.send('Emulation.setGeolocationOverride', { ...geolocation }));
        if (cpu > 1) apply(session.send('Emulation.setCPUThrottlingRate', { rate: cpu }));
      }
      const worker = WORKERS[kind];
      if (worker === undefined) return;
      if (cpu > 1) {
        tellOnce(
          'cpu-not-in-workers',
          `The page has ${worker}, and a slower CPU (${cpu} ×) does not hold for workers: what they compute takes as long as on this machine.`,
        );
      }
      if (network && kind === 'shared-worker') {
        tellOnce(
          'network-not-in-shared-workers',
          `The page has a shared worker, and the network ${network.name} does not hold for those: what it asks for comes at full speed.`,
        );
      }
    },
    async inForce() {
      await Promise.all(onPage);
    },
  };
}

/** How a load under these conditions introduces itself; undefined when it does as the browser does anyway. */
export function userAgentOf(
  { device, userAgent, locale }: Conditions,
  browser: RunningBrowser,
): Protocol.Emulation.SetUserAgentOverrideRequest | undefined {
  const text = userAgent ?? device.userAgent;
  if (text === undefined && locale === undefined) return undefined;
  const isLiteral = text === undefined || userAgent !== undefined;
  return {
    ...userAgentFor(text ?? browser.userAgent, browser.product, isLiteral),
    ...(locale !== undefined && { acceptLanguage: locale }),
  };
}

/** Bytes a second, as the protocol counts; −1 is no limit. */
function bytesPerSecond(kbit: number | undefined): number {
  return kbit === undefined ? -1 : (kbit * 1000) / 8;
}

type Emulate = (session: CDPSession, network: NetworkConditions) => Promise<unknown>;

const emulateByRule: Emulate = (session, { latency, download, upload }) =>
  session.send('Network.emulateNetworkConditionsByRule', {
    matchedNetworkConditions: [
      {
        urlPattern: '',
        latency,
        downloadThroughput: bytesPerSecond(download),
        uploadThroughput: bytesPerSecond(upload),
      },
    ],
  });

const emulateForAll: Emulate = (session, { latency, download, upload }) =>
  session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bytesPerSecond(download),
    uploadThroughput: bytesPerSecond(upload),
  });
