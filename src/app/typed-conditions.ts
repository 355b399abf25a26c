import { parseCookie, parseHeader, parseLogin } from '../core/access/headers.ts';
import { NETWORKS, parseNetwork } from '../core/conditions/networks.ts';
import { parseGeolocation, parseLocale, parseTimezone } from '../core/conditions/places.ts';
import { shardProblem } from '../core/shards.ts';

/** What is wrong with a text that was typed, as a clause that reads on after the option's name; undefined when nothing is. */
export type ProblemOf = (text: string) => string | undefined;

const of =
  (parse: (text: string) => object): ProblemOf =>
  (text) => {
    const parsed = parse(text);
    return 'problem' in parsed ? String(parsed.problem) : undefined;
  };

/** By the name of the option. Devices are known only where the browser's library is: the job refuses those. */
export const problemWith = {
  network: of(parseNetwork),
  geolocation: of(parseGeolocation),
  header: of(parseHeader),
  cookie: of(parseCookie),
  basicAuth: of(parseLogin),
  shard: shardProblem satisfies ProblemOf,
  locale: ((text) => (parseLocale(text) === undefined ? NOT_A_LOCALE : undefined)) satisfies ProblemOf,
  timezone: ((text) => (parseTimezone(text) === undefined ? NOT_A_TIMEZONE : undefined)) satisfies ProblemOf,
} as const;

/** What is said of a language and of a time zone that nobody knows. */
export const NOT_A_LOCALE = 'must be a language such as de-DE';
export const NOT_A_TIMEZONE = 'must be a time zone by its IANA name, such as Asia/Tokyo';

/** The names of the networks, for the help. */
export const NETWORK_NAMES: readonly string[] = ['none', ...NETWORKS.map(({ name }) => name)];
