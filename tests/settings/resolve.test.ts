import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONFIG_FILES } from '../../src/settings/config-file.ts';
import { type RawOptions, readCommandLine } from '../../src/settings/gather.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { folderForEach } from '../support/folders.ts';
import { refusalOf } from '../support/settings.ts';

const folder = folderForEach('settings');

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder(), name), typeof content === 'string' ? content : JSON.stringify(content));

const resolveWith = (given: RawOptions = {}, env: Record<string, string> = {}, isRoot = false, cwd = folder()) =>
  readCommandLine('audit', ['http://x/'], given, { env, cwd, isRoot });

describe('where a value comes from', () => {
  test('defaults', async () => {
    const { stored: settings, output, sandboxOffForRoot } = await resolveWith();
    expect(settings).toEqual({
      targets: ['http://x/'],
      maxPages: 25,
      serveTimeout: 60_000,
      runs: 5,
      failOn: 'slower',
      allowBroken: false,
      force: false,
      device: 'desktop',
      network: 'none',
      cpu: 1,
      view: 'cold',
      header: [],
      cookie: [],
      block: [],
      ignoreCertificateErrors: false,
      install: false,
      scriptTimeout: 60_000,
      quietWindow: 3000,
      maxInflight: 0,
      timeout: 60_000,
      background: [],
      foreground: [],
      evidence: true,
      trace: true,
      sourceMaps: false,
      ablation: true,
      format: ['html', 'json', 'har'],
      fullWindow: false,
      lateContent: 'report',
      harContent: false,
      harSecrets: false,
      sandbox: true,
      browserArg: [],
    });
    expect(output).toEqual({ json: false, open: false, quiet: false, verbose: false });
    expect(sandboxOffForRoot).toBe(false);
  });

  test('a file wins over defaults, a variable over the file, a flag over the variable', async () => {
    write('quiesce.config.json', { runs: 2, maxInflight: 2, timeout: 20_000 });
    const env = { QUIESCE_RUNS: '3', QUIESCE_MAX_INFLIGHT: '3' };
    const { stored: settings } = await resolveWith({ runs: '4' }, env);
    expect(settings).toMatchObject({ runs: 4, maxInflight: 3, timeout: 20_000, quietWindow: 3000 });
  });

  test('0 is a value', async () => {
    write('quiesce.config.json', { maxInflight: 2 });
    expect((await resolveWith({ maxInflight: '0' })).stored.maxInflight).toBe(0);
  });

  test('a variable that is empty is not set; one can switch off what the file switches on', async () => {
    write('quiesce.config.json', { runs: 2, harContent: true });
    const { stored: settings } = await resolveWith({}, { QUIESCE_RUNS: '', QUIESCE_HAR_CONTENT: 'false' });
    expect(settings).toMatchObject({ runs: 2, harContent: false });
  });

  test('lists: repeated flags add up, and replace the list of a weaker source', async () => {
    write('quiesce.config.json', { background: ['*/file*'] });
    expect((await resolveWith()).stored.background).toEqual(['*/file*']);
    expect((await resolveWith({ background: ['a, b', 'c'] })).stored.background).toEqual(['a, b', 'c']);
    expect((await resolveWith({ format: ['html,har', 'har'] })).stored.format).toEqual(['html', 'har']);
    expect((await resolveWith({}, { QUIESCE_BACKGROUND: 'a b' })).stored.background).toEqual(['a', 'b']);
  });

  test('a variable that is nearly an option is told, and others are left alone', async () => {
    const env = {
      QUIESCE_RUN: '5',
      QUIESCE_QUITE_WINDOW: '1s',
      QUIESCE_TIMEOUT: '9s',
      QUIESCE_ANN_PHONE: 'x',
      RUNS: '3',
    };
    expect((await resolveWith({}, env)).misspelt).toEqual([
      { name: 'QUIESCE_RUN', suggestion: 'QUIESCE_RUNS' },
      { name: 'QUIESCE_QUITE_WINDOW', suggestion: 'QUIESCE_QUIET_WINDOW' },
    ]);
  });

  test('the sandbox is off for root, unless somebody decided', async () => {
    expect(await resolveWith({}, {}, true)).toMatchObject({ stored: { sandbox: false }, sandboxOffForRoot: true });
    expect(await resolveWith({ sandbox: false })).toMatchObject({
      stored: { sandbox: false },
      sandboxOffForRoot: false,
    });
    expect(await resolveWith({}, { QUIESCE_SANDBOX: 'true' }, true)).toMatchObject({
      stored: { sandbox: true },
      sandboxOffForRoot: false,
    });
    expect((await resolveWith({ browserWs: 'ws://x/' }, {}, true)).sandboxOffForRoot).toBe(false);
  });
});

describe('switches that are on', () => {
  test('are switched off by a flag, a variable or the file', async () => {
    expect((await resolveWith({ evidence: false })).stored).toMatchObject({ evidence: false, ablation: true });
    expect((await resolveWith({}, { QUIESCE_ABLATION: 'no' })).stored).toMatchObject({ ablation: false });
    write('quiesce.config.json', { evidence: false, ablation: false });
    expect((await resolveWith()).stored).toMatchObject({ evidence: false, ablation: false });
    expect((await resolveWith({}, { QUIESCE_EVIDENCE: 'true' })).stored).toMatchObject({ evidence: true });
  });
});

describe('analyze', () => {
  const analyzing = (given: RawOptions = {}, env: Record<string, string> = {}) =>
    readCommandLine('analyze', ['a.har'], given, { env, cwd: folder(), isRoot: true });

  test('is told only what somebody said', async () => {
    const { stored: settings, sandboxOffForRoot } = await analyzing();
    expect(settings).toEqual({ files: ['a.har'], failOn: 'slower', force: false, format: ['html', 'json'] });
    expect(sandboxOffForRoot).toBe(false);
  });

  test('takes the policy from flags, variables and the file, and nothing that is only for audits', async () => {
    write('quiesce.config.json', { runs: 9, quietWindow: 1000, sandbox: false, foreground: ['*/a'] });
    const { stored: settings } = await analyzing({ maxInflight: '2' }, { QUIESCE_TIMEOUT: '9s', QUIESCE_RUNS: '3' });
    expect(settings).toEqual({
      files: ['a.har'],
      quietWindow: 1000,
      maxInflight: 2,
      timeout: 9000,
      foreground: ['*/a'],
      failOn: 'slower',
      force: false,
      format: ['html', 'json'],
    });
  });

  test('leaves out formats that a file or a variable names for audits, and refuses them as a flag', async () => {
    write('quiesce.config.json', { format: ['har', 'html'] });
    expect((await analyzing()).stored.format).toEqual(['html']);
    expect((await analyzing({}, { QUIESCE_FORMAT: 'json,har' })).stored.format).toEqual(['json']);
    write('quiesce.config.json', { format: ['har'] });
    expect((await analyzing()).stored.format).toEqual(['html', 'json']);
    expect(await refusalOf(analyzing({ format: ['har'] }))).toContain('--format: must be a list of html, json');
    expect(await refusalOf(analyzing({}, { QUIESCE_FORMAT: 'pdf' }))).toContain('QUIESCE_FORMAT: must be a list of');
  });

  test('checks what cannot be', async () => {
    expect(await refusalOf(analyzing({ timeout: '1s', quietWindow: '2s' }))).toContain('contradict');
    expect(await refusalOf(analyzing({ background: ['a'], foreground: ['a'] }))).toContain('contradict');
    // Only one of them was said: the file may say another.
    expect((await analyzing({ timeout: '1s' })).stored.timeout).toBe(1000);
  });
});

describe('configuration files', () => {
  test.each([
    ['json', '{ "runs": 9 }'],
    ['yaml', 'runs: 9\n'],
    ['yml', 'runs: 9\n'],
    ['js', 'export default { runs: 9 };'],
    ['mjs', 'export default { runs: 9 };'],
    ['ts', 'const config: { runs: number } = { runs: 9 };\nexport default config;'],
  ])('quiesce.config.%s is found and read', async (end, content) => {
    expect(CONFIG_FILES).toContain(`quiesce.config.${end}`);
    write('package.json', { type: 'module' });
    write(`quiesce.config.${end}`, content);
    expect((await resolveWith()).stored.runs).toBe(9);
  });

  test('one further up counts, and its paths are relative to it', async () => {
    write('quiesce.config.json', { out: 'results', browser: './bin/chrome', runs: 9 });
    mkdirSync(join(folder(), 'deep', 'down'), { recursive: true });
    const { stored: settings } = await resolveWith({}, {}, false, join(folder(), 'deep', 'down'));
    expect(settings).toMatchObject({ out: join(folder(), 'results'), browser: join(folder(), 'bin/chrome'), runs: 9 });
  });

  test('a bare browser name stays one', async () => {
    write('quiesce.config.json', { browser: 'chromium' });
    expect((await resolveWith()).stored.browser).toBe('chromium');
  });

  test('--config and QUIESCE_CONFIG name another', async () => {
    write('quiesce.config.json', { runs: 2 });
    write('ci.yaml', 'runs: 3\n');
    write('night.json', { runs: 4 });
    expect((await resolveWith({ config: 'ci.yaml' })).stored.runs).toBe(3);
    expect((await resolveWith({ config: 'ci.yaml' }, { QUIESCE_CONFIG: 'night.json' })).stored.runs).toBe(3);
    expect((await resolveWith({}, { QUIESCE_CONFIG: 'night.json' })).stored.runs).toBe(4);
  });

  test('an empty YAML file says nothing', async () => {
    write('empty.yaml', '# nothing yet\n');
    expect((await resolveWith({ config: 'empty.yaml' })).stored.runs).toBe(5);
  });

  test('a file that cannot be is told in one line', async () => {
    const said: Record<string, string> = {};
    for (const [what, name, content] of [
      ['an unknown key', 'c.json', { rnus: 3 }],
      ['a key in the flag’s spelling', 'c.json', { 'quiet-window': 3 }],
      ['a wrong type', 'c.json', { runs: '5' }],
      ['a wrong item', 'c.json', { browserArg: ['--a', 5] }],
      ['two mistakes', 'c.json', { runs: 0, timeout: 'x' }],
      ['a time with its unit', 'c.json', { timeout: '2 h' }],
      ['no object', 'c.json', [1]],
      ['broken JSON', 'c.json', '{ "runs": '],
      ['broken YAML', 'c.yaml', 'runs: [1\n'],
      ['a throwing module', 'c.mjs', 'throw new Error("my fault\\nsecond line")'],
      ['no default export', 'd.mjs', 'export const runs = 5'],
      ['another kind of file', 'c.toml', 'runs = 5'],
      ['a contradiction', 'c.json', { quiet: true, verbose: true }],
    ] as const) {
      write(name, content);
      said[what] = await refusalOf(resolveWith({ config: name }));
    }
    said['a file that is not there'] = await refusalOf(resolveWith({ config: 'gone.json' }));
    await expectApproved('settings/configuration-files', outlined(said));
  });
});

describe('what cannot be', () => {
  test('is told in one line', async () => {
    const said: Record<string, string> = {};
    const refused: readonly (readonly [RawOptions, Record<string, string>?])[] = [
      [{ runs: 'many' }],
      [{ runs: '0' }],
      [{}, { QUIESCE_RUNS: '2.5' }],
      [{}, { QUIESCE_JSON: 'maybe' }],
      [{ quietWindow: '0' }],
      [{ maxInflight: '-1' }],
      [{ format: ['htm'] }],
      [{ format: [','] }],
      [{ out: '--json' }],
      [{ quiet: true, verbose: true }],
      [{ browser: 'x', browserWs: 'ws://x/' }],
      [{ browserWs: 'ws://x/', browserArg: ['--a'] }],
      [{ browserWs: 'ws://x/', sandbox: false }],
      [{ background: ['a', 'b'], foreground: ['b'] }],
      [{ timeout: '3000', quietWindow: '3000' }],
      [{ timeout: '2000' }],
    ];
    for (const [given, env = {}] of refused) {
      said[JSON.stringify({ ...given, ...env })] = await refusalOf(resolveWith(given, env));
    }
    await expectApproved('settings/values', outlined(said));
  });

  test('a stronger source overrules what contradicts it in a weaker one', async () => {
    write('quiesce.config.json', { quiet: true, browserArg: ['--a'], foreground: ['a', 'b'] });
    const env = { QUIESCE_BROWSER: 'chromium' };
    const { values: settings, output } = await resolveWith(
      { verbose: true, browserWs: 'ws://x/', background: ['b'] },
      env,
    );
    expect(output).toMatchObject({ quiet: false, verbose: true });
    expect(settings).toMatchObject({ browserWs: 'ws://x/', browserArg: [], background: ['b'], foreground: ['a'] });
    expect(settings.browser).toBeUndefined();
  });
});
