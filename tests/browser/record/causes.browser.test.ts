import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAUSE_KINDS, type CauseServer, lineOf, startCauseServer } from '../../../fixtures/causes.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { causesIn, knownCausesOf } from '../../../src/core/causes/lookup.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let server: CauseServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startCauseServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

/** Kinds of which nothing is known, at most. */
const UNKNOWN_SHARE = 0.2;

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** What is said of each kind, as far as something is, beside the truth. */
function saidOf(visit: Visit) {
  const causeOf = causesIn(visit);
  const asked = new Map(visit.timeline.requests.map((request) => [pathOf(request.url), request]));
  const unasked = CAUSE_KINDS.filter(({ name }) => !asked.has(`/asked?k=${name}`)).map(({ name }) => name);
  const said = CAUSE_KINDS.flatMap((kind) => {
    const request = asked.get(`/asked?k=${kind.name}`);
    const { cause, by, place } = (request && causeOf(request)) ?? { cause: 'unknown' };
    return cause === 'unknown' || by === undefined ? [] : [{ kind, cause, by: pathOf(by.url), place }];
  });
  const wrong = said.filter(
    ({ kind, cause, by, place }) =>
      cause !== kind.cause ||
      by !== kind.by ||
      (kind.inKinds && place !== undefined && place.line !== lineOf(kind.name)),
  );
  const names = new Set(said.map(({ kind }) => kind.name));
  return { unasked, wrong, unknown: CAUSE_KINDS.map(({ name }) => name).filter((name) => !names.has(name)) };
}

it('an untimed load shows what made the page ask, or does not know; it is never wrong, and timed loads use it', async () => {
  const untimed = await recordIn(lab, server.url, QUICK, { film: true, trace: true });
  const visit = visitOf(untimed, QUICK);
  const shown = saidOf(visit);
  expect(CAUSE_KINDS.length).toBeGreaterThanOrEqual(40);
  expect(shown.unasked).toEqual([]);
  expect(shown.wrong).toEqual([]);
  expect(shown.unknown.length, shown.unknown.join(', ')).toBeLessThanOrEqual(CAUSE_KINDS.length * UNKNOWN_SHARE);
  // The debugger's events are read, and not kept.
  expect(JSON.stringify(untimed.trace?.events ?? []).includes('v8::Debugger')).toBe(false);

  const causes = knownCausesOf(untimed.causes ?? [], visit.timeline);
  const timed = await recordIn(lab, server.url, QUICK);
  expect(timed.causes).toBeUndefined();
  const known = saidOf(visitOf(timed, QUICK, { causes }));
  expect(known.wrong).toEqual([]);
  expect(known.unknown.length, known.unknown.join(', ')).toBeLessThanOrEqual(CAUSE_KINDS.length * UNKNOWN_SHARE);
});
