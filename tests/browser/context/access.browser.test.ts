import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTroubleServer } from '../../../fixtures/trouble.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { authorizationOf } from '../../../src/core/access/headers.ts';
import { DESKTOP } from '../../../src/core/conditions/devices.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Access } from '../../../src/model/access.ts';
import type { Conditions } from '../../../src/model/host/conditions.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Mirror, startMirror } from '../mirror.ts';

const LOGIN = { user: 'ann', password: 'pässwörd:1' };
const ACCESS: Access = {
  headers: [{ name: 'X-Preview', value: 'CANARY-HEADER' }],
  cookies: [{ name: 'session', value: 'CANARY-COOKIE' }],
  block: [],
  ignoreCertificateErrors: false,
};
const WARM: Conditions = { device: DESKTOP, cpu: 1, view: 'warm' };
const policy = { ...QUICK, quietWindow: 1_500 };

let lab: ChromeLab;
let mirror: Mirror;
beforeAll(async () => {
  lab = await sharedLab();
});
afterEach(() => mirror?.close());
afterAll(() => lab?.close());

it('sends headers with every request to the own origin, and to no other', async () => {
  mirror = await startMirror();
  await recordIn(lab, mirror.url, policy, { access: ACCESS });
  expect([...mirror.said.keys()].sort()).toEqual(['frame', 'page', 'service', 'shared', 'worker']);
  const own = mirror.seen.filter(({ site }) => site === 'own');
  const third = mirror.seen.filter(({ site }) => site === 'third');
  for (const who of ['page', 'frame', 'worker', 'shared', 'service']) {
    expect(mirror.to(`/own-from-${who}`)).toHaveLength(1);
    expect(mirror.to(`/third-from-${who}`)).toHaveLength(1);
  }
  expect(own.filter(({ headers }) => headers['x-preview'] !== 'CANARY-HEADER').map(({ path }) => path)).toEqual([]);
  expect(mirror.to('/redirected')).toHaveLength(1);
  for (const { headers } of third) {
    expect(headers['x-preview']).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
  }
  // Third parties are not asked for leave because of us.
  expect(mirror.seen.filter(({ method }) => method === 'OPTIONS')).toEqual([]);
  expect(mirror.to('/own-from-page')[0]?.headers.cookie).toBe('session=CANARY-COOKIE');
});

it.each([
  ['alone', { ...ACCESS, headers: [], basicAuth: LOGIN }],
  ['with headers', { ...ACCESS, basicAuth: LOGIN }],
])('logs into the own origin, and into no other: %s', async (_, access) => {
  const login = authorizationOf(LOGIN).value;
  mirror = await startMirror({ login });
  await recordIn(lab, mirror.url, policy, { access });
  // As in any browser, a frame of another site is not logged in for.
  expect([...mirror.said.keys()].sort()).toEqual(['page', 'service', 'shared', 'worker']);
  expect(mirror.to('/own-from-frame').map(({ headers }) => headers.authorization)).toEqual([undefined]);
  // Asked once, and remembered.
  expect(mirror.to('/').map(({ headers }) => headers.authorization)).toEqual([undefined, login]);
  expect(mirror.to('/own-from-page').at(-1)?.headers.authorization).toBe(login);
  expect(mirror.to('/third-from-page')).toHaveLength(1);
  expect(mirror.seen.filter(({ site, headers }) => site === 'third' && headers.authorization !== undefined)).toEqual(
    [],
  );
});

it('logs into every load of a browser, when several are asked at the same time', async () => {
  mirror = await startMirror({ login: authorizationOf(LOGIN).value });
  const access = { ...ACCESS, basicAuth: LOGIN };
  // Three pages at once start their workers slowly on a busy machine; the page is silent meanwhile.
  const patient = { ...policy, quietWindow: 3_000 };
  const loads = [1, 2, 3].map(() =>
    lab.record({ url: mirror.url, policy: patient, content: false, access }, new AbortController().signal),
  );
  expect((await Promise.all(loads)).map(({ ok }) => ok)).toEqual([true, true, true]);
  // The last that the page does.
  expect(mirror.to('/tell?page')).toHaveLength(3);
});

it('says that the server wants a login when it was given the wrong one', async () => {
  mirror = await startMirror({ login: 'Basic other' });
  const outcome = await lab.record(
    { url: mirror.url, policy, content: false, access: { ...ACCESS, basicAuth: LOGIN } },
    new AbortController().signal,
  );
  expect(outcome).toMatchObject({
    ok: false,
    failure: { code: 'http-error', message: expect.stringContaining('401') },
  });
  expect(mirror.to('/').length).toBeLessThanOrEqual(2);
});

it('loads a page whose certificate is not valid on request', async () => {
  const server = await startTroubleServer();
  const load = (ignoreCertificateErrors: boolean) =>
    lab.record(
      { url: server.tlsUrl, policy, content: false, access: { ...ACCESS, cookies: [], ignoreCertificateErrors } },
      new AbortController().signal,
    );
  try {
    expect(await load(false)).toMatchObject({
      ok: false,
      failure: { code: 'tls-invalid', message: expect.stringContaining('--ignore-certificate-errors') },
    });
    expect(await load(true)).toMatchObject({ ok: true });
  } finally {
    await server.close();
  }
});

it('leaves headers behind when the page itself is redirected to another origin', async () => {
  mirror = await startMirror();
  await recordIn(lab, `${mirror.url}start`, policy, { access: { ...ACCESS, basicAuth: LOGIN } });
  expect(mirror.to('/start')[0]?.headers).toMatchObject({ 'x-preview': 'CANARY-HEADER' });
  const [landed] = mirror.to('/landed');
  expect(landed?.headers['x-preview']).toBeUndefined();
  expect(landed?.headers.authorization).toBeUndefined();
  expect(landed?.headers.cookie).toBeUndefined();
});

it('refuses blocked requests inside the browser, whoever asks', async () => {
  mirror = await startMirror();
  const recording = await recordIn(lab, mirror.url, policy, {
    access: { ...ACCESS, block: ['/blocked/', 'script.js?x=bl*ed', `${mirror.third}/pic*`] },
  });
  expect(mirror.seen.filter(({ path }) => /blocked|picture/.test(path)).map(({ path }) => path)).toEqual([]);
  expect([...mirror.said].map(([who, { refused }]) => [who, refused]).sort()).toEqual(
    ['frame', 'page', 'service', 'shared', 'worker'].map((who) => [who, 'refused']),
  );
  expect(mirror.to('/kept.js')).toHaveLength(1);
  const { requests } = foldTimeline(recording.events, recording.marks, recording.observedUntil);
  const blocked = requests.filter(({ url }) => /blocked|picture/.test(url));
  expect(blocked.map(({ outcome }) => outcome)).toEqual(blocked.map(() => 'blocked'));
  expect(blocked).toHaveLength(7);
});

it('keeps headers with suspects held back and on a warm view', async () => {
  mirror = await startMirror();
  await recordIn(lab, mirror.url, policy, { access: ACCESS, conditions: WARM, hold: ['/beacon'] });
  // Chrome itself looks whether a service worker has changed: that is no request of the page's, and carries no header.
  const own = mirror.seen.filter(({ site, path }) => site === 'own' && path !== '/service.js');
  expect(own.filter(({ headers }) => headers['x-preview'] !== 'CANARY-HEADER')).toEqual([]);
  // The first visit sends it, in the second one it is held.
  expect(mirror.to('/beacon')).toHaveLength(1);
  expect(mirror.to('/')).toHaveLength(2);
});
