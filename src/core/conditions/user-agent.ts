import type { Protocol } from 'devtools-protocol';

/** How a browser introduces itself, as `Emulation.setUserAgentOverride` takes it. */
export type UserAgent = Pick<
  Protocol.Emulation.SetUserAgentOverrideRequest,
  'userAgent' | 'platform' | 'userAgentMetadata' | 'acceptLanguage'
>;

/**
 * A user agent with all that has to agree with it: client hints and `navigator.platform`. A Chrome in it becomes the
 * version of the browser that really runs, reduced as Chrome does it: a server that chooses by version shall send what
 * that browser would get. Other browsers have no client hints.
 *
 * @param text the user agent, of a device or as the user typed it
 * @param product the browser's: 'Chrome/156.0.8078.79'
 * @param literal true when nothing may be changed in it
 */
export function userAgentFor(text: string, product: string, literal: boolean): UserAgent {
  const full = /\/(\d+(?:\.\d+)*)/.exec(product)?.[1];
  const userAgent = literal || full === undefined ? text : text.replace(/(Chrome)\/[\d.]+/, `$1/${major(full)}.0.0.0`);
  const system = systemOf(userAgent);
  const chrome = /\b((?:Headless)?Chrome)\/(\d[\d.]*)/.exec(userAgent);
  return {
    userAgent,
    platform: system.platform,
    ...(chrome && { userAgentMetadata: hintsOf(chrome[1] ?? '', chrome[2] ?? '', full, userAgent, system) }),
  };
}

interface System {
  /** `navigator.platform`. */
  readonly platform?: string;
  /** `Sec-CH-UA-Platform`. */
  readonly hint: string;
  readonly version: string;
  readonly model: string;
}

/** What a user agent says of the machine. Source: the forms that Chrome documents in "User-Agent Reduction". */
function systemOf(userAgent: string): System {
  const inside = /\(((?:[^()]|\([^()]*\))*)\)/.exec(userAgent)?.[1] ?? '';
  const android = /Android ([\d.]+)(?:; (.+?))?(?: Build\/.*)?$/.exec(inside);
  if (android) {
    return { platform: 'Linux armv81', hint: 'Android', version: android[1] ?? '', model: android[2] ?? '' };
  }
  if (/^iPhone/.test(inside)) return { platform: 'iPhone', hint: 'iOS', version: '', model: '' };
  if (/^iPad/.test(inside)) return { platform: 'iPad', hint: 'iOS', version: '', model: '' };
  if (/^Macintosh/.test(inside)) return { platform: 'MacIntel', hint: 'macOS', version: '', model: '' };
  if (/^Windows/.test(inside)) return { platform: 'Win32', hint: 'Windows', version: '', model: '' };
  if (/^X11; CrOS/.test(inside)) return { platform: 'Linux x86_64', hint: 'Chrome OS', version: '', model: '' };
  if (/^X11/.test(inside)) return { platform: 'Linux x86_64', hint: 'Linux', version: '', model: '' };
  return { hint: '', version: '', model: '' };
}

function hintsOf(
  name: string,
  version: string,
  full: string | undefined,
  userAgent: string,
  system: System,
): Protocol.Emulation.UserAgentMetadata {
  // Where it is the browser's own version, the whole of it is known.
  const whole = full !== undefined && major(full) === major(version) ? full : version;
  const brand = name === 'HeadlessChrome' ? name : 'Google Chrome';
  // The first is the GREASE brand, which keeps servers from relying on the list. Source: UA Client Hints, 6.2.
  const brands = (of: (text: string) => string) => [
    { brand: 'Not)A;Brand', version: of('99.0.0.0') },
    { brand: 'Chromium', version: of(whole) },
    { brand, version: of(whole) },
  ];
  return {
    brands: brands(major),
    fullVersionList: brands((text) => text),
    platform: system.hint,
    platformVersion: system.version,
    architecture: '',
    model: system.model,
    mobile: /\bMobile\b/.test(userAgent),
  };
}

function major(version: string): string {
  return version.split('.')[0] ?? version;
}
