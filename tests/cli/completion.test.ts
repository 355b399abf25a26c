import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { completionScript, SHELLS } from '../../src/cli/completion.ts';
import { OPTIONS } from '../../src/settings/options.ts';

const run = promisify(execFile);
const has = (shell: string): Promise<boolean> =>
  run(shell, ['--version']).then(
    () => true,
    () => false,
  );
const THERE = new Map(await Promise.all(SHELLS.map(async (shell) => [shell, await has(shell)] as const)));

test.each(SHELLS)('the script of %s names every command and option', (shell) => {
  const script = completionScript(shell, COMMANDS);
  for (const { name, hidden } of COMMANDS) if (!hidden) expect(script).toContain(name.split(' ')[0]);
  for (const { flag } of OPTIONS) expect(script).toContain(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag);
  expect(script).not.toContain('plan|measure');
});

test.each(SHELLS.filter((shell) => THERE.get(shell)))('the script of %s is one', async (shell) => {
  await run(shell, ['-n', '-c', completionScript(shell, COMMANDS)]);
});

describe.skipIf(!THERE.get('bash'))('bash', () => {
  test.each([
    [
      ['quiesce', 'a'],
      ['audit', 'analyze'],
    ],
    [['quiesce', 'browser', ''], ['install']],
    [
      ['quiesce', 'completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['quiesce', '--v'], ['--version']],
    [['quiesce', 'audit', '--ru'], ['--runs']],
    [['quiesce', 'audit', './dist', '--lig'], ['--lighthouse']],
    [['quiesce', 'compare', '--ru'], []],
    [
      ['quiesce', 'audit', '--network', 'slow'],
      ['slow-4g', 'slow-3g'],
    ],
    [
      ['quiesce', 'trend', '--by', ''],
      ['time', 'commit'],
    ],
    [['quiesce', 'audit', '-o', ''], []],
    [['quiesce', 'audit', './di'], []],
    [['quiesce', '--json', 'au'], ['audit']],
  ])('%j', async (words, found) => {
    const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _quiesce; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await run('bash', ['-c', script]);
    expect(stdout.trim().split(' ').filter(Boolean)).toEqual(found);
  });
});
