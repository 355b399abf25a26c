import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAUSE_KINDS, type CauseServer, lineOf, startCauseServer } from '../../../fixtures/causes.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import type { ShownCause } from '../../../src/model/causes.ts';
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

/** Kinds of which the trace does not tell, at most. */
const UNKNOWN_SHARE = 0.2;

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

it('an untimed load shows what made the page ask, or does not know; it is never wrong', async () => {
  const { causes = [], trace } = await recordIn(lab, server.url, QUICK, { film: true, trace: true });
  const asked = new Map(causes.map((cause) => [pathOf(cause.url), cause]));
  const said = CAUSE_KINDS.map((kind) => ({ kind, shown: asked.get(`/asked?k=${kind.name}`) }));
  expect(said.filter(({ shown }) => shown === undefined).map(({ kind }) => kind.name)).toEqual([]);

  const isKnown = ({ cause, byUrl }: ShownCause): boolean => cause !== 'unknown' && byUrl !== undefined;
  const known = said.flatMap(({ kind, shown }) => (shown !== undefined && isKnown(shown) ? [{ kind, shown }] : []));
  const wrong = known.filter(
    ({ kind, shown }) =>
      shown.cause !== kind.cause ||
      pathOf(shown.byUrl ?? '') !== kind.by ||
      (kind.inKinds && shown.place !== undefined && shown.place.line !== lineOf(kind.name)),
  );
  expect(wrong.map(({ kind, shown }) => [kind.name, shown])).toEqual([]);

  expect(CAUSE_KINDS.length).toBeGreaterThanOrEqual(40);
  const unknown = said.filter(({ shown }) => shown === undefined || !isKnown(shown)).map(({ kind }) => kind.name);
  expect(unknown.length, unknown.join(', ')).toBeLessThanOrEqual(CAUSE_KINDS.length * UNKNOWN_SHARE);
  // The debugger's events are read, and not kept.
  expect(JSON.stringify(trace?.events ?? []).includes('v8::Debugger')).toBe(false);
});
