import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AnalyzeHooks } from '../../../src/jobs/analyze/analyze.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { unpacked } from '../../reporters/markup.ts';
import { expectApproved, outlined } from '../../support/approved.ts';
import { folderForEach } from '../../support/folders.ts';
import { type AnalyzeOptions, analyze } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { isStoredResult } from '../../support/result-schema.ts';

const HARS = path.resolve('fixtures/hars');
const har = (name: string): string => path.join(HARS, name);

const folder = folderForEach('test');

const run = (files: readonly string[], more: Partial<AnalyzeOptions> = {}, hooks: AnalyzeHooks = {}) =>
  analyze({ files, out: path.join(folder(), 'out'), format: ['html', 'json'], ...more }, hooks);

async function stored(): Promise<AuditResult> {
  return JSON.parse(await readFile(path.join(folder(), 'out', 'result.json'), 'utf8')) as AuditResult;
}

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder(), name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}

interface Loose {
  log: { pages: Record<string, unknown>[]; entries: Record<string, Record<string, unknown>>[] };
}

/** A fixture, changed. */
async function changed(name: string, change: (har: Loose) => void): Promise<string> {
  const copy = JSON.parse(await readFile(har(name), 'utf8')) as Loose;
  change(copy);
  return JSON.stringify(copy);
}

describe('analyze', () => {
  it('writes the same reports as an audit, of kind analysis, without host and evidence', async () => {
    const { exit, problems, warnings, files } = await run([har('quiesce.har'), har('browsertime.har.gz')]);
    expect({ exit, problems, warnings }).toEqual({ exit: 0, problems: [], warnings: [] });
    expect(files.map((file) => path.basename(file)).toSorted()).toEqual(['index.html', 'result.json']);
    const result = await stored();
    expect(result).toMatchObject({
      exit: 0,
      sentence: expect.stringMatching(
        /^2 recorded pages: 1 good, 1 needs improvement; the slowest is complete at 3\.54 s/,
      ),
      kind: 'analysis',
      version: 1,
      browser: { product: expect.stringMatching(/Chrome/) },
    });
    expect(
      result.targets.map(({ target, url, runs }) => [path.basename(target), new URL(url).pathname, runs.length]),
    ).toEqual([
      ['quiesce.har', '/busy/', 1],
      ['browsertime.har.gz', '/poll/', 2],
    ]);
    for (const target of result.targets) {
      expect(target.evidence).toBeUndefined();
      for (const each of target.runs) {
        expect(each).toMatchObject({ role: 'timed', ok: true, pageComplete: { state: 'complete' } });
        expect(each.host).toBeUndefined();
        expect(each.metrics).not.toHaveProperty('totalBlockingTime');
        expect(each.metrics).not.toHaveProperty('cumulativeLayoutShift');
      }
    }
    expect(isStoredResult(result), JSON.stringify(isStoredResult.errors)).toBe(true);
    expect(await readFile(path.join(folder(), 'out', 'index.html'), 'utf8')).toContain('/busy/');
  });

  it('links each run to its file, from the results folder', async () => {
    const file = await write('with blank/a b.har', await readFile(har('quiesce.har')));
    const { result } = await run([file]);
    expect(result.targets[0]?.runs[0]?.har).toBe('../with%20blank/a%20b.har');
  });

  it('takes the files of an audit as runs of one target, others as targets of their own', async () => {
    for (const name of ['run-1.har', 'run-2.har', 'run-10.har', 'before.har', 'after.har']) {
      await write(`reports/${name}`, await readFile(har('quiesce.har')));
    }
    const { result } = await run([path.join(folder(), 'reports')]);
    expect(
      result.targets.map(({ target, runs }) => [path.relative(folder(), target), runs.map((each) => each.har)]),
    ).toEqual([
      ['reports/after.har', ['../reports/after.har']],
      ['reports/before.har', ['../reports/before.har']],
      ['reports', ['../reports/run-1.har', '../reports/run-2.har', '../reports/run-10.har']],
    ]);
    expect(result.targets[2]?.summary.pageComplete).toMatchObject({ n: 3, agreement: 'stable' });
  });

  it('counts the roles that files of an audit carry, unless there is nothing else', async () => {
    const warmUp = await changed('quiesce.har', ({ log }) => Object.assign(log.pages[0] ?? {}, { _role: 'discarded' }));
    await write('run-0.har', warmUp);
    await write('run-1.har', await readFile(har('quiesce.har')));
    const both = await run([folder()]);
    expect(both.result.targets[0]?.runs.map(({ role }) => role)).toEqual(['discarded', 'timed']);
    expect(both.result.targets[0]?.summary.pageComplete?.n).toBe(1);
    const alone = await run([path.join(folder(), 'run-0.har')]);
    expect(alone.result.targets[0]?.runs.map(({ role }) => role)).toEqual(['timed']);
  });

  it('has a target for each page of a file', async () => {
    const text = await changed('playwright.har', ({ log }) => {
      const [page] = log.pages;
      log.pages.push({ ...page, id: 'second', title: 'Second' });
      const other = log.entries.slice(0, 1).map((entry) => ({
        ...entry,
        pageref: 'second' as never,
        request: { ...entry.request, url: 'http://127.0.0.1:8123/other/' },
      }));
      log.entries.push(...other);
    });
    const file = await write('two.har', text);
    const { result } = await run([file]);
    expect(result.targets.map(({ target, url }) => [path.basename(target).replace(/page@\w+/, 'first'), url])).toEqual([
      ['two.har#first', 'http://127.0.0.1:8123/busy/'],
      ['two.har#second', 'http://127.0.0.1:8123/other/'],
    ]);
  });

  it('settles over all runs what one of them could not see', async () => {
    // The second iteration ends before the poll shows itself as one.
    const short = await changed('playwright.har', ({ log }) => {
      const [page] = log.pages;
      const start = Date.parse(String(page?.startedDateTime));
      log.pages.push({ ...page, id: 'again' });
      log.entries.push(
        ...log.entries
          .filter((entry) => Date.parse(String(entry.startedDateTime)) - start < 2500)
          .map((entry) => ({ ...entry, pageref: 'again' as never })),
      );
    });
    const { result } = await run([await write('iterations.har', short)]);
    const [target] = result.targets;
    expect(target?.runs).toHaveLength(2);
    const flagged = target?.runs.map(({ background }) => (background ?? []).map(({ kind }) => kind).toSorted());
    expect(flagged?.[1]).toEqual(expect.arrayContaining(['poll']));
  });
});

describe('the policy', () => {
  it("is the file's own where it has one, and the report says so", async () => {
    const text = await changed('quiesce.har', ({ log }) => {
      Object.assign(log.pages[0]?._policy ?? {}, { quietWindow: 1500, foreground: ['*/nothing*'] });
    });
    const { report, result } = await run([await write('own.har', text), har('playwright.har')]);
    expect(report.targets.map(({ notes }) => notes.filter((note) => note.startsWith('Judged with')))).toEqual([
      ['Judged with a quiet window of 1.50 s (as recorded), --foreground */nothing* (as recorded).'],
      [],
    ]);
    expect(result.settings.policies).toMatchObject([
      { runs: [1], policy: { quietWindow: 1500 }, from: { quietWindow: 'file' } },
      { runs: [1], policy: { quietWindow: 3000 }, from: { quietWindow: 'default' } },
    ]);
    expect(result.targets.map(({ policy }) => policy?.quietWindow)).toEqual([1500, 3000]);
  });

  it('is what the user asks for, option by option', async () => {
    const text = await changed('quiesce.har', ({ log }) => {
      Object.assign(log.pages[0]?._policy ?? {}, { maxInflight: 1, foreground: ['*/a*', '*/b*'] });
    });
    const { report, result } = await run([await write('own.har', text)], { quietWindow: 900, background: ['*/b*'] });
    expect(result.settings).toMatchObject({
      quietWindow: 900,
      policies: [
        {
          policy: { quietWindow: 900, maxInflight: 1, background: ['*/b*'], foreground: ['*/a*'] },
          from: {
            quietWindow: 'option',
            maxInflight: 'file',
            timeout: 'file',
            background: 'option',
            foreground: 'file',
          },
        },
      ],
    });
    expect(report.targets[0]?.notes.at(-1)).toBe(
      'Judged with a quiet window of 900 ms (from an option), 1 in flight allowed (as recorded), ' +
        '--background */b* (from an option), --foreground */a* (as recorded).',
    );
  });

  it('names what the file cannot show', async () => {
    const guess = await run([har('devtools.har')]);
    expect(guess.exit).toBe(4);
    expect(messagesOf(guess.problems)).toEqual([
      expect.stringMatching(
        /devtools\.har: http:\S+\/busy\/ is not confirmed to be complete\. The best estimate is 2\.39 s\. DevTools leaves out/,
      ),
    ]);
    expect(guess.report.targets[0]?.sentence).toMatch(
      /^The page is probably complete after .*, but this is not confirmed: /,
    );
    expect((await run([har('devtools.har')], { background: ['*/api/changes*'] })).exit).toBe(0);
  });
});

const objects = (count: number): string =>
  JSON.stringify({ log: { entries: Array.from({ length: count }, () => ({})) } });
async function* endless(piece: string) {
  yield '{"log":["';
  yield '",';
  for (;;) yield piece;
}

/** What is in a file, undefined where there is none; of a folder, in its only file. */
const UNREADABLE: Readonly<Record<string, string | Uint8Array | undefined>> = {
  'gone.har': undefined,
  'empty.har': '',
  'cut.har': gzipSync('{"log":{"entries":[]}}').subarray(0, 20),
  'damaged.har.gz': Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
  'packed.har': Buffer.from('PK\u0003\u0004 and so on'),
  'page.har': '<!DOCTYPE html><title>Sign in</title>',
  'text.har': 'hello',
  'half.har': '{"log":\n{"entries":[{"ti',
  'list.har': '[]',
  'other.har': '{"name":"x"}',
  'nothing.har': '{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}',
  'many.har': objects(60_001),
  'folder/readme.txt': 'x',
};

describe('what cannot be read', () => {
  it('is told in a line each, and nothing is written', async () => {
    const said: Record<string, readonly string[]> = {};
    const told = async (name: string, work: ReturnType<typeof run>) => {
      const { exit, problems, files, result } = await work;
      expect({ exit, files, targets: result.targets }).toEqual({ exit: 3, files: [], targets: [] });
      said[name] = messagesOf(problems).map((line) => line.replaceAll(folder(), '<folder>'));
    };
    for (const [name, content] of Object.entries(UNREADABLE)) {
      const file = content === undefined ? path.join(folder(), name) : await write(name, content);
      await told(name, run([name.startsWith('folder/') ? path.dirname(file) : file]));
    }
    await told('standard input without an end', run(['-'], {}, { stdin: endless('"a":1,'.repeat(10_000)) }));
    await told('and with nothing but objects', run(['-'], {}, { stdin: endless('{},'.repeat(10_000)) }));
    // So there is no folder either.
    expect(await readdir(folder())).not.toContain('out');
    await expectApproved('analyze/unreadable', outlined(said));
  });

  it.skipIf(process.platform === 'win32')('is a device', async () => {
    const { problems } = await run(['/dev/zero']);
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/zero cannot be read: it is larger than 96 MB/)]);
  });

  it('has more requests together with the files before it', async () => {
    const { problems, result } = await run([har('playwright.har'), await write('most.har', objects(59_999))]);
    expect(result.targets).toHaveLength(1);
    expect(messagesOf(problems)).toEqual([expect.stringContaining('together with the files before it')]);
  });

  it('reads files whose bodies and addresses are endless', async () => {
    const usual = await run([har('playwright.har')]);
    const text = await changed('playwright.har', ({ log }) => {
      for (const entry of log.entries)
        Object.assign(entry.response?.content ?? {}, { text: 'x\u00e9'.repeat(200_000) });
      const [last] = log.entries.slice(-1);
      Object.assign(last?.request ?? {}, { url: `${String(last?.request?.url)}?${'a'.repeat(1_900_000)}` });
    });
    const { result } = await run([await write('long.har', text)]);
    expect(result.targets[0]?.runs[0]?.metrics).toEqual(usual.result.targets[0]?.runs[0]?.metrics);
    expect(JSON.stringify(result).length).toBeLessThan(500_000);
  });

  it('is told, and the others are analysed', async () => {
    const broken = await write('broken.har', '{');
    const { exit, problems, result } = await run([broken, har('playwright.har')]);
    expect(exit).toBe(4);
    expect(messagesOf(problems)).toEqual([expect.stringMatching(/broken\.har is not JSON/)]);
    expect(result.targets).toHaveLength(1);
  });

  it('is told entry by entry, a few and how many more', async () => {
    const text = await changed('playwright.har', ({ log }) => {
      for (const entry of log.entries.slice(-8)) Object.assign(entry, { startedDateTime: 'yesterday' });
      delete log.entries[1]?.request?.url;
    });
    const { exit, problems, warnings, result } = await run([await write('odd.har', text)]);
    expect(exit).toBe(4);
    const said = [...messagesOf(problems), ...warnings].filter((line) => !line.includes('is not confirmed'));
    const lines = said.map((line) => line.replace(/^\S+odd\.har: /, ''));
    await expectApproved('analyze/entries', lines.join('\n'));
    expect(result.targets[0]?.runs[0]?.findings).toContainEqual(
      expect.objectContaining({ code: 'entries-left-out', facts: { entries: 9 } }),
    );
  });

  it('reads what other systems write: a byte order mark, UTF-16, a wrong name', async () => {
    const text = await readFile(har('playwright.har'), 'utf8');
    const files = [
      await write('bom.har', `\ufeff${text}`),
      await write('wide.har', Buffer.from(`\ufeff${text}`, 'utf16le')),
      await write('big-endian.har', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()),
      await write('named-plain.har', gzipSync(text)),
      await write('named-gzip.har.gz', text),
    ];
    const { result, exit } = await run(files);
    expect(exit).toBe(0);
    expect(new Set(result.targets.map(({ runs }) => runs[0]?.pageComplete?.at)).size).toBe(1);
    expect(result.targets).toHaveLength(5);
  });

  it('reads the standard input, and each file once', async () => {
    const stdin = async function* () {
      const bytes = gzipSync(await readFile(har('playwright.har')));
      yield bytes.subarray(0, 1000);
      yield bytes.subarray(1000);
    };
    const { result } = await run(['-', har('quiesce.har'), har('quiesce.har'), HARS], {}, { stdin: stdin() });
    const names = result.targets.map(({ target }) => path.basename(target));
    expect(names[0]).toBe('-');
    expect(names.filter((name) => name === 'quiesce.har')).toHaveLength(1);
    expect(names.length).toBe((await readdir(HARS)).filter((name) => name !== 'README.md').length + 1);
  });

  it('refuses to begin without a file, or without room for the results', async () => {
    await expect(run([])).rejects.toThrow(/Missing argument: what to analyse/);
    await copyFile(har('quiesce.har'), path.join(folder(), 'out'));
    await expect(run([har('quiesce.har')])).rejects.toMatchObject({ code: 'out-not-writable', exit: 2 });
  });
});

describe('what is in it', () => {
  it('may be hostile', async () => {
    const text = await changed('playwright.har', ({ log }) => {
      Object.assign(log.pages[0] ?? {}, { title: '</title><script>alert(1)</script>\u001b[2J' });
      for (const [i, entry] of log.entries.entries()) {
        if (i % 5 === 1) Object.assign(entry, { time: 1e308, timings: { wait: 1e308, send: -1e308, receive: 'x' } });
        if (i % 5 === 2) Object.assign(entry.request ?? {}, { url: `http://x.test/<img src=x onerror=alert(1)>${i}` });
        if (i % 5 === 3) Object.assign(entry, { pageref: { toString: 1 } });
        if (i % 5 === 4) Object.assign(entry.request ?? {}, { headers: [null, 3, { name: {} }], method: { a: 1 } });
      }
    });
    const nested = text.replace(
      '"cache":{}',
      `"__proto__":{"polluted":1},"_deep":${'['.repeat(5000)}${']'.repeat(5000)}`,
    );
    const { result } = await run([await write('hostile.har', nested)]);
    expect(result.targets).toHaveLength(1);
    const page = await readFile(path.join(folder(), 'out', 'index.html'), 'utf8');
    expect(page).not.toMatch(/<script>alert|<img src=x/);
    expect(JSON.stringify(await stored())).not.toMatch(/null|1e\+?308/);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('has its secrets redacted', async () => {
    const text = (await readFile(har('playwright.har'), 'utf8')).replaceAll(
      '/api/events',
      '/api/events?token=s3cret-value',
    );
    await run([await write('secret.har', text)]);
    const texts = ['index.html', 'result.json'].map((name) => readFile(path.join(folder(), 'out', name), 'utf8'));
    const [page = '', stored = ''] = await Promise.all(texts);
    expect(await unpacked(page)).toContain('/api/events?token=');
    for (const text of [await unpacked(page), stored]) expect(text).not.toContain('s3cret-value');
  });

  it('has no secrets in what it says is wrong', async () => {
    const text = await changed('devtools.har', ({ log }) => {
      for (const entry of log.entries) {
        Object.assign(entry.request ?? {}, { url: `${String(entry.request?.url)}?token=s3cret-value` });
      }
      Object.assign(log.entries[1] ?? {}, { time: 'long' });
      Object.assign(log.entries[2] ?? {}, { startedDateTime: 'yesterday' });
    });
    const { problems, warnings } = await run([await write('secret.har', text)]);
    const said = [...messagesOf(problems), ...warnings].join('\n');
    expect(said).toMatch(/startedDateTime is not a date/);
    expect(said).toMatch(/time should be number/);
    expect(said).not.toContain('s3cret-value');
  });

  it('may be large', async () => {
    const text = await changed('devtools.har', ({ log }) => {
      const start = Date.parse(String(log.pages[0]?.startedDateTime));
      const [model] = log.entries.slice(1);
      for (let i = 0; i < 3000; i += 1) {
        const url = `http://127.0.0.1:8123/busy/${i % 3 === 0 ? 'same' : i}?x=${i}`;
        log.entries.push({
          ...model,
          startedDateTime: new Date(start + i * 3).toISOString() as never,
          request: { ...model?.request, url },
        });
      }
    });
    const { result } = await run([await write('large.har', text)], { format: ['json'] });
    expect(result.targets).toHaveLength(1);
  });
});

describe('progress', () => {
  it('is told for each file', async () => {
    const events: Progress[] = [];
    const broken = await write('broken.har', '{');
    await run([har('browsertime.har.gz'), broken], {}, { onProgress: (event) => events.push(event) });
    expect(events.map(({ kind }) => kind)).toEqual([
      'file-started',
      'file-finished',
      'file-started',
      'file-finished',
      'written',
    ]);
    expect(events[1]).toMatchObject({ index: 1, of: 2, pages: 2, requests: 48 });
    expect(events[3]).toMatchObject({ index: 2, of: 2, pages: 0 });
  });

  it('may be ended: what is finished is kept', async () => {
    const controller = new AbortController();
    const outcome = await run(
      [har('quiesce.har'), har('playwright.har'), har('devtools.har')],
      {},
      {
        signal: controller.signal,
        onProgress: (event) => {
          if (event.kind === 'file-finished' && event.index === 2) controller.abort();
        },
      },
    );
    expect(outcome.exit).toBe(130);
    const result = await stored();
    expect(result.interrupted).toBe(true);
    expect(result.targets.map(({ target }) => path.basename(target))).toEqual(['quiesce.har', 'playwright.har']);
  });
});
