import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { DESKTOP } from '../../../src/core/conditions/devices.ts';
import { type AuditOptions, loadOptionsOf } from '../../support/jobs.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Mirror, startMirror } from '../mirror.ts';

const policy = { ...QUICK, quietWindow: 1_500 };
const EVERYWHERE = ['frame', 'page', 'service', 'shared', 'worker'];

let lab: ChromeLab;
let mirror: Mirror;
beforeAll(async () => {
  lab = await sharedLab();
});
afterEach(() => mirror?.close());
afterAll(() => lab?.close());

async function load(settings: AuditOptions, options: Parameters<typeof startMirror>[0] = {}) {
  mirror = await startMirror(options);
  const recording = await recordIn(lab, mirror.url, policy, loadOptionsOf(settings));
  expect([...mirror.said.keys()].sort()).toEqual(EVERYWHERE);
  const heard = mirror.said;
  return { recording, said: (who: string) => heard.get(who) ?? {} };
}

it('is an ordinary desktop when nothing is asked for', async () => {
  const { said, recording } = await load({});
  expect(said('page')).toMatchObject({
    width: DESKTOP.width,
    height: DESKTOP.height,
    ratio: 1,
    touch: 0,
    coarse: false,
  });
  expect(recording.incidents).toEqual([]);
});

it('is a phone for the page, its frames, its workers and every server', async () => {
  const { said } = await load({ device: 'phone' });
  expect(said('page')).toMatchObject({ width: 412, ratio: 1.75, coarse: true });
  expect(said('page').touch).toBeGreaterThan(0);
  const major = /\/(\d+)/.exec(lab.product)?.[1];
  for (const who of ['page', 'frame', 'worker']) {
    expect(said(who)).toMatchObject({ hints: { mobile: true, platform: 'Android' } });
    expect(said(who).userAgent).toBe(
      `Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Mobile Safari/537.36`,
    );
  }
  const others = mirror.seen.filter(
    ({ headers, path }) => !headers['user-agent']?.includes('moto g') && path !== '/service.js',
  );
  expect(others.map(({ path }) => path)).toEqual([]);
  expect(mirror.to('/')[0]?.headers).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' });
});

it('is where and when it was told to be', async () => {
  const { said } = await load({ locale: 'de-de', timezone: 'asia/tokyo', geolocation: '52.52,13.4' }, { place: true });
  for (const who of EVERYWHERE) expect(said(who)).toMatchObject({ timezone: 'Asia/Tokyo', format: '1,5' });
  for (const who of ['page', 'frame', 'worker']) expect(said(who).language).toBe('de-DE');
  expect(said('page').place).toEqual([52.52, 13.4]);
  expect(mirror.to('/')[0]?.headers['accept-language']).toMatch(/^de-DE/);
  // A language alone leaves the browser what it is.
  expect(mirror.to('/')[0]?.headers['sec-ch-ua']).toContain('Chromium');
  expect(said('page').userAgent).toBe(lab.userAgent);
});

it('introduces itself as it was told to, word for word', async () => {
  const { said } = await load({ userAgent: 'Prober/1 Chrome/1.2.3.4' });
  for (const who of ['page', 'frame', 'worker']) expect(said(who).userAgent).toBe('Prober/1 Chrome/1.2.3.4');
});

it('says that a slower processor does not hold for workers', async () => {
  const { recording, said } = await load({ cpu: 6 }, { counts: true });
  expect(recording.incidents).toMatchObject([{ code: 'cpu-not-in-workers', facts: { cpu: 6 } }]);
  // Beside two programs that never rest, five turns of the page were seen as short as unthrottled ones, and five of the worker
  // seven times as long: only many turns show what holds.
  const counted = (who: string) => said(who).counted as { readonly least: number; readonly mean: number };
  expect(counted('page').mean).toBeGreaterThan(2 * counted('worker').least);
});

describe('a refusal', () => {
  it('is a failure that says what was refused', async () => {
    mirror = await startMirror();
    const { conditions, access } = loadOptionsOf({ device: 'phone' });
    const outcome = await lab.record(
      { url: mirror.url, policy, content: false, access, conditions: { ...conditions, timezone: 'Nowhere/Atall' } },
      new AbortController().signal,
    );
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'conditions-refused' } });
    expect(mirror.seen).toEqual([]);
  });
});
