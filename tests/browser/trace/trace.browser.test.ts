import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { lookupsIn, scriptSources } from '../../../src/jobs/engine/code/script-sources.ts';
import { fetchScript } from '../../../src/shell/source-maps/fetch.ts';
import { functionInWords } from '../../../src/wording/main-thread.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { serve } from '../site.ts';

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

it('a traced load says which script, which function and where', async () => {
  const url = server.url('main-thread');
  const { trace, page, observedUntil } = await recordIn(lab, url, QUICK, { trace: true });
  if (!trace || !page) throw new Error('nothing was traced');
  const app = new URL('app.min.js', url).href;
  const read = scriptSources((address) => fetchScript(address, new AbortController().signal));
  const found = readMainThread(trace.events, {
    ...trace,
    until: observedUntil,
    pageUrl: page.finalUrl,
    sources: lookupsIn(await read([{ url: app }])),
  });
  const script = (file: string) => found?.byScript.find((each) => each.url.endsWith(`/${file}`));
  const names = (file: string) => script(file)?.functions.map((each) => functionInWords(file, each));
  expect(script('vendor.js')).toMatchObject({ thirdParty: true, party: 'localhost' });
  expect(script('vendor.js')?.functions[0]).toMatchObject({ name: 'renderWidget', line: 2, column: 22 });
  expect(names('app.min.js')?.slice(0, 2).toSorted()).toEqual([
    'drawChart (node_modules/tiny-chart/index.ts:1)',
    'sumPrices (src/app.ts:4)',
  ]);
  expect(script('app.min.js')?.byPackage?.map((each) => each.package)).toEqual(['tiny-chart']);
  expect(found?.forcedLayouts?.count).toBeGreaterThanOrEqual(40);
  expect(found?.forcedLayouts?.place).toEqual({
    url: new URL('layout.js', url).href,
    name: 'measureCards',
    line: 2,
    column: 22,
  });
});

const AWAITS = `async function draw() {
  await (await fetch('answer.json')).json();
  for (const until = performance.now() + 60; performance.now() < until; ) Math.sqrt(2);
  for (const row of document.querySelectorAll('p')) row.style.height = row.offsetHeight + 1 + 'px';
}
void draw();`;

it('what runs after an awaited answer is a script, and layouts in it are forced', async () => {
  const site = await serve(() => ({
    '/': `<link rel="icon" href="data:,"><script defer src="app.js"></script>${'<p>A row</p>'.repeat(30)}`,
    '/app.js': (response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(AWAITS),
    '/answer.json': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  }));
  try {
    const { trace, page, observedUntil } = await recordIn(lab, `${site.origin}/`, QUICK, { trace: true });
    if (!trace || !page) throw new Error('nothing was traced');
    const found = readMainThread(trace.events, { ...trace, until: observedUntil, pageUrl: page.finalUrl });
    const draw = found?.byScript.flatMap(({ functions }) => functions).find(({ name }) => name === 'draw');
    expect(draw).toMatchObject({ line: 1, column: 20 });
    expect(found?.forcedLayouts?.place).toMatchObject({ name: 'draw' });
    expect(found?.forcedLayouts?.count).toBeGreaterThan(20);
  } finally {
    await site.close();
  }
});
