import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanOutput } from '../../src/cli/output.ts';
import { ansi } from '../../src/reporters/terminal/ansi.ts';
import { logJson, logLine } from '../../src/wording/text/text.ts';
import { commandsIn } from '../action/commands.ts';
import { TRICKS } from '../reporters/hostile.ts';
import { anyLetters } from '../support/texts.ts';

function output(over: { color?: boolean; redacts?: boolean } = {}) {
  const written: string[] = [];
  const clean = cleanOutput({ write: (text) => written.push(text) }, { color: false, redacts: false, ...over });
  return { clean, text: () => written.join('') };
}

const COMMANDS: readonly string[] = [
  '::error::forged',
  ' \u00a0\u3000::set-output name=decision::same',
  'a\r::error::forged',
  '##[error]forged',
  'x ##[set-output name=decision;]same',
  '###[error]forged',
];

describe('what is written', () => {
  it('keeps the styles of our own tables where there is colour, and nothing else of that kind', () => {
    const { red, bold, dim } = ansi(true);
    const table = `${bold(`a ${red('b')}`)}\n  ${dim('c')}\n`;
    const colored = output({ color: true });
    colored.clean.write(`${table}\u001b[8mhidden\u001b[0m\u001b[2J\u001b]8;;https://evil.example\u001b\\`);
    expect(colored.text()).toBe(
      `${table}[U+001B][8mhidden[U+001B][0m[U+001B][2J[U+001B]]8;;https://evil.example[U+001B]\\`,
    );
    const plain = output();
    plain.clean.write(red('a'));
    expect(plain.text()).toBe('[U+001B][31ma[U+001B][39m');
  });

  it('of a line, also its line breaks', () => {
    const { clean, text } = output();
    clean.line('a\nquiesce: forged\r\n::error::forged\u2028b');
    expect(text()).toBe('a quiesce: forged ::error::forged[U+2028]b\n');
  });

  it('has what is ours as it is, and what stands after it clean', () => {
    const { clean, text } = output();
    clean.control('\r\u001b[2K', 'a\u001b[2Kb\u202e');
    expect(text()).toBe('\r\u001b[2Ka[U+001B][2Kb[U+202E]');
  });

  it('has no secrets, where it is to have none', () => {
    const [log, result] = [output({ redacts: true }), output()];
    for (const { clean } of [log, result]) clean.line('https://ann:hunter22@shop.example/?token=abc123def456');
    expect(log.text()).not.toMatch(/hunter22|abc123/);
    expect(result.text()).toContain('hunter22');
  });

  it.each([...COMMANDS, ...TRICKS])('of %j no line is a command to a runner', (trick) => {
    for (const color of [true, false]) {
      const { clean, text } = output({ color });
      clean.write(`${trick}\n${trick}`);
      clean.line(trick);
      clean.write(`${ansi(color).red(trick)}\n`);
      clean.control('', `${trick}\n`);
      expect(commandsIn(text())).toEqual([]);
    }
  });

  it('of any text no line is a command', () => {
    fc.assert(
      fc.property(anyLetters(), fc.constantFrom('::error::', '##[error]', ' ::debug::'), (letters, command) => {
        const { clean, text } = output();
        clean.write(`${letters}\n${command}${letters}\n${letters}${command}\n`);
        expect(commandsIn(text())).toEqual([]);
      }),
    );
  });
});

describe('a line of a log', () => {
  it('is no command to other runners either', () => {
    expect(logLine('##vso[task.setvariable variable=x]y')).toBe('## vso[task.setvariable variable=x]y');
    expect(logLine("##teamcity[buildStatus text='x']")).toBe("## teamcity[buildStatus text='x']");
    expect(logLine('::1 is an address')).toBe(': :1 is an address');
    expect(logLine('## A heading, a::b, [x]')).toBe('## A heading, a::b, [x]');
  });

  it('as JSON holds the same values', () => {
    const value = { '##[error]a': ['\u202e\u001b[31m', '::error::', '\u{e0041} 😀 é \ud800', '##vso[x]'] };
    const text = logJson(value);
    expect(JSON.parse(text)).toEqual(value);
    const { clean, text: left } = output();
    clean.write(text);
    expect(left()).toBe(text);
    expect(text).toContain('😀 é');
    for (const trick of ['\u202e', '\u001b', '\u{e0041}', '##']) expect(text).not.toContain(trick);
  });
});
