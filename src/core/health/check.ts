import type { Visit } from '../../model/network/visit.ts';
import type { HealthFact } from '../../model/result/finding.ts';

/** Looks for one way in which a page does not work. */
export type Check = (visit: Visit) => readonly CheckedFact[];

/** What was found, with the addresses that it is about. */
export type CheckedFact = HealthFact & { readonly urls: readonly string[] };

/**
 * Files and globals that measure, advertise, ask for consent or chat: a page works without them. Source: names of the
 * products that the Web Almanac counts most often (https://almanac.httparchive.org/en/2024/third-parties), and the words
 * that the people who host them by themselves use for them.
 */
const OPTIONAL =
  /(?:^|[^a-z])(?:analytics?|gtag|gtm|ga|googletagmanager|datalayer|matomo|_?paq|piwik|plausible|umami|posthog|mixpanel|amplitude|segment|heap|hotjar|hj|clarity|fullstory|fbq|fbevents|pixel|sentry|bugsnag|rollbar|datadog|newrelic|rum|web-?vitals|telemetry|metrics|beacons?|track(?:er|ers|ing)?|collect|stats|ads?|adsbygoogle|adservices|advert(?:s|ising)?|prebid|cookie-?(?:banner|consent)|consent|onetrust|intercom|zendesk|livechat|drift|survey)(?![a-z])/i;

/** Is this something that a page works without, by its name? */
export function isOptional(name: string): boolean {
  return OPTIONAL.test(name) || OPTIONAL.test(name.replace(/([a-z])([A-Z])/g, '$1-$2'));
}
