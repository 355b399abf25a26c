import type { CDPSession, Protocol } from 'puppeteer-core';
import { userAgentFor } from '../../core/conditions/user-agent.ts';
import { defined } from '../../core/text/defined.ts';
import type { Conditions, NetworkConditions } from '../../model/host/conditions.ts';
import type { TargetKind } from '../../model/network/network.ts';
import type { IncidentFact, WorkerKind } from '../../model/result/finding.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import type { BeforeStart } from '../record/targets.ts';
import { windowOf } from './window.ts';

/** Conditions, ready for a load. */
export interface AppliedConditions {
  readonly beforeStart: BeforeStart;
  /** Resolves when all are in force on the page itself; rejects with the browser's refusal. */
  inForce(): Promise<void>;
}

/** Reports what Chrome cannot emulate. */
type AddIncident = (fact: IncidentFact) => void;

const isWorker = (kind: TargetKind): kind is WorkerKind =>
  kind === 'worker' || kind === 'shared-worker' || kind === 'service-worker';

/**
 * Puts conditions in force on every target of a load before it runs: the page, frames of other sites, and workers of all
 * kinds. What Chrome cannot do is reported once: processors are only slowed down for pages, and the network not for shared
 * workers.
 */
export function applyConditions(
  conditions: Conditions,
  browser: RunningBrowser,
  addIncident: AddIncident,
): AppliedConditions {
  const { device, network, cpu, timezone, locale, geolocation } = conditions;
  const userAgent = userAgentOf(conditions, browser);
  const onPage: Promise<unknown>[] = [];
  const reported = new Set<string>();
  const reportOnce = (fact: IncidentFact): void => {
    if (reported.has(fact.code)) return;
    reported.add(fact.code);
    addIncident(fact);
  };
  let emulateNetwork = emulateByRule;

  return {
    beforeStart(session, kind) {
      const isFrame = kind === 'page' || kind === 'iframe';
      // Other targets than the page do not know all of the commands.
      const apply = (sent: Promise<unknown>): void => {
        if (kind === 'page') onPage.push(sent);
        sent.catch(() => undefined);
      };
      if (network) {
        // Browsers from before 2025 only know the older command.
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
        // A headless Chrome's own screen is smaller than the page, which may take it for a phone's.
        const screen = mobile ? device : windowOf(device);
        apply(
          session.send('Emulation.setDeviceMetricsOverride', {
            width,
            height,
            deviceScaleFactor,
            mobile,
            screenWidth: screen.width,
            screenHeight: screen.height,
            ...(mobile && {
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
      if (!isWorker(kind)) return;
      if (cpu > 1) reportOnce({ code: 'cpu-not-in-workers', facts: { worker: kind, cpu } });
      if (network && kind === 'shared-worker') {
        reportOnce({ code: 'network-not-in-shared-workers', facts: { network: network.name } });
      }
    },
    async inForce() {
      await Promise.all(onPage);
    },
  };
}

/** The user agent under these conditions; undefined when it is the browser's own. */
export function userAgentOf(
  { device, userAgent, locale }: Conditions,
  browser: RunningBrowser,
): Protocol.Emulation.SetUserAgentOverrideRequest | undefined {
  const text = userAgent ?? device.userAgent;
  if (text === undefined && locale === undefined) return undefined;
  const isLiteral = text === undefined || userAgent !== undefined;
  return defined({
    ...userAgentFor(text ?? browser.userAgent, browser.product, isLiteral),
    acceptLanguage: locale,
  });
}

/** Bytes a second, as in the protocol; −1 means no limit. */
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
