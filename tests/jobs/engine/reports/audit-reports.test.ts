import { beforeEach, describe, expect, test } from 'vitest';
import {
  type AuditReports,
  auditReports,
  PAGES_IN_ONE_FILE,
} from '../../../../src/jobs/engine/reports/audit-reports.ts';
import type { OutputFolder } from '../../../../src/jobs/engine/reports/output.ts';
import type { ReportedTarget } from '../../../../src/jobs/engine/result/reported-target.ts';
import type { AuditHeader, AuditResult, TargetResult } from '../../../../src/model/result/result.ts';
import type { Content } from '../../../../src/shell/disk/store.ts';
import { singleRunReport } from '../../../reporters/example-report.ts';

const { result: example, targets: drawn } = singleRunReport();
const { targets: measured, ...header } = example;
const [page] = measured;
if (page === undefined) throw new Error('the example has a page');

/** What happened, in order. */
let happened: string[];
beforeEach(() => {
  happened = [];
});

const target = (index: number, more: Partial<TargetResult> = {}): ReportedTarget => ({
  result() {
    happened.push(`read ${index}`);
    const url = `https://shop.example/${index}/`;
    return { ...page, target: url, url, ...more };
  },
  async visuals() {
    happened.push(`draw ${index}`);
    // One is enough to see that it is handed on.
    return { waterfalls: index === 0 ? (drawn[0]?.waterfalls ?? []) : [], thumbnails: {} };
  },
});

const pages = (count: number): readonly ReportedTarget[] => Array.from({ length: count }, (_, i) => target(i));

/** A folder in memory that notes each piece. */
function noting(): OutputFolder & { readonly files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    folder: '/out',
    files,
    async write(name: string, content: Content) {
      const text: string[] = [];
      if (typeof content === 'string') text.push(content);
      else if (!(content instanceof Uint8Array)) {
        for await (const piece of content) {
          happened.push(`piece of ${name}`);
          text.push(piece);
        }
      }
      happened.push(`wrote ${name}`);
      files.set(name, text.join(''));
    },
  };
}

async function written(
  targets: readonly ReportedTarget[],
  formats: Parameters<AuditReports['write']>[0]['formats'] = ['html', 'json'],
  header_: AuditHeader = header,
) {
  const output = noting();
  const drawing: number[] = [];
  const reports = await auditReports({ header: header_, targets });
  happened = [];
  await reports.write({
    formats,
    output,
    onPage: (index, of) => drawing.push(index / of),
  });
  return { reports, files: output.files, drawing };
}

const links = (html = ''): readonly string[] =>
  [...html.matchAll(/<a href="(pages\/[^"]+)"/g)].map(([, href]) => href ?? '');

describe('up to the bound', () => {
  test('all pages are in one file', async () => {
    const { reports, files, drawing } = await written(pages(PAGES_IN_ONE_FILE));
    expect([...files.keys()]).toEqual(['index.html', 'result.json']);
    expect(drawing).toEqual([]);
    expect(reports.report.pages).toBeUndefined();
    expect(files.get('index.html')?.match(/<article/g)).toHaveLength(PAGES_IN_ONE_FILE);
    expect(reports.report.targets[0]?.waterfalls).toHaveLength(1);
    expect(reports.result).toBe(reports.report.result);
  });

  test('steps do not count', async () => {
    const steps = Array.from({ length: 9 }, (_, i) => target(0, { step: `step ${i}` }));
    const { files } = await written([...pages(1), ...steps, ...pages(PAGES_IN_ONE_FILE - 1)]);
    expect([...files.keys()]).toEqual(['index.html', 'result.json']);
  });

  test('there may be none', async () => {
    const { files } = await written([]);
    expect(JSON.parse(files.get('result.json') ?? '')).toEqual({
      ...header,
      sentence: 'No page was measured.',
      verdict: 'unmeasured',
      targets: [],
    });
    expect(files.get('index.html')).toContain('Nothing was measured.');
  });
});

describe('beyond the bound', () => {
  const MANY = PAGES_IN_ONE_FILE + 1;

  test('each page has a file, and the index leads there', async () => {
    const { reports, files, drawing } = await written(pages(MANY));
    const found = links(files.get('index.html'));
    expect(new Set(found).size).toBe(MANY);
    for (const link of found) expect(files.get(link)).toContain('<a href="../index.html">← All pages</a>');
    expect(files.size).toBe(MANY + 2);
    expect(drawing).toEqual(Array.from({ length: MANY }, (_, i) => (i + 1) / MANY));
    expect(reports.report.pages).toHaveLength(MANY);
  });

  test('result.json has everything, and so has the result', async () => {
    const { reports, files } = await written(pages(MANY), ['json', 'csv']);
    const sentence = `${MANY} pages: ${MANY} good; the slowest is complete at 1.24 s.`;
    const result: AuditResult = {
      ...header,
      sentence,
      verdict: 'good',
      targets: pages(MANY).map((each) => ({
        ...each.result(),
        sentence: expect.stringMatching(/^The page is complete after 1\.24 s/),
        verdict: 'good',
      })),
    };
    expect(JSON.parse(files.get('result.json') ?? '')).toEqual(result);
    expect(reports.result).toEqual(result);
    expect(reports.result).toBe(reports.result);
    expect(files.get('result.csv')?.trim().split('\r\n')).toHaveLength(1 + MANY * page.runs.length);
  });

  test('one page is held at a time', async () => {
    await written(pages(MANY));
    const drawings = happened.filter((each) => /^(?:draw|wrote pages)/.test(each));
    expect(drawings).toEqual(
      Array.from({ length: MANY }, (_, i) => [`draw ${i}`, expect.stringMatching(/^wrote pages\/.*\.html$/)]).flat(),
    );
    const ofJson = happened.slice(happened.indexOf('wrote index.html')).filter((each) => /^(?:read|piece)/.test(each));
    expect(ofJson.slice(0, 5)).toEqual([
      'piece of result.json',
      'read 0',
      'piece of result.json',
      'read 1',
      'piece of result.json',
    ]);
    const summary = await written(pages(MANY), ['md']);
    expect(summary.files.get('summary.md')?.length).toBeLessThan(65_536);
    // Only the worst are read again.
    expect(happened.filter((each) => each.startsWith('read')).length).toBeLessThan(MANY);
  });

  test('pages are not drawn for nobody', async () => {
    const { files } = await written(pages(MANY), ['json', 'md', 'junit']);
    expect(happened.filter((each) => each.startsWith('draw'))).toEqual([]);
    expect([...files.keys()].toSorted()).toEqual(['junit.xml', 'result.json', 'summary.md']);
  });

  test('a page has its steps in its file', async () => {
    const steps = ['log in', 'search'].map((step) => target(0, { step }));
    const { files } = await written([...pages(1), ...steps, ...pages(MANY)]);
    const found = links(files.get('index.html')).filter((link) => link.includes('#'));
    const [first = ''] = found;
    const file = first.replace(/#.*$/, '');
    expect(found).toEqual([`${file}#t2`, `${file}#t3`]);
    expect(files.get(file)?.match(/<article class="target" id="t\d"/g)).toHaveLength(3);
  });

  test('files are named after pages, whatever these are called', async () => {
    const names = ['Checkout', '../../etc/passwd', 'Größe 12', 'CHECKOUT', '', '<b>"x"</b>', 'a?b#c%2f'];
    const odd = names.map((name, i) => target(i, { name }));
    const { files } = await written([...odd, ...pages(MANY)]);
    const found = links(files.get('index.html')).map((link) => decodeURIComponent(link));
    for (const link of found) expect([...files.keys()]).toContain(link);
    expect(found).toEqual(
      expect.arrayContaining(['pages/checkout.html', 'pages/checkout-2.html', 'pages/größe-12.html']),
    );
    for (const name of files.keys()) expect(name).toMatch(/^(?:pages\/)?[\p{L}\p{N}][\p{L}\p{N}.-]*$/u);
  });

  test('can be ended between two pages', async () => {
    const ending = new AbortController();
    const reports = await auditReports({ header, targets: pages(MANY) });
    const output = noting();
    const reason = new Error('enough');
    const write = reports.write({
      formats: ['html', 'json'],
      output,
      signal: ending.signal,
      onPage: (index) => {
        if (index === 3) ending.abort(reason);
      },
    });
    await expect(write).rejects.toBe(reason);
    expect([...output.files.keys()]).toHaveLength(3);
    await expect(auditReports({ header, targets: pages(1) }, ending.signal)).rejects.toBe(reason);
  });
});
