import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_SCHEMA_FILE, CONFIG_SCHEMA_ID, configSchema } from '../../scripts/schema.ts';
import { configText } from '../../src/core/init/config-text.ts';
import { checkConfig } from '../../src/settings/config-file.ts';
import { FILE_OPTIONS, PAGE_OPTIONS } from '../../src/settings/options.ts';

const committed = readFileSync(fileURLToPath(new URL(`../../${CONFIG_SCHEMA_FILE}`, import.meta.url)), 'utf8');
const validate = new Ajv({ strict: true, strictTypes: false, allErrors: true }).compile(JSON.parse(committed));

describe('schema/config.v1.schema.json', () => {
  test('is what the options give; "npm run schema" writes it again', () => {
    expect(committed).toBe(configSchema());
  });

  test('describes every option to an editor', () => {
    const { properties } = JSON.parse(committed);
    for (const { name } of FILE_OPTIONS) expect(properties[name]?.description, name).toMatch(/\w{3}/);
    for (const { name } of PAGE_OPTIONS) {
      const ofPage = properties.pages.items.properties[name];
      // At the top of the file it may also hold what a trend is to show.
      if (name === 'metric') expect(properties[name].items.anyOf[0], name).toEqual(ofPage.items);
      else expect(ofPage, name).toEqual(properties[name]);
    }
    expect(properties).not.toHaveProperty('config');
  });

  const page = { url: 'https://x.test/' };
  test.each<[boolean, unknown]>([
    [true, {}],
    [true, { $schema: CONFIG_SCHEMA_ID, runs: 7, quietWindow: '2s', timeout: 30_000, background: ['/x'] }],
    [true, { pages: [page, { ...page, name: 'a', runs: 1, timeout: '1 s', completeOn: '#a' }] }],
    [true, { looks: [10, 16], format: ['html', 'md'], browserArg: ['--a=b'], evidence: false }],
    [
      true,
      {
        serveCommand: 'npm start',
        serveUrl: 'http://localhost:3000',
        serveTimeout: '2s',
        sitemap: 's.xml',
        maxPages: 3,
      },
    ],
    [true, parse(configText({ builds: ['dist'], scripts: {}, packages: [], runner: 'npm run' }))],
    [false, []],
    [false, { rnus: 3 }],
    [false, { runs: 0 }],
    [false, { runs: 2.5 }],
    [false, { runs: '5' }],
    [false, { quietWindow: '2 h' }],
    [false, { quietWindow: 0 }],
    [false, { timeout: 100_000_000 }],
    [false, { timeout: true }],
    [false, { evidence: 'no' }],
    [false, { background: '/x' }],
    [false, { background: [' '] }],
    [false, { format: ['pdf'] }],
    [true, { format: [] }],
    [false, { browserArg: ['a'] }],
    [false, { browserWs: 'ftp://x/' }],
    [false, { serveUrl: 'localhost:3000' }],
    [false, { serveUrl: 'http://me:pw@localhost/' }],
    [false, { maxPages: 0 }],
    [false, { out: '' }],
    [false, { config: 'other.json' }],
    [true, { force: true }],
    [false, { pages: [{ name: 'a' }] }],
    [false, { pages: ['https://x.test/'] }],
    [false, { pages: [{ ...page, out: 'there' }] }],
    [false, { pages: [{ ...page, runs: 0 }] }],
    [false, { pages: [{ ...page, name: '' }] }],
    [false, { pages: page }],
  ])('says %j of %j, as the loader does', (accepted, config) => {
    expect(validate(config), JSON.stringify(validate.errors)).toBe(accepted);
    expect(checkConfig(config).problems.length === 0).toBe(accepted);
  });
});
