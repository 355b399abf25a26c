import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { commandHelp, fullHelp } from '../../src/cli/help.ts';
import { reportFormats, trendFormats } from '../../src/reporters/formats.ts';
import {
  type CommandName,
  defaultsFor,
  EXCLUSIVE,
  OPTION_GROUPS,
  OPTIONS,
  optionNamed,
  optionsFor,
  parseText,
  SCHEMAS,
  variableOf,
} from '../../src/settings/options.ts';
import { compareReporters, reporters } from '../support/reporters.ts';

test('names, flags and variables are unique', () => {
  for (const of of [(it: (typeof OPTIONS)[number]) => it.name, (it: (typeof OPTIONS)[number]) => it.flag, variableOf]) {
    const all = OPTIONS.map(of);
    expect(new Set(all).size).toBe(all.length);
  }
});

test('the schema of each job holds its options, and their defaults', () => {
  for (const [command, schema] of Object.entries(SCHEMAS)) {
    const options = optionsFor(command as CommandName).filter(({ scope }) => scope === undefined);
    expect(Object.keys(schema.shape)).toEqual(options.map(({ name }) => name));
    const defaults = schema.parse({});
    expect(Object.keys(defaults)).toEqual(options.filter((each) => each.default !== undefined).map(({ name }) => name));
    expect(schema.safeParse({ rnus: 3 }).success).toBe(false);
    expect(defaultsFor(command as CommandName)).toEqual(
      Object.fromEntries(options.flatMap((each) => (each.default === undefined ? [] : [[each.name, each.default]]))),
    );
  }
});

test('jobs get values, not texts', () => {
  const audit = SCHEMAS.audit.parse({ network: 'slow-4g', header: ['X-A: b'], timeout: '2s', shard: '2/4' });
  expect(audit.network).toEqual({ name: 'slow-4g', latency: 562.5, download: 1440, upload: 675 });
  expect(audit.header).toEqual([{ name: 'X-A', value: 'b' }]);
  expect(audit.timeout).toBe(2000);
  expect(audit.shard).toEqual({ index: 2, of: 4 });
  expect(SCHEMAS.audit.parse({ network: 'none' }).network).toBeUndefined();
  expect(SCHEMAS.audit.parse({ network: { latency: 40, download: 5000 } }).network).toEqual({
    name: '40,5000,0',
    latency: 40,
    download: 5000,
  });
  const { minEffect, gate } = SCHEMAS.compare.parse({ minEffect: '3%', gate: ['LCP', 'add to basket: inp'] });
  expect(minEffect).toEqual({ relative: 0.03, absolute: 10, paint: 17 });
  expect(gate).toEqual([
    { metric: 'largestContentfulPaint' },
    { metric: 'interactionToNextPaint', step: 'add to basket' },
  ]);
});

test('behind a command an option may be another', () => {
  const format = (command: CommandName) => optionsFor(command).find(({ name }) => name === 'format');
  const known = reportFormats.map(({ format: each }) => each);
  expect(format('audit')?.default).toEqual(['html', 'json', 'har']);
  expect(format('audit')?.schema.parse(known)).toEqual(known);
  expect(format('compare')?.schema.parse(known)).toEqual(known);
  // HARs are what an analysis reads.
  expect(format('analyze')?.default).toEqual(['html', 'json']);
  expect(format('analyze')?.schema.parse(known.filter((each) => each !== 'har'))).toHaveLength(known.length - 1);
  expect(format('analyze')?.schema.safeParse(['har']).success).toBe(false);
  expect(format('trend')?.default).toEqual(['html', 'json']);
  expect(format('trend')?.schema.safeParse(['junit']).success).toBe(false);
  expect(format('report')?.default).toEqual(['html']);
  expect(format('report')?.schema.safeParse(['har']).success).toBe(false);
  // Every report can be asked for. HARs are written from recordings.
  const accepted = (command: CommandName) =>
    [...known, 'pdf'].filter((each) => format(command)?.schema.safeParse([each]).success);
  const written = (list: readonly { readonly format: string }[]) => list.map((each) => each.format).toSorted();
  expect(accepted('audit').toSorted()).toEqual([...written(reporters), 'har'].toSorted());
  expect(accepted('compare').toSorted()).toEqual([...written(compareReporters), 'har'].toSorted());
  expect(accepted('analyze').toSorted()).toEqual(written(reporters));
  expect(accepted('report').toSorted()).toEqual(written(reporters));
  expect(accepted('trend').toSorted()).toEqual(written(trendFormats));
  // What nobody asked for is the file's own.
  for (const name of ['quietWindow', 'maxInflight', 'timeout', 'background', 'foreground']) {
    const option = optionsFor('analyze').find((each) => each.name === name);
    expect(option?.default).toBeUndefined();
    expect(option?.defaultText).toMatch(/^the file's, or /);
  }
});

describe.each(OPTIONS.map((option) => [option.flag, option] as const))('%s', (flag, option) => {
  test('is described and belongs somewhere', () => {
    expect(option.description).toMatch(/\w{3}/);
    expect(option.description).not.toMatch(/\.$/);
    expect(OPTION_GROUPS).toContain(option.group);
    expect(option.commands.length).toBeGreaterThan(0);
    expect(option.kind === 'switch').toBe(option.argument === undefined);
  });

  test('is named after its flag', () => {
    const bare = flag.replace(/^--(no-)?/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(option.name).toBe(bare);
    expect(variableOf(option)).toMatch(/^QUIESCE_[A-Z\d_]+$/);
  });

  test('has a default that it would accept itself', () => {
    if (option.default === undefined) return;
    expect(option.schema.safeParse(option.default).success).toBe(true);
  });

  test('refuses what is of another kind, in one clause', () => {
    for (const wrong of [null, {}, Number.NaN]) {
      const checked = option.schema.safeParse(wrong);
      expect(checked.success).toBe(false);
      const message = checked.error?.issues[0]?.message ?? '';
      expect(message).toMatch(/^(must|needs)\b/);
      expect(message).not.toMatch(/\n/);
    }
  });

  test('stands in the help of its commands, with its default', () => {
    for (const name of option.commands) {
      const command = COMMANDS.find((it) => it.options === name);
      const help = command === undefined ? '' : commandHelp(command);
      expect(fullHelp(COMMANDS)).toContain(flag);
      const there = optionsFor(name).find((it) => it.name === option.name);
      expect(help).toContain([option.flag, there?.argument].filter(Boolean).join(' '));
      if (typeof there?.default === 'number' && there.kind === 'number') {
        expect(help).toContain(`(default: ${there.default})`);
      }
      expect(help.replace(/\s+/g, ' ')).toContain(there?.description);
    }
  });
});

test('what excludes each other is in the list', () => {
  for (const { pair, why } of EXCLUSIVE) {
    for (const name of pair) expect(optionNamed(name).name).toBe(name);
    expect(why).not.toBe('');
  }
});

describe('text becomes a value', () => {
  test.each([
    ['runs', '7', 7],
    ['runs', '7x', Number.NaN],
    ['runs', '', Number.NaN],
    ['runs', '0x10', Number.NaN],
    ['maxInflight', '-1', -1],
    ['timeout', '5000', 5000],
    ['timeout', '5000ms', 5000],
    ['timeout', '2m', 120_000],
    ['timeout', '1.5min', 90_000],
    ['timeout', '1h', Number.NaN],
    ['timeout', '2.5s', 2500],
    ['timeout', '5 minutes', Number.NaN],
    ['json', 'yes', true],
    ['json', '0', false],
    ['json', 'maybe', 'maybe'],
    ['format', 'html,har', ['html', 'har']],
    ['format', 'html, har', ['html', 'har']],
    ['background', '*/poll* */ping', ['*/poll*', '*/ping']],
    ['browserArg', '--user-agent=A B --mute-audio', ['--user-agent=A B', '--mute-audio']],
    ['browserArg', '--a\n--b', ['--a', '--b']],
  ])('%s of %j is %j', (name, text, value) => {
    expect(parseText(optionNamed(name), text)).toEqual(value);
  });

  test.each([
    ['runs', [1, 1000], [0, 1001, 2.5, -1, '5']],
    ['quietWindow', [0.5, 3000, '3000', '2.5s'], [0, -1, Number.POSITIVE_INFINITY, '0s', '5 minutes']],
    ['maxInflight', [0, 2], [-1, 0.5]],
    ['timeout', [1, 86_400_000], [0, 86_400_001]],
    ['format', [['har'], ['json', 'html'], []], [['pdf'], 'html']],
    [
      'completeOn',
      ['#ready', 'main > .done', 'mark:ready', 'js:window.ready === true', 'js:(async () => 1)()'],
      ['', ' ', 'mark:', 'js:', 'js:foo('],
    ],
    [
      'browserWs',
      ['ws://127.0.0.1:9222/devtools/browser/x', 'wss://host/', 'http://host:9222'],
      ['ftp://host/', 'host:9222', ''],
    ],
    ['browserArg', [['--mute-audio'], ['-x']], [['mute-audio'], ['']]],
    ['background', [[], ['*/poll*']], [[''], [' '], '*/poll*']],
    ['out', ['x'], ['', '  ']],
  ])('%s accepts and refuses', (name, good, bad) => {
    const { schema } = optionNamed(name);
    for (const value of good) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
  });
});
