import type { Geolocation } from '../../model/host/conditions.ts';

/** As good as a phone with a view of the sky, metres. */
const ACCURACY_M = 10;

/** 'latitude,longitude' or 'latitude,longitude,accuracy', in degrees and metres. */
export function parseGeolocation(text: string): { readonly value: Geolocation } | { readonly problem: string } {
  const parts = text.split(',').map((part) => part.trim());
  const isNumber = (part: string): boolean => /^[-+]?\d+(\.\d+)?$/.test(part);
  const [latitude = Number.NaN, longitude = Number.NaN, accuracy = ACCURACY_M] = parts.map(Number);
  const fits =
    parts.every(isNumber) &&
    (parts.length === 2 || parts.length === 3) &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    accuracy >= 0;
  return fits
    ? { value: { latitude, longitude, accuracy } }
    : { problem: 'must be latitude,longitude in degrees, such as 52.52,13.40' };
}

/** A language tag (BCP 47) in its usual writing: 'de-DE'; undefined when it is none. */
export function parseLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** A time zone by the name of the IANA database, in its usual writing: 'Asia/Tokyo'; undefined when there is none. */
export function parseTimezone(text: string): string | undefined {
  // '+02:00' is a time zone for JavaScript, but not for Chrome.
  if (!/^[A-Za-z]/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
