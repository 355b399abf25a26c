import type { CDPSession, Protocol } from 'puppeteer-core';
import { stateAt } from '../../core/access/storage-state.ts';
import { defined } from '../../core/text/defined.ts';
import type { Access } from '../../model/access.ts';
import type { Failure } from '../../model/result/failure.ts';
import type { StateCookie, StorageState } from '../../model/storage-state.ts';
import { failure } from '../../wording/result/failure.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { firstLine } from '../connect/first-line.ts';
import type { Profile } from '../connect/profile.ts';
import type { BeforeStart } from '../record/targets.ts';
import { closePages } from './close-pages.ts';
import { fillSession, fillStorage } from './fill-storage.ts';

/** A name that no server has. Source: RFC 6761, 6.4. */
const NOWHERE = 'http://quiesce.invalid/';

/**
 * Puts cookies, local storage and databases of an earlier visit into a fresh profile. Storage belongs to origins, so it is
 * written by an empty document of each, which no server sends: the navigation begins at a name that does not exist, and its
 * redirect and the document are answered here, so that Chrome opens no connection that the load would find open. The page
 * is closed before the load.
 *
 * @returns the failure, where the browser does not take it
 */
export async function restoreState(
  browser: RunningBrowser,
  profile: Profile,
  { url, access }: { readonly url: string; readonly access?: Access },
): Promise<Failure | undefined> {
  if (!access?.state) return undefined;
  const state = stateAt(url, access.state);
  const { browserContextId, root } = profile;
  const cookies = state.cookies.map(cookieParam);
  if (cookies.length > 0) await root.send('Storage.setCookies', { browserContextId, cookies });
  const origins = state.origins.filter(
    ({ localStorage, indexedDB = [] }) => localStorage.length + indexedDB.length > 0,
  );
  if (origins.length === 0) return undefined;
  const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
  try {
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const page = browser.session(sessionId);
    if (page === undefined) throw new Error('the page has no session');
    const answers = answerItself(page);
    await page.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
    for (const origin of origins) {
      const problem = await fill(page, origin, answers);
      if (problem !== undefined) return failure('storage-state-refused', { url: origin.origin, detail: problem });
    }
    return undefined;
  } finally {
    await closePages(browserContextId, root);
  }
}

/** What is to be done in the load's own tabs: their session storage is filled. */
export function restoreSession(url: string, access: Access | undefined): readonly BeforeStart[] {
  const origins = access?.state ? stateAt(url, access.state).origins : [];
  const sources = origins.flatMap(({ origin, sessionStorage = [] }) =>
    sessionStorage.length === 0 ? [] : `(${fillSession})(${JSON.stringify(origin)}, ${JSON.stringify(sessionStorage)})`,
  );
  if (sources.length === 0) return [];
  return [
    (session, kind) => {
      if (kind !== 'page' && kind !== 'iframe') return;
      const source = sources.join(';\n');
      session.send('Page.addScriptToEvaluateOnNewDocument', { source }).catch(() => undefined);
    },
  ];
}

/** Where the next navigation is to lead. */
interface Answers {
  origin: string;
}

function answerItself(page: CDPSession): Answers {
  const answers: Answers = { origin: '' };
  page.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isStart = request.url === NOWHERE;
    const answer: Protocol.Fetch.FulfillRequestRequest = isStart
      ? { requestId, responseCode: 302, responseHeaders: [{ name: 'Location', value: `${answers.origin}/` }] }
      : { requestId, responseCode: 200, responseHeaders: [{ name: 'Content-Type', value: 'text/html' }] };
    page.send('Fetch.fulfillRequest', answer).catch(() => undefined);
  });
  return answers;
}

/** Undefined when it is done, else what went wrong, without values. */
async function fill(
  page: CDPSession,
  { origin, localStorage, indexedDB }: StorageState['origins'][number],
  answers: Answers,
): Promise<string | undefined> {
  answers.origin = origin;
  const { errorText } = await page.send('Page.navigate', { url: NOWHERE });
  if (errorText !== undefined) return errorText;
  const given = JSON.stringify(defined({ localStorage, indexedDB }));
  const { exceptionDetails } = await page.send('Runtime.evaluate', {
    expression: `(${fillStorage})(${given})`,
    awaitPromise: true,
    returnByValue: true,
  });
  return exceptionDetails && firstLine(exceptionDetails.exception?.description ?? exceptionDetails.text);
}

function cookieParam(cookie: StateCookie): Protocol.Network.CookieParam {
  const { name, value, domain, path, expires = -1, httpOnly, secure, sameSite, partitionKey } = cookie;
  // Without a domain a cookie is sent to its host alone. Source: RFC 6265, 5.3.
  const place = domain.startsWith('.') ? { domain } : { url: `${secure ? 'https' : 'http'}://${domain}/` };
  const partition = partitionKey && { topLevelSite: partitionKey, hasCrossSiteAncestor: false };
  return {
    ...{ name, value, path, ...place },
    ...defined({ httpOnly, secure, sameSite, partitionKey: partition || undefined }),
    ...(expires > 0 && { expires }),
  };
}
