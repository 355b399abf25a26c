import { type Fields, fields, list, text } from '../har-fields.ts';

/**
 * Where browsers ask for updates of themselves, lists of dangerous pages, hints and the time. A proxy records it between
 * the requests of the page. Sources: chromium/src (`google_apis`, `components/component_updater`, `safe_browsing`,
 * `optimization_guide`, `network_time`), Firefox's `all.js`, and recordings.
 */
const OWN_HOSTS: ReadonlySet<string> = new Set([
  'update.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsing.google.com',
  'safebrowsingohttpgateway.googleapis.com',
  'sb-ssl.google.com',
  'optimizationguide-pa.googleapis.com',
  'content-autofill.googleapis.com',
  'clients2.google.com',
  'clients4.google.com',
  'clientservices.googleapis.com',
  'android.clients.google.com',
  'mtalk.google.com',
  'passwordsleakcheck-pa.googleapis.com',
  'chromewebstore.googleapis.com',
  'edgedl.me.gvt1.com',
  'redirector.gvt1.com',
  'firefox.settings.services.mozilla.com',
  'content-signature-2.cdn.mozilla.net',
  'detectportal.firefox.com',
  'push.services.mozilla.com',
  'incoming.telemetry.mozilla.org',
  'aus5.mozilla.org',
  'edge.microsoft.com',
  'config.edge.skype.com',
]);

/**
 * Did the browser ask for its own sake? What a page asks for says so, by a referrer or an origin; and what a user opens
 * is a page.
 */
export function isBrowsersOwn(url: string, request: Fields): boolean {
  if (!URL.canParse(url) || !OWN_HOSTS.has(new URL(url).hostname)) return false;
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
