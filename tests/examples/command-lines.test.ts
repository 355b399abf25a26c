import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { visible } from '../../src/cli/help.ts';
import { main } from '../../src/cli/main.ts';
import type { Jobs } from '../../src/cli/world.ts';
import { fakeWorld } from '../cli/fake-world.ts';
import { folderForAll } from '../support/folders.ts';
import { type CommandLine, commandLines, ofOurs } from './command-lines.ts';
import { textOf } from './places.ts';

/** What the ConfigMap of the Kubernetes example puts there. */
const MOUNTED = '/etc/quiesce';

const folder = folderForAll('command-lines');
let cwd: string;
beforeAll(() => {
  cwd = mkdirSync(join(folder(), 'project'), { recursive: true }) ?? folder();
  // With one, an audit needs no words; further up, it is not in the way of quiesce init.
  writeFileSync(join(folder(), 'quiesce.config.yaml'), 'pages: [{ name: shop, url: https://example.com/shop/ }]');
  const { data } = parse(textOf('examples/kubernetes/configmap.yaml')) as { data: Record<string, string> };
  writeFileSync(join(cwd, 'auth.json'), '{"cookies":[{"name":"a","value":"b","domain":"a.example","path":"/"}]}');
  for (const [name, text] of Object.entries(data)) writeFileSync(join(cwd, `mounted-${name}`), text);
});

const REACHED = 'the job was reached';
/** No job is done: it is enough that the command line was understood as far as that. */
const jobs = new Proxy({} as Jobs, {
  get: () => async () => {
    throw new Error(REACHED);
  },
});

/** What is said of a command line; undefined when it was understood. */
async function complaint({ argv, env }: Pick<CommandLine, 'argv' | 'env'>): Promise<string | undefined> {
  // Which share of the work it does, a pod of an indexed job is told by Kubernetes.
  const world = { ...fakeWorld({ cwd, env: { JOB_COMPLETION_INDEX: '0', ...env } }), jobs };
  const { written } = world;
  const exit = await main(
    argv.map((word) =>
      word.replace(`${MOUNTED}/`, join(cwd, 'mounted-')).replace(/^auth\.json$/, join(cwd, 'auth.json')),
    ),
    world,
  );
  return exit === 0 || written.stderr.includes(REACHED) ? undefined : written.stderr;
}

const LINES = commandLines();

test('every command is shown somewhere', () => {
  const shown = new Set(LINES.map(({ argv }) => argv[0]));
  for (const { name } of visible(COMMANDS)) expect(shown).toContain(name.split(' ')[0]);
});

test('what people are told to type is understood', async () => {
  for (const line of LINES) {
    expect(await complaint(line), `${line.from}\n${JSON.stringify(line.argv)}`).toBe(undefined);
  }
});

test.each(COMMANDS.flatMap(({ examples }) => examples.map(([line]) => line)))(
  'so is what the help shows: %s',
  async (line) => {
    const found = ofOurs('help', line);
    expect(found).not.toEqual([]);
    for (const each of found) expect(await complaint(each)).toBe(undefined);
  },
);

const WRONG: readonly [string, readonly string[], string, Readonly<Record<string, string>>?][] = [
  ['an unknown command', ['compair', 'a', 'b'], 'compair'],
  ['an unknown option', ['audit', 'https://example.com/', '--run=3'], '--run'],
  ['a wrong value', ['compare', 'a', 'b', '--shard=5/4'], '--shard'],
  ['a missing word', ['compare', 'a'], 'two builds'],
  ['an option of another command', ['trend', 'nightly', '--runs=5'], '--runs'],
  ['a wrong variable', ['audit', 'https://example.com/'], 'QUIESCE_RUNS', { QUIESCE_RUNS: 'x' }],
];
test.each(WRONG)('what is wrong is found: %s', async (_what, argv, named, env = {}) => {
  expect(await complaint({ argv, env })).toContain(named);
});
