import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TargetResult } from '../../../src/model/result/result.ts';
import { type Site, serve } from '../../browser/site.ts';
import { auditInChrome } from '../../support/chrome.ts';

/** A list that takes its time after the answer, but too little for a film to date it. */
const pageThat = (draws: string): string => `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<h1>A shop with a long name, so that its heading is the largest that is painted</h1><main></main>
<script type="module">
  const work = (ms) => { for (const from = performance.now(); performance.now() - from < ms; ); };
  const list = Array.from({ length: 8 }, (_, i) => '<p>Product ' + i + '</p>').join('');
  const main = document.querySelector('main');
  main.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await painted();
  await painted();
  await (await fetch('/items')).text();
  ${draws}
</script>`;

let site: Site;
beforeAll(async () => {
  site = await serve(() => ({
    '/list': pageThat(`work(60); main.append('Eight products');`),
    '/shadow': pageThat(`work(60); main.shadowRoot.innerHTML = list;`),
    '/nothing': pageThat(`work(60); main.ariaBusy = 'false';`),
    '/button': `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><button>Show</button><main></main>
      <script type="module">
        document.querySelector('button').onclick = async () => {
          await (await fetch('/items-later')).text();
          for (const from = performance.now(); performance.now() - from < 60; );
          document.querySelector('main').textContent = 'Eight products';
        };
      </script>`,
    '/items': '[]',
    // The script's click has been done by then, also on a busy machine.
    '/items-later': (response) => {
      setTimeout(() => response.end('[]'), 500);
    },
  }));
});
afterAll(() => site?.close());

async function auditOf(path: string, more: { evidence?: boolean; script?: string }) {
  const { result } = await auditInChrome({ targets: [`${site.origin}${path}`], format: ['json'], ...more });
  return result.targets;
}

function timedRun(target: TargetResult | undefined) {
  const run = target?.runs.find(({ role }) => role === 'timed');
  const { at = Number.NaN, networkAt = Number.NaN, because } = run?.pageComplete ?? {};
  return { at, networkAt, because };
}

it.each(['/list', '/shadow'])(
  'dates what is drawn right after the last answer in a run that is not filmed: %s',
  async (path) => {
    const { at, networkAt, because } = timedRun((await auditOf(path, { evidence: true }))[0]);
    expect(because).toBe('the last event was the final paint of content');
    expect(at - networkAt).toBeGreaterThan(55);
  },
);

it('takes work after which nothing is seen for no drawing', async () => {
  const { because } = timedRun((await auditOf('/nothing', { evidence: true }))[0]);
  expect(because).not.toBe('the last event was the final paint of content');
});

it('dates what a step draws at once, where its script waits for nothing', async () => {
  const script = fileURLToPath(new URL('./scripts/click.ts', import.meta.url));
  const [, step] = await auditOf('/button', { script });
  const { at, networkAt, because } = timedRun(step);
  expect(because).toBe('the last event was the final paint of content');
  expect(at).toBeGreaterThan(networkAt);
});
