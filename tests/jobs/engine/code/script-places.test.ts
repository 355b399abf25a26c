import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { visitOf } from '../../../../src/core/measure.ts';
import { blockingScripts, nameOfTask } from '../../../../src/core/rendering/long-frames.ts';
import { withPlaces } from '../../../../src/jobs/engine/code/script-places.ts';
import { scriptSources } from '../../../../src/jobs/engine/code/script-sources.ts';
import type { LongFrameScript } from '../../../../src/model/metrics/metrics.ts';
import type { LoadOutcome } from '../../../../src/model/recording/lab.ts';
import type { FetchedScript } from '../../../../src/shell/source-maps/fetch.ts';
import { POLICY, page, recordingOf } from '../../../support/scripted.ts';

const folder = new URL('../../../../fixtures/pages/main-thread/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const SCRIPT = read('app.min.js');
const SHOP = 'https://shop.test/';
const APP = `${SHOP}app.min.js`;

const script = (more: Partial<LongFrameScript>): LongFrameScript => ({
  at: 10,
  duration: 80,
  url: APP,
  forced: 0,
  ...more,
});

function outcomeWith(...scripts: readonly LongFrameScript[]): LoadOutcome {
  const longFrames = [{ at: 10, duration: 90, blocking: 40, scripts }];
  const recording = recordingOf({ requests: page({ path: '/app.min.js', from: 0, to: 120 }), until: 4_000 });
  return { ok: true, recording: { ...recording, page: { finalUrl: SHOP, title: '', longFrames } } };
}

/** A server that counts how often it is asked. */
function serverOf(files: Readonly<Record<string, FetchedScript>>) {
  const asked: string[] = [];
  const sources = scriptSources((url) => {
    asked.push(url);
    return Promise.resolve(files[url]);
  });
  return { asked, sources };
}

const MAPPED: FetchedScript = { text: SCRIPT, map: { named: 'app.min.js.map', text: read('app.min.js.map') } };
/** Where the engine says that a function begins: at its parameters. */
const SUM_PRICES = SCRIPT.indexOf('function o(') + 'function o'.length;
const IN_SOURCE = {
  line: 1,
  column: SUM_PRICES + 1,
  source: { file: 'src/app.ts', line: 4, name: 'sumPrices' },
};

it('gives what ran in long frames its place in the source, in a load and in its steps', async () => {
  const { asked, sources } = serverOf({ [APP]: MAPPED });
  const step = { name: 'buy', policy: POLICY, outcome: outcomeWith(script({ name: 'o', position: SUM_PRICES })) };
  const load = outcomeWith(
    script({ name: 'o', position: SUM_PRICES }),
    script({ position: 0, invoker: APP, duration: 9 }),
  );
  const placed = await withPlaces({ ...load, steps: [step] } as LoadOutcome, sources);
  if (!placed.ok) throw new Error('the load failed');
  const [ran, evaluated] = placed.recording.page?.longFrames?.[0]?.scripts ?? [];
  expect(ran?.place).toEqual(IN_SOURCE);
  // The code of a file itself begins where the file does.
  expect(evaluated).not.toHaveProperty('place');
  const ofStep = placed.steps?.[0]?.outcome;
  expect(ofStep?.recording?.page?.longFrames?.[0]?.scripts[0]?.place).toEqual(IN_SOURCE);
  expect(asked).toEqual([APP]);

  const visit = visitOf(placed.recording, POLICY);
  expect(blockingScripts(visit)).toMatchObject([
    { url: APP, party: 'shop.test', thirdParty: false, longest: { name: 'o', ms: 80, place: IN_SOURCE } },
  ]);
  expect(nameOfTask({ at: 12, duration: 70 }, visit.recording.page?.longFrames)).toMatchObject({ place: IN_SOURCE });
});

it('of a function without a name, and without a map, says the line', async () => {
  const { sources } = serverOf({ [APP]: { text: 'one();\n  setTimeout(() => two());' } });
  const load = outcomeWith(script({ position: 'one();\n  setTimeout('.length, invoker: 'TimerHandler:setTimeout' }));
  const placed = await withPlaces(load, sources);
  expect(placed.recording?.page?.longFrames?.[0]?.scripts[0]?.place).toEqual({ line: 2, column: 14 });
});

it('asks for no script where nothing has a place, and leaves what cannot be read as it was', async () => {
  const { asked, sources } = serverOf({});
  const nothing = outcomeWith(script({}), script({ url: '', position: 7 }), script({ url: SHOP, position: 7 }));
  expect(await withPlaces(nothing, sources)).toEqual(nothing);
  expect(asked).toEqual([]);
  const lost = outcomeWith(script({ name: 'o', position: 7 }));
  expect(await withPlaces(lost, sources)).toEqual(lost);
});

it('keeps the scripts that were asked for last', async () => {
  const { asked, sources } = serverOf({ [APP]: MAPPED });
  for (let i = 0; i < 100; i++) await sources([{ url: `${SHOP}${i}.js` }, { url: APP }]);
  expect(asked.filter((url) => url === APP)).toEqual([APP]);
  await sources([{ url: `${SHOP}0.js` }]);
  expect(asked.filter((url) => url === `${SHOP}0.js`)).toHaveLength(2);
});

it('says why a map was not read', async () => {
  const { sources } = serverOf({
    [APP]: { text: SCRIPT, map: { named: 'app.min.js.map', text: '<!doctype html>' } },
    [`${SHOP}b.js`]: { text: '', map: { named: 'b.js.map', reason: { code: 'status', status: 404 } } },
  });
  const found = await sources([{ url: APP }, { url: `${SHOP}b.js` }]);
  expect([...found.values()].map(({ unread }) => unread)).toEqual([
    { url: APP, map: 'app.min.js.map', reason: { code: 'no-map' } },
    { url: `${SHOP}b.js`, map: 'b.js.map', reason: { code: 'status', status: 404 } },
  ]);
});
