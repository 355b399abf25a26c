import { z } from 'zod';
import { KNOWN_DEVICES, type KnownDeviceName } from '../../browser/context/known-devices.ts';
import { findDevice } from '../../core/conditions/devices.ts';
import { NETWORKS, type NetworkPresetName, parseNetwork } from '../../core/conditions/networks.ts';
import { parseGeolocation, parseLocale, parseTimezone } from '../../core/conditions/places.ts';
import { defined } from '../../core/text/defined.ts';
import { asGiven, inGroup, LOADING, type OptionRecords } from '../option.ts';
import { parsed, text, textOf } from '../value-schemas.ts';

type DeviceText = 'desktop' | 'phone' | 'mobile' | 'tablet' | KnownDeviceName | Lowercase<KnownDeviceName>;
type NetworkText = 'none' | NetworkPresetName | `${string},${string},${string}`;

const device = parsed(textOf<DeviceText>('must be the name of a device'), (name) => findDevice(name, KNOWN_DEVICES));

/** A preset, `latency,down,up`, or the figures. Undefined for none. */
const network = parsed(
  z.union(
    [
      textOf<NetworkText>('must be the name of a network'),
      z.strictObject({
        /** ms */
        latency: z.number().min(0).max(60_000),
        /** kbit/s */
        download: z.number().min(1).max(10_000_000).optional(),
        upload: z.number().min(1).max(10_000_000).optional(),
        name: z.string().optional(),
      }),
    ],
    'must be the name of a network',
  ),
  (given) => {
    if (typeof given !== 'string') {
      const { latency, download, upload } = given;
      return { value: defined({ ...given, name: given.name ?? [latency, download ?? 0, upload ?? 0].join(',') }) };
    }
    return parseNetwork(given);
  },
);

const locale = parsed(text('must be a language such as de-DE'), (tag) => {
  const value = parseLocale(tag);
  return value === undefined ? { problem: 'must be a language such as de-DE' } : { value };
});

const timezone = parsed(text('must be a time zone such as Asia/Tokyo'), (name) => {
  const value = parseTimezone(name);
  return value === undefined ? { problem: 'must be a time zone by its IANA name, such as Asia/Tokyo' } : { value };
});

const geolocation = parsed(
  z.union(
    [
      text('must be latitude,longitude'),
      z.strictObject({
        latitude: z.number().min(-90).max(90),
        longitude: z.number().min(-180).max(180),
        /** Metres. */
        accuracy: z.number().min(0).default(10),
      }),
    ],
    'must be latitude,longitude',
  ),
  (given) => (typeof given === 'string' ? parseGeolocation(given) : { value: given }),
);

const NETWORK_NAMES = ['none', ...NETWORKS.map(({ name }) => name)];

/** The conditions of a load: screen, network, processor, language and place. */
export const conditions = inGroup('Lab conditions', {
  device: {
    argument: '<name>',
    choices: ['desktop', 'phone', 'tablet'],
    brief: 'also phone, tablet, "iPhone 15" …',
    description: 'desktop, phone (Moto G Power), tablet (Galaxy Tab S4), or a DevTools device: "iPhone 15"',
    kind: 'text',
    schema: device,
    stored: asGiven,
    default: 'desktop',
    commands: LOADING,
  },
  network: {
    argument: '<name>',
    choices: NETWORK_NAMES,
    brief: '4g, slow-4g … or latency,down,up',
    description: `${NETWORK_NAMES.join(', ')}, or latency,down,up: 150ms,1.6Mbps,750kbps`,
    kind: 'text',
    schema: network,
    stored: asGiven,
    default: 'none',
    commands: LOADING,
  },
  cpu: {
    argument: '<factor>',
    description: 'how many times slower the main threads of pages are; workers are not slowed down',
    kind: 'number',
    schema: z.number('must be a number from 1 to 100').min(1, 'must be 1 or more').max(100, 'must be at most 100'),
    default: 1,
    commands: LOADING,
  },
  view: {
    argument: '<view>',
    choices: ['cold', 'warm'],
    description: 'cold (the first visit), or warm (the second visit, with caches, cookies and service worker)',
    kind: 'text',
    schema: z.enum(['cold', 'warm'], 'must be cold or warm'),
    default: 'cold',
    commands: LOADING,
  },
  locale: {
    argument: '<tag>',
    description: 'language of the browser, such as de-DE',
    kind: 'text',
    schema: locale,
    stored: asGiven,
    defaultText: "the machine's",
    commands: LOADING,
  },
  timezone: {
    argument: '<name>',
    description: 'time zone of the browser, such as Asia/Tokyo',
    kind: 'text',
    schema: timezone,
    stored: asGiven,
    defaultText: "the machine's",
    commands: LOADING,
  },
  geolocation: {
    argument: '<lat,long>',
    description: 'position of the device; the page has permission to read it',
    kind: 'text',
    schema: geolocation,
    stored: asGiven,
    commands: LOADING,
  },
  userAgent: {
    argument: '<text>',
    description: 'user agent of the browser',
    kind: 'text',
    schema: text('must be a user agent').regex(/^[\t\x20-\x7e]*$/, 'must be one line of plain characters'),
    defaultText: "the device's",
    commands: LOADING,
  },
} as const satisfies OptionRecords);
