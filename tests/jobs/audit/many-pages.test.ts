import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AuditOutcome } from '../../../src/jobs/audit/audit.ts';
import { PAGES_IN_ONE_FILE } from '../../../src/jobs/engine/reports/audit-reports.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { folderForAll } from '../../support/folders.ts';
import { audit, report } from '../../support/jobs.ts';
import { isStoredResult } from '../../support/result-schema.ts';
import { answeringLab, ORIGIN, page, recordingOf } from '../../support/scripted.ts';
import { COMMON } from '../../support/settings.ts';

/** More pages than one file is made for; each is complete at another time. */
const MANY = PAGES_IN_ONE_FILE + 1;

const out = folderForAll('many');
let outcome: AuditOutcome;
const events: Progress[] = [];

const text = (name: string): Promise<string> => readFile(path.join(out(), name), 'utf8');
const links = (html: string): readonly string[] =>
  [...html.matchAll(/<a href="(pages\/[^"]+)"/g)].map(([, href]) => href ?? '');

beforeAll(async () => {
  outcome = await audit(
    {
      ...COMMON,
      targets: Array.from({ length: MANY }, (_, i) => `${ORIGIN}/shop/${i}?session=s3cret-value-${i}`),
      out: out(),
      runs: 1,
      format: ['html', 'json', 'har', 'md', 'junit', 'csv'],
    },
    {
      onProgress: (event) => events.push(event),
      openLab: answeringLab(({ url }) => {
        const end = 400 + Number(/\d+/.exec(new URL(url).pathname)?.[0]) * 10;
        return {
          ok: true,
          recording: recordingOf({
            requests: page({ path: '/api?token=s3cret-value', from: 100, to: end }),
            until: end + 4_000,
          }),
        };
      }),
    },
  );
}, 60_000);

describe('an audit of more pages than one file is made for', () => {
  test('has an index, the slowest page first, and a file for each page', async () => {
    const index = await text('index.html');
    const found = links(index);
    expect(found).toHaveLength(MANY);
    expect(found[0]).toBe(`pages/shop-${MANY - 1}-session.html`);
    expect((await readdir(path.join(out(), 'pages'))).map((name) => `pages/${name}`).toSorted()).toEqual(
      found.toSorted(),
    );
    const first = await text(found[0] ?? '');
    expect(first).toContain(`href="../shop-${MANY - 1}-session-run-1.har"`);
    expect(first).toContain('class="waterfall"');
    expect(outcome.files).toEqual(
      expect.arrayContaining([path.join(out(), 'index.html'), path.join(out(), found[0] ?? '')]),
    );
  });

  test('has everything in result.json and in the result, and secrets nowhere', async () => {
    const stored = JSON.parse(await text('result.json')) as AuditResult;
    expect(isStoredResult(stored), JSON.stringify(isStoredResult.errors)).toBe(true);
    expect(outcome.result).toEqual(stored);
    expect(stored.targets.map(({ runs }) => runs.length)).toEqual(Array(MANY).fill(2));
    expect(stored.targets[3]?.runs[1]?.criticalPath?.steps.length).toBeGreaterThan(0);
    for (const name of await readdir(out(), { recursive: true })) {
      if (/\.\w+$/.test(name)) expect(await text(name), name).not.toContain('s3cret');
    }
  });

  test('has the other reports whole, too', async () => {
    expect((await text('result.csv')).trim().split('\r\n')).toHaveLength(1 + 2 * MANY);
    expect((await text('junit.xml')).match(/<testsuite /g)).toHaveLength(MANY);
    expect(await text('summary.md')).toContain(`${MANY} pages audited`);
  });

  test('tells how far it is, page by page', () => {
    for (const kind of ['settling', 'drawing'] as const) {
      expect(events.filter((event) => event.kind === kind)).toEqual(
        Array.from({ length: MANY }, (_, i) => ({ kind, index: i + 1, of: MANY })),
      );
    }
  });

  test('keeps for the terminal what its tables show', () => {
    const { targets } = outcome.report;
    expect(targets).toHaveLength(MANY);
    expect(JSON.stringify(targets[0]).length).toBeLessThan(JSON.stringify(outcome.result.targets[0]).length);
    expect(targets.every(({ waterfalls }) => waterfalls.length === 0)).toBe(true);
  });

  test('leaves nothing behind that is not a result', async () => {
    const names = await readdir(out());
    expect(names.filter((name) => name.startsWith('.') || name === 'partial')).toEqual([]);
  });

  test('is written in the same layout again', async () => {
    const before = await text('index.html');
    const [slowest = ''] = links(before);
    const own = await text(slowest);
    await rm(path.join(out(), 'pages'), { recursive: true });
    const again = await report({ result: out(), format: ['html'] });
    expect(again.warnings).toEqual([]);
    expect(await text('index.html')).toBe(before);
    // Sizes of recordings are not known again.
    const withoutSizes = (html: string): string =>
      html.replace(/<small>(run \d|the warm-up run), [^<]*<\/small>/g, '<small>$1</small>');
    expect(withoutSizes(await text(slowest))).toBe(withoutSizes(own));
    expect(again.files).toHaveLength(MANY + 1);
  });
});
