import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe from 'axe-core';
import { snapshot } from 'lighthouse';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderTrendHtml } from '../../src/reporters/html/trend/trend.tsx';
import { toTargetSummary } from '../../src/result/run-summary.ts';
import { BROKEN } from './broken-example.ts';
import { comparisonReport } from './comparison.ts';
import { analysisReport, exampleReport, failedReport, reportOf } from './example-report.ts';
import { joinedShards } from './joined.ts';
import { labComparison, labReport } from './lab-example.ts';
import { readersBrowser } from './report-browser.ts';
import { usual } from './trend-example.ts';

/** Rules that Lighthouse has, and axe only when it is asked for them. */
const MORE_RULES = ['label-content-name-mismatch', 'table-fake-caption', 'target-size', 'td-has-header'];

/** Every kind of page that Quiesce writes. */
const PAGES: Readonly<Record<string, () => string>> = {
  'an audit': () => renderHtml(exampleReport()),
  'an audit of several pages': () => {
    const targets = [...exampleReport().targets, ...failedReport().targets];
    return renderHtml(reportOf(...targets.map((target) => ({ ...target.result, ...target }))));
  },
  'an index of many pages': () => {
    const targets = [...exampleReport().targets, ...failedReport().targets, ...labReport().targets];
    const report = reportOf(...targets.map((target) => ({ ...target.result, ...target })));
    const lean = report.targets.map(toTargetSummary);
    return renderHtml({ ...report, targets: lean, pages: lean.map((_, i) => `pages/${i}.html`) });
  },
  'an audit of a broken page': () => renderHtml(BROKEN),
  'an audit that failed': () => renderHtml(failedReport()),
  'an analysis': () => renderHtml(analysisReport()),
  'an audit over its budgets, with Lighthouse and steps': () => renderHtml(labReport()),
  'a comparison that fails': () => renderComparisonHtml(comparisonReport()),
  'a comparison with Lighthouse and budgets, joined from shards': () => {
    const report = labComparison();
    return renderComparisonHtml({ ...report, result: { ...report.result, merged: joinedShards() } });
  },
  'a trend': () => renderTrendHtml(usual),
};

const html = new Map(Object.entries(PAGES).map(([name, render]) => [`/${name.replaceAll(' ', '-')}`, render()]));
const server = createServer((request, response) => {
  const page = html.get(request.url ?? '');
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(page);
});
/** The one on which Lighthouse is asked what it looks for. */
const SCORED = '/an-audit-over-its-budgets,-with-Lighthouse-and-steps';
let browser: Browser;
let origin = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await readersBrowser();
});
afterAll(() => {
  server.close();
});

describe.each([...html.keys()])('%s', (address) => {
  let page: Page;
  const tried = new Set<string>();
  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(origin + address);
    // What is folded away is read too.
    await page.$$eval('details', (all) => {
      for (const details of all) details.open = true;
    });
    await page.evaluate(axe.source);
  });
  afterAll(() => page?.close());

  test.each([
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 390 },
  ])('has no violation that axe finds, $scheme, $width px', async ({ scheme, width }) => {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
    // Colours on their way from one scheme to the other are neither's.
    await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
    // The others are counted, not described: of a thousand rows that would take longer than the rules.
    const options: axe.RunOptions = {
      resultTypes: ['violations'],
      rules: Object.fromEntries(MORE_RULES.map((rule) => [rule, { enabled: true }])),
    };
    const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults;
    const { violations, passes, incomplete, inapplicable } = found;
    for (const { id } of [...violations, ...passes, ...incomplete, ...inapplicable]) tried.add(id);
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html: code }) => code).join('\n')}`)).toEqual([]);
  });

  // Lighthouse's score is of rules of axe: where all of them were tried above, no page can have less than all points.
  test.runIf(address === SCORED)('has all points of Lighthouse, which looks for nothing more', async () => {
    // Lighthouse brings the types of a puppeteer-core of its own.
    const outcome = await snapshot(page as unknown as Parameters<typeof snapshot>[0], {
      flags: { onlyCategories: ['accessibility'], logLevel: 'silent', disableFullPageScreenshot: true },
    });
    expect(outcome?.lhr.runtimeError).toBeUndefined();
    const { score, auditRefs = [] } = outcome?.lhr.categories.accessibility ?? {};
    expect(score).toBe(1);
    const counted = auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id);
    expect(counted.length).toBeGreaterThan(20);
    expect(counted.filter((id) => !tried.has(id))).toEqual([]);
  });
});
