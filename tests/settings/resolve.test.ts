import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONFIG_FILES } from '../../src/settings/config-file.ts';
import { type RawOptions, readCommandLine } from '../../src/settings/gather.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown) =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

const resolveWith = (given: RawOptions = {}, env: Record<string, string> = {}, isRoot = false, cwd = folder) =>
  readCommandLine('audit', ['http://x/'], given, { env, cwd, isRoot });

const lineOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error & { exit?: number }) => {
      expect(error.name, error.stack).toBe('QuiesceError');
      expect(error.exit).toBe(2);
      expect(error.message).not.toMatch(/\n/);
      return error.message;
    },
  );

describe('where a value comes from', () => {
  test('defaults', async () => {
    const { stored: settings, output, sandboxOffForRoot } = await resolveWith();
    expect(settings).toEqual({
      targets: ['http://x/'],
      maxPages: 25,
      serveTimeout: 60_000,
      runs: 5,
      failOn: 'slower',
      device: 'desktop',
      network: 'none',
      cpu: 1,
      view: 'cold',
      header: [],
      cookie: [],
      block: [],
      ignoreCertificateErrors: false,
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
    readCommandLine('analyze', ['a.har'], given, { env, cwd: folder, isRoot: true });

  test('is told only what somebody said', async () => {
    const { stored: settings, sandboxOffForRoot } = await analyzing();
    expect(settings).toEqual({ files: ['a.har'], failOn: 'slower', format: ['html', 'json'] });
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
      format: ['html', 'json'],
    });
  });

  test('leaves out formats that a file or a variable names for audits, and refuses them as a flag', async () => {
    write('quiesce.config.json', { format: ['har', 'html'] });
    expect((await analyzing()).stored.format).toEqual(['html']);
    expect((await analyzing({}, { QUIESCE_FORMAT: 'json,har' })).stored.format).toEqual(['json']);
    write('quiesce.config.json', { format: ['har'] });
    expect((await analyzing()).stored.format).toEqual(['html', 'json']);
    expect(await lineOf(analyzing({ format: ['har'] }))).toContain('--format: must be a list of html, json');
    expect(await lineOf(analyzing({}, { QUIESCE_FORMAT: 'pdf' }))).toContain('QUIESCE_FORMAT: must be a list of');
  });

  test('checks what cannot be', async () => {
    expect(await lineOf(analyzing({ timeout: '1s', quietWindow: '2s' }))).toContain('contradict');
    expect(await lineOf(analyzing({ background: ['a'], foreground: ['a'] }))).toContain('contradict');
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
    mkdirSync(join(folder, 'deep', 'down'), { recursive: true });
    const { stored: settings } = await resolveWith({}, {}, false, join(folder, 'deep', 'down'));
    expect(settings).toMatchObject({ out: join(folder, 'results'), browser: join(folder, 'bin/chrome'), runs: 9 });
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

  test.each([
    ['an unknown key', 'c.json', { rnus: 3 }, 'c.json: unknown option "rnus" (did you mean "runs"?).'],
    ['a key in the flag’s spelling', 'c.json', { 'quiet-window': 3 }, 'did you mean "quietWindow"?'],
    ['a wrong type', 'c.json', { runs: '5' }, 'c.json: runs must be a whole number from 1 to 1000'],
    ['a wrong item', 'c.json', { browserArg: ['--a', 5] }, 'c.json: browserArg[1] must be an argument'],
    [
      'two mistakes',
      'c.json',
      { runs: 0, timeout: 'x' },
      'runs must be a whole number from 1 to 1000, not 0; timeout must',
    ],
    ['a time with its unit', 'c.json', { timeout: '2 h' }, 'not "2 h"'],
    ['no object', 'c.json', [1], 'c.json: must hold an object with options'],
    ['broken JSON', 'c.json', '{ "runs": ', 'c.json: '],
    ['broken YAML', 'c.yaml', 'runs: [1\n', 'c.yaml: '],
    [
      'a throwing module',
      'c.mjs',
      'throw new Error("my fault\\nsecond line")',
      'c.mjs: cannot be run, line 1: my fault.',
    ],
    ['no default export', 'c.mjs', 'export const runs = 5', 'c.mjs: has no default export.'],
    ['another kind of file', 'c.toml', 'runs = 5', 'c.toml: must end in .json'],
    ['a contradiction', 'c.json', { quiet: true, verbose: true }, 'quiet in c.json and verbose in c.json contradict'],
  ])('%s is told in one line', async (_, name, content, line) => {
    write(name, content);
    expect(await lineOf(resolveWith({ config: name }))).toContain(line);
  });

  test('a file that is not there', async () => {
    expect(await lineOf(resolveWith({ config: 'gone.json' }))).toBe('gone.json: there is no such file or folder.');
  });
});

describe('values that cannot be', () => {
  test.each<[RawOptions, Record<string, string>, string]>([
    [{ runs: 'many' }, {}, '--runs: must be a whole number from 1 to 1000, not "many".'],
    [{ runs: '0' }, {}, '--runs: must be a whole number from 1 to 1000, not "0".'],
    [{}, { QUIESCE_RUNS: '2.5' }, 'QUIESCE_RUNS: must be a whole number from 1 to 1000, not "2.5".'],
    [{}, { QUIESCE_JSON: 'maybe' }, 'QUIESCE_JSON: must be true or false, not "maybe".'],
    [{ quietWindow: '0' }, {}, '--quiet-window: must be a time above 0'],
    [{ maxInflight: '-1' }, {}, '--max-inflight: must be a whole number, 0 or more, not "-1".'],
    [{ format: ['htm'] }, {}, '(did you mean html?)'],
    [{ format: [','] }, {}, '--format: must be a list of html, json, har'],
    [{ out: '--json' }, {}, '--out: needs a value <dir>, not the option --json.'],
  ])('%j %j', async (given, env, line) => {
    expect(await lineOf(resolveWith(given, env))).toContain(line);
  });
});

describe('contradictions', () => {
  test.each<[RawOptions, string]>([
    [{ quiet: true, verbose: true }, '--quiet and --verbose contradict each other: leave one of them out.'],
    [{ browser: 'x', browserWs: 'ws://x/' }, '--browser and --browser-ws contradict each other'],
    [{ browserWs: 'ws://x/', browserArg: ['--a'] }, '--browser-ws and --browser-arg contradict each other'],
    [{ browserWs: 'ws://x/', sandbox: false }, '--browser-ws and --no-sandbox contradict each other'],
    [{ background: ['a', 'b'], foreground: ['b'] }, '--background b and --foreground b contradict each other'],
    [
      { timeout: '3000', quietWindow: '3000' },
      'the timeout must be longer than the quiet window, so raise one or lower the other',
    ],
    [{ timeout: '2000' }, '--timeout (2000 ms) and --quiet-window (3000 ms) contradict each other'],
  ])('%j', async (given, line) => {
    expect(await lineOf(resolveWith(given))).toContain(line);
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
