import type { CDPSession, Protocol } from 'puppeteer-core';
import { originOf } from '../../core/origin.ts';
import type { Access, Login } from '../../model/access.ts';
import type { Header } from '../../model/network.ts';
import type { RunningBrowser } from './browser.ts';
import { type Claims, createClaims } from './claims.ts';
import type { BeforeStart } from './targets.ts';

/** Ways into a page, on their way into a load. */
export interface AppliedAccess {
  readonly beforeStart: readonly BeforeStart[];
  /** From now on the target's own origin is sent what it wants. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Blocks, and gives headers and a login to the origin of `url` alone.
 *
 * Chrome can add headers to every request by itself, but not to those of one origin: third parties would be sent them too,
 * and would be asked for leave first (CORS preflights that real users do not have). So requests to the own origin are
 * stopped for a moment and continued with the headers; others are not touched. Redirects to elsewhere leave them behind.
 * Handshakes of sockets cannot be stopped: they carry cookies, but no headers. It costs each request some milliseconds
 * (docs/conditions.md).
 *
 * A login is given when the own origin asks for it with a document, as a user would, once; Chrome remembers it.
 */
export function applyAccess(access: Access, url: string, browser: RunningBrowser): AppliedAccess {
  const { headers, basicAuth, block } = access;
  const claims = createClaims();
  const roots: CDPSession[] = [];
  const newRoot = async (): Promise<CDPSession> => {
    const root = await browser.newRoot();
    roots.push(root);
    return root;
  };
  return {
    beforeStart: [
      ...(headers.length > 0 || basicAuth ? [claims.beforeStart] : []),
      ...(block.length > 0 ? [blockUrls(block)] : []),
      ...(access.ignoreCertificateErrors ? [ignoreCertificateErrors] : []),
    ],
    async begin() {
      if (headers.length > 0) await sendTo(originOf(url), headers, await newRoot(), claims);
      if (basicAuth) await logInto(originOf(url), basicAuth, await newRoot(), claims);
    },
    async end() {
      claims.end();
      await Promise.all(roots.map((root) => root.detach().catch(() => undefined)));
    },
  };
}

/** Puts the cookies into a fresh profile, for the host of `url` alone. */
export async function putCookies(
  { cookies }: Access,
  url: string,
  browserContextId: string,
  root: CDPSession,
): Promise<void> {
  if (cookies.length === 0) return;
  await root.send('Storage.setCookies', {
    browserContextId,
    // Without a domain a cookie is its host's alone. Source: RFC 6265, 5.3.
    cookies: cookies.map(({ name, value }) => ({ name, value, url, path: '/', secure: url.startsWith('https:') })),
  });
}

async function sendTo(origin: string, headers: readonly Header[], root: CDPSession, { sort }: Claims): Promise<void> {
  const given = new Set(headers.map(({ name }) => name.toLowerCase()));
  const go = (requestId: string, changed?: Protocol.Fetch.HeaderEntry[]): void => {
    root.send('Fetch.continueRequest', { requestId, ...(changed && { headers: changed }) }).catch(() => undefined);
  };
  root.on('Fetch.requestPaused', (paused) => {
    const { requestId, request } = paused;
    // The pattern is read more widely than it is meant by whoever reads patterns: the origin has the last word.
    if (originOf(request.url) !== origin) return go(requestId);
    const others = Object.entries(request.headers)
      .filter(([name]) => !given.has(name.toLowerCase()))
      .map(([name, value]) => ({ name, value }));
    sort(
      paused,
      () => go(requestId, [...others, ...headers]),
      () => go(requestId),
    );
  });
  await root.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*`, requestStage: 'Request' }] });
}

async function logInto(origin: string, { user, password }: Login, root: CDPSession, { sort }: Claims): Promise<void> {
  root.on('Fetch.requestPaused', ({ requestId }) => {
    root.send('Fetch.continueRequest', { requestId }).catch(() => undefined);
  });
  root.on('Fetch.authRequired', (asked) => {
    const { requestId, authChallenge } = asked;
    const answer = (authChallengeResponse: Protocol.Fetch.AuthChallengeResponse): void => {
      root.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => undefined);
    };
    const isOwn = authChallenge.source !== 'Proxy' && originOf(authChallenge.origin) === origin;
    if (!isOwn) return answer({ response: 'CancelAuth' });
    sort(
      asked,
      () => {
        answer({ response: 'ProvideCredentials', username: user, password });
        // Chrome knows the login from now on. What goes on being watched for would cost every request some milliseconds.
        root.send('Fetch.disable').catch(() => undefined);
      },
      () => answer({ response: 'Default' }),
    );
  });
  await root.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [{ urlPattern: `${origin}/*`, resourceType: 'Document' }],
  });
}

/** What is blocked never leaves the browser. The patterns are Quiesce's own: `*` for anything, open at their ends. */
function blockUrls(patterns: readonly string[]): BeforeStart {
  return (session) => {
    session.send('Network.setBlockedURLs', { urls: [...patterns] }).catch(() => undefined);
  };
}

const ignoreCertificateErrors: BeforeStart = (session) => {
  session.send('Security.setIgnoreCertificateErrors', { ignore: true }).catch(() => undefined);
};
