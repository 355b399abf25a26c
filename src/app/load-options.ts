import { secretsInAddress, shownAddress } from '../core/access/browser-address.ts';
import { parseCookie, parseHeader, parseLogin } from '../core/access/headers.ts';
import { secretsOf } from '../core/access/secrets.ts';
import { findDevice } from '../core/conditions/devices.ts';
import { parseNetwork } from '../core/conditions/networks.ts';
import { parseGeolocation, parseLocale, parseTimezone } from '../core/conditions/places.ts';
import type { GivenSecrets } from '../core/har/erase.ts';
import { createRedactor, keepSecretsBut, REDACTED, type Redactor } from '../core/har/redact.ts';
import { UsageError } from '../core/messages.ts';
import { shownCommand } from '../core/shown-command.ts';
import type { Access } from '../model/access.ts';
import type { Conditions } from '../model/conditions.ts';
import type { LoadRequest } from '../model/lab.ts';
import type { Settings } from '../model/result.ts';
import type { BrowserSettings, LabSettings, LoadSettings } from '../model/settings.ts';
import { KNOWN_DEVICES } from '../shell/chrome/known-devices.ts';
import { NOT_A_LOCALE, NOT_A_TIMEZONE } from './typed-conditions.ts';

/** What a load is asked for beside its address and how it is judged. */
export type LoadOptions = Required<Pick<LoadRequest, 'conditions' | 'access'>>;

/**
 * Conditions and access as the settings have them.
 *
 * @throws UsageError `option-invalid` for what nobody knows: a device, a network, a header of two lines
 */
export function loadOptionsOf(settings: LabSettings): LoadOptions {
  return { conditions: conditionsOf(settings), access: accessOf(settings) };
}

function conditionsOf(settings: LabSettings): Conditions {
  const { cpu = 1, view = 'cold', userAgent, locale, timezone } = settings;
  const { device } = orRefuse('--device', findDevice(settings.device ?? 'desktop', KNOWN_DEVICES));
  const { network } = orRefuse('--network', parseNetwork(settings.network ?? 'none'));
  const place =
    settings.geolocation === undefined
      ? undefined
      : orRefuse('--geolocation', parseGeolocation(settings.geolocation)).geolocation;
  const language = locale === undefined ? undefined : (parseLocale(locale) ?? refuse('--locale', NOT_A_LOCALE));
  const zone = timezone === undefined ? undefined : (parseTimezone(timezone) ?? refuse('--timezone', NOT_A_TIMEZONE));
  return {
    device,
    cpu,
    view,
    ...(network && { network }),
    ...(userAgent !== undefined && { userAgent }),
    ...(language !== undefined && { locale: language }),
    ...(zone !== undefined && { timezone: zone }),
    ...(place && { geolocation: place }),
  };
}

function accessOf(settings: LabSettings): Access {
  const { header = [], cookie = [], basicAuth, block = [], ignoreCertificateErrors = false } = settings;
  const headers = header.map((line) => orRefuse('--header', parseHeader(line)).header);
  const login = basicAuth === undefined ? undefined : orRefuse('--basic-auth', parseLogin(basicAuth)).login;
  if (login && headers.some(({ name }) => name.toLowerCase() === 'authorization')) {
    throw new UsageError('options-contradict', {
      option: '--header Authorization',
      detail: '--basic-auth',
      suggestion: 'a request has one Authorization',
    });
  }
  return {
    headers,
    cookies: cookie.map((text) => orRefuse('--cookie', parseCookie(text)).cookie),
    block,
    ignoreCertificateErrors,
    ...(login && { basicAuth: login }),
  };
}

/** The lab's part of settings, without secrets: two loads are alike only when it is the same. */
export function labSettingsOf(settings: LabSettings): LabSettings {
  const { device, network, cpu, view, userAgent, locale, timezone, geolocation } = settings;
  const { block, header, cookie, basicAuth, ignoreCertificateErrors, script } = withoutSecrets(settings) as LabSettings;
  const all = { device, network, cpu, view, userAgent, locale, timezone, geolocation };
  const ways = { block, header, cookie, basicAuth, ignoreCertificateErrors, script };
  return Object.fromEntries(Object.entries({ ...all, ...ways }).filter(([, value]) => value !== undefined));
}

function orRefuse<T extends object>(option: string, parsed: T | { readonly problem: string }): T {
  return 'problem' in parsed ? refuse(option, parsed.problem) : parsed;
}

function refuse(option: string, detail: string): never {
  throw new UsageError('option-invalid', { option, detail });
}

// --- What must not be written down --------------------------------------------------------------------------------

/** Settings, and those of pages that have their own. */
type Tellable = LabSettings & Pick<BrowserSettings, 'browserWs'> & { readonly pages?: readonly LabSettings[] };

/** What the user gave to get into the pages and to the browser: it must not stand in anything that is written or printed. */
export function givenSecrets(settings: Tellable): GivenSecrets {
  const all = [settings, ...(settings.pages ?? [])].map(accessOf);
  return {
    texts: [...new Set([...all.flatMap(secretsOf), ...secretsInAddress(settings.browserWs ?? '')])],
    headers: [
      ...new Set(
        all.flatMap(({ headers, basicAuth }) => [
          ...headers.map(({ name }) => name.toLowerCase()),
          ...(basicAuth ? ['authorization'] : []),
        ]),
      ),
    ],
  };
}

/** For everything that is written: without secrets of the page, unless they are to be kept, and without those given. */
export function redactorOf(settings: Tellable & Pick<LoadSettings, 'harSecrets'>): Redactor {
  const { texts } = givenSecrets(settings);
  return settings.harSecrets ? keepSecretsBut(texts) : createRedactor(texts);
}

/** For what is only told, on a terminal or in a log: without those given. */
export function eraserOf(settings: Tellable): Redactor {
  return keepSecretsBut(givenSecrets(settings).texts);
}

/** Settings that are lines for the shell. */
const COMMANDS = ['serveCommand', 'build'] as const;

/**
 * Settings as a result keeps them: of headers, cookies and logins the names alone, of a running browser where it is; nobody
 * could ask for its sandbox.
 */
export function withoutSecrets<S extends Tellable>(settings: S): Settings {
  const { header, cookie, basicAuth, browserWs, pages } = settings;
  const stored: Record<string, unknown> = Object.fromEntries(Object.entries(settings));
  if (header) stored.header = header.map((line) => nameOf(line, ':'));
  if (cookie) stored.cookie = cookie.map((text) => nameOf(text, '='));
  if (basicAuth !== undefined) stored.basicAuth = REDACTED;
  for (const name of COMMANDS) {
    const line = stored[name];
    if (typeof line === 'string') stored[name] = shownCommand(line);
  }
  if (browserWs !== undefined) {
    stored.browserWs = shownAddress(browserWs);
    delete stored.sandbox;
  }
  if (pages) stored.pages = pages.map(withoutSecrets);
  return stored;
}

function nameOf(text: string, separator: ':' | '='): string {
  const at = text.indexOf(separator);
  const gap = separator === ':' ? ': ' : '=';
  return at === -1 ? REDACTED : `${text.slice(0, at).trim()}${gap}${REDACTED}`;
}
