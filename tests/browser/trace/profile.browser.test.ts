import { expect, it } from 'vitest';
import { startFixtureServer } from '../../../fixtures/server.ts';
import { readCodeProfile } from '../../../src/core/main-thread/code-profile.ts';
import { lookupsIn, scriptSources } from '../../../src/jobs/engine/code/script-sources.ts';
import { fetchScript } from '../../../src/shell/source-maps/fetch.ts';
import { functionInWords } from '../../../src/wording/main-thread.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

it('a profiled load has each function from the first script on, in the process of the page', async () => {
  const [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
  const url = server.url('main-thread');
  const { profile, observedUntil } = await recordIn(lab, url, QUICK, { profile: true });
  if (!profile) throw new Error('nothing was profiled');
  const read = scriptSources((address) => fetchScript(address, new AbortController().signal));
  const sources = lookupsIn(await read([{ url: new URL('app.min.js', url).href }]));
  await server.close();
  const functions = readCodeProfile(profile, { until: observedUntil, pageUrl: url, sources }).flatMap((script) =>
    script.functions.map((each) => functionInWords(script.url, each)),
  );
  expect(functions).toEqual(
    expect.arrayContaining([
      'renderWidget (vendor.js:2)',
      'sumPrices (src/app.ts:4)',
      'drawChart (node_modules/tiny-chart/index.ts:1)',
    ]),
  );
});
