import { afterAll, beforeAll, expect, it } from 'vitest';
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
    '/items': '[]',
  }));
});
afterAll(() => site?.close());

async function timedRun(path: string) {
  const { result } = await auditInChrome({ targets: [`${site.origin}${path}`], evidence: true, format: ['json'] });
  const run = result.targets[0]?.runs.find(({ role }) => role === 'timed');
  const { at = Number.NaN, networkAt = Number.NaN, because } = run?.pageComplete ?? {};
  return { at, networkAt, because };
}

it.each(['/list', '/shadow'])(
  'dates what is drawn right after the last answer in a run that is not filmed: %s',
  async (path) => {
    const { at, networkAt, because } = await timedRun(path);
    expect(because).toBe('it had drawn the last of its content');
    expect(at - networkAt).toBeGreaterThan(55);
  },
);

it('takes work after which nothing is seen for no drawing', async () => {
  const { because } = await timedRun('/nothing');
  expect(because).not.toBe('it had drawn the last of its content');
});
