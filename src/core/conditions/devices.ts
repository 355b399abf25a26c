import type { Device } from '../../model/host/conditions.ts';

/** The device when none is given: the size that Lighthouse's desktop preset uses. */
export const DESKTOP: Device = {
  name: 'desktop',
  width: 1350,
  height: 940,
  deviceScaleFactor: 1,
  mobile: false,
  touch: false,
};

/** The phone that Lighthouse measures on. Source: lighthouse `core/config/constants.js`. */
const MOTO_G_POWER: Device = {
  name: 'Moto G Power',
  width: 412,
  height: 823,
  deviceScaleFactor: 1.75,
  mobile: true,
  touch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36',
};

/** Devices that are known whatever the browser's library knows. */
const OWN: readonly Device[] = [DESKTOP, MOTO_G_POWER];

/**
 * Short names. Both are devices that come with Chrome: what is measured is Chrome, and a page that is sent what Safari
 * is sent would not be the page that such a user gets.
 */
const SHORT: Readonly<Record<string, string>> = {
  phone: 'Moto G Power',
  mobile: 'Moto G Power',
  tablet: 'Galaxy Tab S4',
};

/** So many near names are offered. */
const OFFERED = 3;

/** A device by its name; `known` are those of the browser's library. Case, dashes and blanks do not matter. */
export function findDevice(
  text: string,
  known: readonly Device[],
): { readonly value: Device } | { readonly problem: string } {
  const all = [...OWN, ...known];
  const wanted = bare(SHORT[bare(text)] ?? text);
  const device = all.find(({ name }) => bare(name) === wanted);
  if (device) return { value: device };
  const near = nearNames(wanted, all).join(', ') || 'desktop, phone, tablet, iPhone 15, Pixel 5 …';
  return { problem: `must be a device that Quiesce knows, such as ${near}` };
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9+]+/g, '');
}

/** Names that hold what was typed, or begin like it; the newest model first, then the shortest name. */
function nearNames(wanted: string, all: readonly Device[]): readonly string[] {
  const scored = all.map(({ name }) => ({
    name,
    alike: wanted !== '' && bare(name).includes(wanted) ? 99 : prefix(wanted, bare(name)),
  }));
  const most = Math.max(...scored.map(({ alike }) => alike));
  if (most < 3) return [];
  return scored
    .filter(({ alike }) => alike === most)
    .map(({ name }) => name)
    .sort((a, b) => model(b) - model(a) || a.length - b.length)
    .slice(0, OFFERED);
}

/** Of "iPhone 15" 15; 0 of names that do not end in a number. */
const model = (name: string): number => Number(/ (\d+)$/.exec(name)?.[1] ?? 0);

function prefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
