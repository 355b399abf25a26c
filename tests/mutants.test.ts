import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readSitemap } from '../src/core/requests/sitemap.ts';
import { judgeHar, QuiesceError, report } from '../src/index.ts';
import { readConfig } from '../src/settings/config-file.ts';
import { folderForAll } from './support/folders.ts';
import { checkJudged } from './support/judged-har.ts';
import { mutantOf, randomOf, textFrom } from './support/mutate.ts';

// The same mutants each time: `npm run bench:faults` tries others, and many more.
const random = randomOf(20_261_127);
const hars = new URL('../fixtures/hars/', import.meta.url);

const folder = folderForAll('mutants');

/** What is wrong with how mutants are taken: nothing, when each is read or refused in one line. The seeds are read. */
async function wrongOf(
  count: number,
  seeds: readonly unknown[],
  take: (mutant: string) => unknown,
): Promise<readonly string[]> {
  for (const seed of seeds) await take(textFrom(seed));
  const wrong = new Set<string>();
  for (let left = count; left > 0; left -= 1) {
    try {
      const fault = await take(mutantOf(seeds, random));
      if (typeof fault === 'string') wrong.add(fault);
    } catch (error) {
      const isRefused = error instanceof QuiesceError && !error.message.includes('\n');
      if (!isRefused) wrong.add((error as Error).stack ?? String(error));
    }
  }
  return [...wrong];
}

describe('whatever is in a file', () => {
  it.each(['devtools.har', 'mitmproxy.har', 'charles.har', 'quiesce.har'])(
    'a HAR is judged with figures that can be, or refused: %s',
    async (name) => {
      const har = JSON.parse(await readFile(new URL(name, hars), 'utf8')) as unknown;
      expect(await wrongOf(60, [har], (mutant) => checkJudged(judgeHar(mutant)))).toEqual([]);
    },
  );

  it('a result is reported, or refused', async () => {
    const example = JSON.parse(await readFile(new URL('../reports/example/result.json', import.meta.url), 'utf8'));
    const file = path.join(folder(), 'result.json');
    const take = async (mutant: string): Promise<void> => {
      await writeFile(file, mutant);
      await report(file, { out: path.join(folder(), 'out'), format: ['html', 'md', 'junit', 'csv'] });
    };
    expect(await wrongOf(40, [example], take)).toEqual([]);
  });

  it.each(['json', 'yaml'])('a configuration is read, or refused: %s', async (ending) => {
    const config = {
      pages: [{ url: 'https://shop.example/' }, { url: 'https://shop.example/a', name: 'A', runs: 3 }],
      background: ['/poll*'],
      budget: ['LCP=2500ms', 'page-complete=2s'],
      format: ['html', 'json'],
      runs: 5,
    };
    const file = path.join(folder(), `quiesce.config.${ending}`);
    const take = async (mutant: string): Promise<void> => {
      await writeFile(file, mutant);
      await readConfig(file, folder(), 'audit');
    };
    expect(await wrongOf(200, [ending === 'json' ? config : stringify(config)], take)).toEqual([]);
  });

  it('a sitemap is read, or refused', async () => {
    const sitemap = `<?xml version="1.0"?><urlset>${'<url><loc>https://shop.example/a?b=1&amp;c=2</loc></url>'.repeat(9)}</urlset>`;
    expect(await wrongOf(500, [sitemap], (mutant) => void readSitemap(mutant))).toEqual([]);
  });
});
