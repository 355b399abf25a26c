import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderHtml } from '../../../src/reporters/html/index.tsx';
import { type Site, serve } from '../../browser/site.ts';
import { openReportBrowser, type ReportBrowser } from '../../reporters/report-browser.ts';
import { auditInChrome } from '../../support/chrome.ts';

const BREAK =
  '</script></title></style><script>globalThis.taken = true</script><img src=x onerror="globalThis.taken=1">';
const TURNED = '\u202egpj.exe\u2066\u0000';

/** A page that tries to get into the report by everything that a report shows of it. */
const page = (crossOrigin: string): string => `<!doctype html><meta charset="utf-8">
<title>${BREAK.replaceAll('<', '&lt;')}${TURNED}</title><link rel="icon" href="data:,">
<a href="javascript:globalThis.taken=1">a link</a>
<script>
  const odd = ${JSON.stringify(BREAK + TURNED).replaceAll('<', '\\u003c')};
  const ask = (url, more) => fetch(url, more).then((answer) => answer.text()).catch(() => undefined);
  ask('/long/' + 'way/'.repeat(25_000));
  ask('/odd/' + odd + '?q=' + encodeURIComponent(odd));
  ask('${crossOrigin}/%E2%80%AEgpj.exe?' + odd);
  ask('/header');
  const frame = document.createElement('iframe');
  frame.src = 'javascript:"<script>1<" + "/script>"';
  document.body.append(frame);
  new EventSource('/stream/' + odd);
  setInterval(() => ask('/poll/' + odd), 300);
</script>`;

let site: Site;
let browser: ReportBrowser;
beforeAll(async () => {
  [site, browser] = await Promise.all([
    serve((_origin, crossOrigin) => ({
      '/': page(crossOrigin),
      '/header': (response) => {
        response.statusMessage = 'OK <script>globalThis.taken=1<\x2fscript>';
        response.setHeader('content-type', 'text/html; x="</script><script>globalThis.taken=1"');
        response.setHeader('x-odd', '"><img src=x onerror=alert(1)>');
        response.end('answer');
      },
    })),
    openReportBrowser(),
  ]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.close()]);
});

test('a page that tries can neither run anything in its report nor break the layout', async () => {
  let written = '';
  const { report } = await auditInChrome(
    { targets: [`${site.origin}/`], evidence: true, ablation: true },
    {},
    async (folder) => {
      written = await readFile(path.join(folder, 'index.html'), 'utf8');
    },
  );
  const [target] = report.targets;
  expect(target?.result.runs.some(({ ok, role }) => ok && role === 'timed')).toBe(true);
  const urls = target?.waterfalls[0]?.rows.map(({ url }) => url) ?? [];
  expect(Math.max(...urls.map((url) => url.length))).toBeGreaterThan(50_000);
  expect(target?.result.title).toContain('</script>');
  expect(written).toBe(renderHtml(report));
  for (const width of [390, 1280]) {
    await browser.show(written, { width }, async ({ page: shown }) => {
      // Whatever is folded away, grouped or told beside a row may not let it in either.
      await shown.$$eval('details', (all) => {
        for (const details of all) details.open = true;
      });
      await shown.$$eval('.waterfall .r', (rows) => {
        for (const row of rows.slice(0, 12)) if (row instanceof HTMLElement) row.click();
      });
      expect(await shown.evaluate(() => 'taken' in globalThis)).toBe(false);
      expect(await shown.$$eval('a[href^="javascript:" i], iframe, img[onerror]', (found) => found.length)).toBe(0);
      expect(await shown.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    });
  }
});
