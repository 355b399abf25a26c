import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../fixtures/server.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { auditInChrome } from '../support/chrome.ts';
import { openReportBrowser, type ReportBrowser } from './report-browser.ts';

let browser: ReportBrowser;
let server: FixtureServer;
beforeAll(async () => {
  [browser, server] = await Promise.all([openReportBrowser(), startFixtureServer()]);
});
afterAll(() => Promise.all([browser?.close(), server?.close()]));

test.each([
  { sourceMaps: false, hint: true, name: 'o' },
  { sourceMaps: true, hint: false, name: 'sumPrices' },
])('a report says how functions get the names of their source, where nobody asked: %j', async (each) => {
  const { report, result } = await auditInChrome({
    targets: [server.url('main-thread')],
    runs: 1,
    evidence: true,
    trace: true,
    sourceMaps: each.sourceMaps,
  });
  const reasons = result.targets[0]?.mainThread?.unreadMaps?.map(({ reason }) => reason.code) ?? [];
  expect(reasons).toEqual(each.hint ? ['not-asked'] : []);
  await browser.show(renderHtml(report), {}, async ({ page }) => {
    const text = await page.$eval('body', (body) => body.textContent ?? '');
    const hint = 'app.min.js names a source map: with --source-maps, functions have the names and lines of the source.';
    expect(text.includes(hint)).toBe(each.hint);
    expect(text).toContain(`${each.name} (`);
  });
});
