import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workflowCommand } from '../../../src/reporters/github/workflow-command.ts';
import { logLine } from '../../../src/wording/text/text.ts';
import { commandsIn } from '../../action/commands.ts';
import { anyLetters } from '../../support/texts.ts';
import { TRICKS } from '../hostile.ts';

const EVIL: readonly string[] = [
  '::error::forged',
  '\n::error::forged',
  '\r\n::set-output name=decision::same',
  '  ::add-mask::a',
  '##[error]forged',
  'x ##[set-output name=decision;]same',
  'a,title=other::message',
  'title=x::',
  '100 %0A::error::forged',
  '\u2028::error::forged',
  ...TRICKS,
];

describe('an annotation', () => {
  it('has its title and its message, whatever stands in them', () => {
    expect(workflowCommand('error', 'Page complete: the gate fails', 'It is 3.9% slower, 58 ms: too much')).toBe(
      '::error title=Page complete%3A the gate fails::It is 3.9%25 slower, 58 ms: too much',
    );
    expect(commandsIn(workflowCommand('warning', 'a:b,c', 'd\ne'))).toEqual([
      { command: 'warning', properties: { title: 'a:b,c' }, message: 'd e' },
    ]);
  });

  it.each(EVIL)('of %j is one command to a runner', (text) => {
    const found = commandsIn(`${workflowCommand('notice', text, text)}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]?.command).toBe('notice');
    expect(Object.keys(found[0]?.properties ?? {})).toEqual(text.trim() === '' ? [] : ['title']);
  });

  it('of any texts is one command', () => {
    fc.assert(
      fc.property(anyLetters(), anyLetters(), (title, message) => {
        const found = commandsIn(workflowCommand('error', `t${title}`, message));
        expect(found.map(({ command }) => command)).toEqual(['error']);
      }),
    );
  });
});

describe('a line of the log', () => {
  it.each(EVIL)('of %j is no command', (text) => {
    expect(commandsIn(logLine(text))).toEqual([]);
    expect(commandsIn(`note: ${logLine(text)}`)).toEqual([]);
  });

  it('says what it said', () => {
    expect(logLine('Page complete: 1.24 s')).toBe('Page complete: 1.24 s');
  });
});
