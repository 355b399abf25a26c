import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSitemap } from '../src/core/requests/sitemap.ts';
import { judgeHar, QuiesceError, report } from '../src/index.ts';
import { readConfig } from '../src/settings/config-file.ts';
import { readUrlsFile } from '../src/shell/disk/urls-file.ts';
import { checkJudged } from './support/judged-har.ts';

// fixtures/fuzz/README.md says what they are.
const fuzz = fileURLToPath(new URL('../fixtures/fuzz/', import.meta.url));
const textOf = (...name: string[]): Promise<string> => readFile(path.join(fuzz, ...name), 'utf8');
const namesIn = (folder: string): Promise<string[]> => readdir(path.join(fuzz, folder));

/** The one line in which something is refused; undefined when it is read. Anything else that is thrown fails the test. */
async function refusalOf(read: () => unknown): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
    expect(error.message).toMatch(/^[^\p{Cc}\p{Bidi_Control}\u2028\u2029]+$/u);
    return error.message;
  }
}

/** What stands in a file beside a result. */
const PRIVATE = 'kept-to-ourselves';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-found-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('files that cannot be right', async () => {
  it.each(await namesIn('hars'))('HAR: %s', async (name) => {
    const text = await textOf('hars', name);
    const refusal = await refusalOf(() => {
      const judged = judgeHar(text);
      expect(checkJudged(judged)).toBeUndefined();
      expect(judged.pages.filter(({ pageComplete }) => pageComplete.state === 'complete')).toEqual([]);
    });
    expect(refusal !== undefined).toBe(['nothing.har', 'cut-in-the-middle.har'].includes(name));
  });

  interface Case {
    readonly name: string;
    readonly at: readonly (string | number)[];
    readonly value: unknown;
    readonly must: 'refused' | 'reported';
  }
  const cases = JSON.parse(await textOf('results.json')) as readonly Case[];
  it.each(cases)('result: $name', async ({ name, at, value, must }) => {
    const result = JSON.parse(await readFile(new URL('../reports/example/result.json', import.meta.url), 'utf8'));
    const holder = at.slice(0, -1).reduce((each, key) => each[key], result);
    holder[at.at(-1) ?? ''] = value;
    // A folder around it, and a file in that folder which is none of its business.
    const own = path.join(folder, name.replaceAll(' ', '-'));
    await mkdir(path.join(own, 'in'), { recursive: true });
    await writeFile(path.join(own, 'private.har'), PRIVATE);
    await writeFile(path.join(own, 'in', 'result.json'), JSON.stringify(result));
    const out = path.join(own, 'out');
    const refusal = await refusalOf(() =>
      report(path.join(own, 'in', 'result.json'), { out, format: ['html', 'md', 'junit', 'csv'] }),
    );
    expect(refusal === undefined ? 'reported' : 'refused').toBe(must);
    if (must === 'refused') return;
    for (const file of await readdir(out)) {
      const text = await readFile(path.join(out, file), 'utf8');
      const markup = file.endsWith('.html') ? ['<script>alert(1)', 'href="javascript:'] : [];
      expect(
        [PRIVATE, ...markup].filter((each) => text.includes(each)),
        file,
      ).toEqual([]);
    }
    expect(await readFile(path.join(own, 'private.har'), 'utf8')).toBe(PRIVATE);
  });

  it.each(await namesIn('configs'))('configuration: %s', async (name) => {
    const refusal = await refusalOf(() => readConfig(path.join(fuzz, 'configs', name), fuzz, 'audit'));
    expect(refusal === undefined).toBe(name === 'a-word.json');
    expect(({} as Record<string, unknown>).runs).toBeUndefined();
  });

  it.each([
    ['a-file-of-the-machine.xml', { problem: 'it declares a document type' }],
    ['entities-without-end.xml', { problem: 'it declares a document type' }],
    ['another-language.xml', { problem: 'it is a web page' }],
    ['cut-in-the-middle.xml', { kind: 'pages', locations: [] }],
    ['odd-addresses.xml', { locations: expect.arrayContaining(['https://shop.example/?a=1&b=2']) }],
  ])('sitemap: %s', async (name, expected) => {
    expect(readSitemap(await textOf('sitemaps', name))).toMatchObject(expected);
  });

  it.each(await namesIn('lists'))('list of pages: %s', async (name) => {
    const stdin = (async function* () {})();
    const refusal = await refusalOf(() => readUrlsFile(path.join(fuzz, 'lists', name), stdin));
    expect(refusal === undefined).toBe(name === 'commands.txt');
  });
});
