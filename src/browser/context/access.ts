import type { CDPSession, Protocol } from 'puppeteer-core';
import { originOf } from '../../core/requests/origin.ts';
import { defined } from '../../core/text/defined.ts';
import type { Access, Login } from '../../model/access.ts';
import type { Header } from '../../model/network/network.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import type { RequestOwnership } from '../record/request-ownership.ts';
import type { BeforeStart } from '../record/targets.ts';

/** Headers, a login and blocked addresses, ready for a load. */
export interface AppliedAccess {
  readonly beforeStart: readonly BeforeStart[];
  /** Headers are sent from now on; the login by `beforeStart`. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Blocks addresses, and sends headers and a login to the origin of `url` alone.
 *
 * Chrome can add headers to all requests, but not only to those of one origin: third parties would receive them too, after
 * CORS preflights that real users do not have. So requests to the page's own origin are paused and continued with the
 * headers. Others are not touched, and redirects to other origins lose them. WebSocket handshakes cannot be paused: they
 * have cookies, but not the headers. It costs each request some milliseconds (docs/conditions.md).
 *
 * The login is sent once, when the page's own origin asks for it with a document; Chrome remembers it.
 */
export function applyAccess(
  access: Access,
  url: string,
  browser: RunningBrowser,
  ownership: RequestOwnership,
): AppliedAccess {
  const { headers, basicAuth, block } = access;
  const roots: CDPSession[] = [];
  const newRoot = async (): Promise<CDPSession> => {
    const root = await browser.newRootSession();
    roots.push(root);
    return root;
  };
  return {
    beforeStart: [
      ...(basicAuth ? [answerLogin(originOf(url), basicAuth)] : []),
      ...(block.length > 0 ? [blockUrls(block)] : []),
      ...(access.ignoreCertificateErrors ? [ignoreCertificateErrors] : []),
    ],
    async begin() {
      if (headers.length > 0) await sendHeaders(originOf(url), headers, await newRoot(), ownership);
    },
    async end() {
      await Promise.all(roots.map((root) => root.detach().catch(() => undefined)));
    },
  };
}

/** Sets the cookies in a fresh profile, for the host of `url` alone. */
export async function setCookies(
  { cookies }: Access,
  url: string,
  browserContextId: string,
  root: CDPSession,
): Promise<void> {
  if (cookies.length === 0) return;
  await root.send('Storage.setCookies', {
    browserContextId,
    // A cookie without a domain is sent to its host alone. Source: RFC 6265, 5.3.
    cookies: cookies.map(({ name, value }) => ({ name, value, url, path: '/', secure: url.startsWith('https:') })),
  });
}

async function sendHeaders(
  origin: string,
  headers: readonly Header[],
  root: CDPSession,
  { whenKnown }: RequestOwnership,
): Promise<void> {
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const proceed = (requestId: string, changed?: Protocol.Fetch.HeaderEntry[]): void => {
    root.send('Fetch.continueRequest', defined({ requestId, headers: changed })).catch(() => undefined);
  };
  root.on('Fetch.requestPaused', (paused) => {
    const { requestId, request } = paused;
    // Chrome's patterns match more than is meant: the origin decides.
    if (originOf(request.url) !== origin) return proceed(requestId);
    const others = Object.entries(request.headers)
      .filter(([name]) => !given.has(name.toLowerCase()))
      .map(([name, value]) => ({ name, value }));
    whenKnown(
      paused,
      () => proceed(requestId, [...others, ...headers]),
      () => proceed(requestId),
    );
  });
  await root.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}

/**
 * Answers in the load's own targets: who is asked in the name of the whole browser is asked for other loads too, and cannot
 * leave the answer to them.
 */
function answerLogin(origin: string, { user, password }: Login): BeforeStart {
  const asking = new Set<CDPSession>();
  return (session, kind) => {
    if (kind !== 'page' && kind !== 'iframe') return;
    asking.add(session);
    session.on('Fetch.requestPaused', ({ requestId }) => {
      session.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
    });
    session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
      const isOwn = authChallenge.source !== 'Proxy' && originOf(authChallenge.origin) === origin;
      const authChallengeResponse: Protocol.Fetch.AuthChallengeResponse = isOwn
        ? { response: 'ProvideCredentials', username: user, password }
        : { response: 'CancelAuth' };
      session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
      if (!isOwn) return;
      // Chrome remembers the login. Watching on would cost every request some milliseconds.
      for (const each of asking) each.send('Fetch.disable').catch(() => undefined);
    });
    const patterns = [{ urlPattern: `${origin}/*`, resourceType: 'Document' as const }];
    session.send('Fetch.enable', { handleAuthRequests: true, patterns }).catch(() => undefined);
  };
}

/** Blocks requests in the browser. The patterns are Quiesce's own: `*` for anything, open at both ends. */
function blockUrls(patterns: readonly string[]): BeforeStart {
  return (session) => {
    session.send('Network.setBlockedURLs', { urls: [...patterns] }).catch(() => undefined);
  };
}

const ignoreCertificateErrors: BeforeStart = (session) => {
  session.send('Security.setIgnoreCertificateErrors', { ignore: true }).catch(() => undefined);
};
