import type { Initiator } from '../../model/network/network.ts';
import { type Fields, fields, list, text } from '../requests/har-fields.ts';
import { headerOf } from '../text/header.ts';
import { headersOf } from './har-entry.ts';

/**
 * Where browsers ask for updates of themselves, lists of dangerous pages, hints and the time. A proxy records it between
 * the requests of the page. Sources: chromium/src (`google_apis`, `components/component_updater`, `safe_browsing`,
 * `optimization_guide`, `network_time`), Firefox's `all.js`, and recordings.
 */
const OWN_HOSTS: ReadonlySet<string> = new Set([
  'update.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsing.google.com',
  'safebrowsing-cache.google.com',
  'safebrowsingohttpgateway.googleapis.com',
  'sb-ssl.google.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'clients1.google.com',
  'clients2.google.com',
  'clients3.google.com',
  'clients4.google.com',
  'clients2.googleusercontent.com',
  'tools.google.com',
  'clientservices.googleapis.com',
  'android.clients.google.com',
  'mtalk.google.com',
  'passwordsleakcheck-pa.googleapis.com',
  'chromewebstore.googleapis.com',
  'content-signature-2.cdn.mozilla.net',
  'firefox-settings-attachments.cdn.mozilla.net',
  'tracking-protection.cdn.mozilla.net',
  'normandy.cdn.mozilla.net',
  'ciscobinary.openh264.org',
  'detectportal.firefox.com',
  'incoming.telemetry.mozilla.org',
  'blocklist.addons.mozilla.org',
  'versioncheck.addons.mozilla.org',
  'services.addons.mozilla.org',
  'edge.microsoft.com',
  'config.edge.skype.com',
  'msedge.api.cdp.microsoft.com',
  'nav.smartscreen.microsoft.com',
  'smartscreen.microsoft.com',
  'urs.microsoft.com',
]);

/** The same where each machine has a name of its own: files that Chrome loads, and what Firefox asks of Mozilla. */
const OWN_DOMAINS = /\.(?:gvt1\.com|services\.mozilla\.com)$|^aus\d\.mozilla\.org$/;

/** Parts of Chrome that come from servers which have other things as well. */
const OWN_PATHS = /^\/(?:dl\/)?release2\/(?:chrome_component|update2)\/|^\/update-delta\//;

/**
 * What certificates are checked with. Sources: RFC 6960 (OCSP), RFC 5280 (lists of revoked ones, and who issued one).
 */
const CERTIFICATE_TYPES = /^application\/(?:ocsp-(?:request|response)|pkix-(?:crl|cert))/i;

/** Responders of OCSP, by their names: they are asked without TLS, which they are there for. */
const OCSP_HOST = /^http:\/\/(?:[\w-]+\.)*(?:ocsp\d*|o\.lencr)\./i;

const EXTENSION = /^[a-z]+(?:-[a-z]+)*-extension:/i;

/**
 * Was it asked for by something other than the page: the browser for its own sake, or an extension? The page does not change by it, or is not to be
 * judged by it.
 */
export function isNotOfPage({ url, request, response, initiator }: Asked): boolean {
  return isBrowsersOwn(url, request) || checksCertificate(url, request, response) || isOfExtension(request, initiator);
}

interface Asked {
  readonly url: string;
  readonly request: Fields;
  readonly response: Fields;
  readonly initiator: Initiator | undefined;
}

function checksCertificate(url: string, { headers }: Fields, { content }: Fields): boolean {
  const types = [headerOf(headersOf(headers), 'content-type'), text(fields(content).mimeType)];
  return OCSP_HOST.test(url) || types.some((type) => type !== undefined && CERTIFICATE_TYPES.test(type));
}

/** By its origin, or by who asked. Extensions put themselves between a page and the browser: all calls must be theirs. */
function isOfExtension({ headers }: Fields, { url, stack = [] }: Initiator = { type: 'other' }): boolean {
  const askers = [...stack.map((frame) => frame.url), ...(url === undefined ? [] : [url])].filter(
    (each) => each !== '',
  );
  if (askers.length > 0) return askers.every((each) => EXTENSION.test(each));
  return EXTENSION.test(headerOf(headersOf(headers), 'origin') ?? '');
}

/**
 * Did the browser ask for its own sake? What a page asks for says so, by a referrer or an origin; and what a user opens
 * is a page.
 */
export function isBrowsersOwn(url: string, request: Fields): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (!OWN_HOSTS.has(hostname) && !OWN_DOMAINS.test(hostname) && !OWN_PATHS.test(pathname)) return false;
  return !list(request.headers).some((header) => {
    const { name, value } = fields(header);
    const sent = text(value) ?? '';
    switch (text(name)?.toLowerCase()) {
      case 'referer':
      case 'origin':
        return true;
      case 'sec-fetch-mode':
        return sent === 'navigate';
      case 'accept':
        return sent.startsWith('text/html');
      default:
        return false;
    }
  });
}
