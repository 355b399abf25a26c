import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeOn, listenOn, portOf } from '../../../fixtures/listen.ts';
import { auditInChrome } from '../../support/chrome.ts';

/** Between two pictures: longer than the quiet window, and so short that the second one comes within that of the text. */
const PERIOD_MS = 1_400;
const TEXT_MS = 600;
const QUIET_WINDOW = 1_000;

const PAGE = `<!doctype html><title>Postcards</title><link rel="icon" href="data:,">
<h1>Postcards</h1><img width="640" height="360" alt=""><p></p>
<script type="module">
  const cards = ['dawn', 'harbour', 'ladder', 'meadow', 'night', 'orchard', 'pier', 'quarry', 'rain', 'summit'];
  const next = () => {
    document.querySelector('img').src = cards[0] + '.svg';
    cards.push(cards.shift());
    setTimeout(next, ${PERIOD_MS});
  };
  next();
  document.querySelector('p').textContent = await (await fetch('text')).text();
</script>`;

let servers: readonly Server[];
let url: string;
beforeAll(async () => {
  servers = await listenOn(
    () =>
      createServer(async ({ url: path = '/' }, response) => {
        if (path === '/') return void response.setHeader('content-type', 'text/html').end(PAGE);
        if (path === '/text') {
          await pause(TEXT_MS);
          return void response.end('Ten views, all taken before breakfast.');
        }
        response.setHeader('content-type', 'image/svg+xml');
        response.end(
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 360"><rect width="640" height="360" fill="hsl(${(path.charCodeAt(1) * 47) % 360} 60% 60%)"/></svg>`,
        );
      }),
    0,
  );
  url = `http://127.0.0.1:${portOf(servers)}/`;
});
afterAll(() => closeOn(servers));

it('a carousel that shows another picture by name is background also in runs that see only two of them', async () => {
  const { result } = await auditInChrome({
    targets: [url],
    quietWindow: QUIET_WINDOW,
    runs: 2,
    evidence: true,
    fullWindow: true,
  });
  const runs = result.targets[0]?.runs ?? [];
  const timed = runs.filter(({ role }) => role === 'timed');
  expect(timed).toHaveLength(2);
  for (const { pageComplete } of runs.filter(({ role }) => role !== 'ablation')) {
    expect(pageComplete?.state).toBe('complete');
    expect(pageComplete?.reason).toMatchObject({ code: 'response', url: `${url}text` });
  }
  // The second picture came while the page was watched, and ended nothing.
  for (const { background } of timed) {
    expect(background?.map(({ kind, endpoint }) => `${kind} ${endpoint}`)).toEqual([`poll GET ${url}harbour.svg`]);
  }
});
