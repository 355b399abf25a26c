import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeOn, listenOn, portOf } from '../../../fixtures/listen.ts';
import type { RunResult } from '../../../src/model/result.ts';
import { auditInChrome } from '../../support/chrome.ts';
import { requestsOf } from '../../support/path-steps.ts';

const TEXT_MS = 600;
const QUIET_WINDOW = 1_000;
/** Between two pictures: longer than the quiet window, and so short that the second one comes within that of the text. */
const SLOW_MS = 1_400;
/** Shorter: the network is never silent for a whole window before all have come. */
const QUICK_MS = 800;

const pageWith = (cards: readonly string[], period: number): string => `<!doctype html><title>Postcards</title>
<link rel="icon" href="data:,"><h1>Postcards</h1><img width="640" height="360" alt=""><p></p>
<script type="module">
  const cards = ${JSON.stringify(cards)};
  const next = () => {
    document.querySelector('img').src = cards[0] + '.svg';
    cards.push(cards.shift());
    setTimeout(next, ${period});
  };
  next();
  document.querySelector('p').textContent = await (await fetch('text')).text();
</script>`;

const CARDS = ['dawn', 'harbour', 'ladder', 'meadow', 'night', 'orchard', 'pier', 'quarry', 'rain', 'summit'];
const PAGES: Readonly<Record<string, string>> = {
  '/slow': pageWith(CARDS, SLOW_MS),
  '/few': pageWith(CARDS.slice(0, 3), QUICK_MS),
};

let servers: readonly Server[];
let url: string;
beforeAll(async () => {
  servers = await listenOn(
    () =>
      createServer(async ({ url: path = '/' }, response) => {
        const page = PAGES[path];
        if (page !== undefined) return void response.setHeader('content-type', 'text/html').end(page);
        if (path === '/text') {
          await pause(TEXT_MS);
          return void response.end('Ten views, all taken before breakfast.');
        }
        response.setHeader('content-type', 'image/svg+xml').setHeader('cache-control', 'max-age=600');
        response.end(
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="hsl(${(path.charCodeAt(1) * 47) % 360} 60% 60%)"/></svg>`,
        );
      }),
    0,
  );
  url = `http://127.0.0.1:${portOf(servers)}/`;
});
afterAll(() => closeOn(servers));

/** Both timed runs, each of which was complete with the text. */
async function timedRunsOf(page: string) {
  const { result } = await auditInChrome({
    targets: [url + page],
    quietWindow: QUIET_WINDOW,
    runs: 2,
    evidence: true,
    fullWindow: true,
  });
  const runs = result.targets[0]?.runs ?? [];
  const timed = runs.filter(({ role }) => role === 'timed');
  expect(timed).toHaveLength(2);
  timed.forEach(expectText);
  return { timed, evidence: runs.find(({ role }) => role === 'evidence') };
}

/** It was complete with the text: nothing came later that it needed, and the text was the last that it drew. */
function expectText(run: RunResult | undefined) {
  expect(run?.pageComplete).toMatchObject({ state: 'complete', reason: { code: 'drawn' } });
  expect(requestsOf(run?.criticalPath).at(-1)?.url).toBe(`${url}text`);
}

it('a carousel that shows another picture by name is background also in runs that see only two of them', async () => {
  const { timed, evidence } = await timedRunsOf('slow');
  expectText(evidence);
  // The second picture came while the page was watched, and ended nothing.
  for (const { background } of timed) {
    expect(background?.map(({ kind, endpoint }) => `${kind} ${endpoint}`)).toEqual([`poll GET ${url}harbour.svg`]);
  }
});

it('a carousel that has loaded all its pictures, and goes on to show them, is background too', async () => {
  const { timed, evidence } = await timedRunsOf('few');
  expectText(evidence);
  for (const { background } of timed) {
    expect(background?.[0]).toMatchObject({ kind: 'poll', endpoint: `GET ${url}harbour.svg` });
  }
});
