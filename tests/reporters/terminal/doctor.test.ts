import { describe, expect, it } from 'vitest';
import type { DoctorFinding, DoctorResult } from '../../../src/model/host/doctor.ts';
import { columns } from '../../../src/reporters/terminal/columns.ts';
import { renderDoctor } from '../../../src/reporters/terminal/doctor.ts';
import { factsOf } from '../../support/facts.ts';

const FINDINGS: readonly DoctorFinding[] = [
  { code: 'browser', level: 'ok', what: 'Chrome/1 starts.' },
  { code: 'governor', level: 'unknown', what: 'The clock of the CPU is not known.' },
  { code: 'load', level: 'warning', what: 'The load was high.', advice: 'Wait until what was running has ended.' },
  { code: 'busy', level: 'problem', what: '62% of the CPU was busy.', advice: 'End it.' },
];

const resultOf = (findings: readonly DoctorFinding[]): DoctorResult => ({
  version: 1,
  kind: 'doctor',
  tool: { name: 'quiesce', version: '0.0.0' },
  browser: { product: 'Chrome/1' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: {},
  verdict: findings.some(({ level }) => level === 'problem') ? 'unfit' : 'fit',
  facts: factsOf(),
  findings,
});

describe('renderDoctor', () => {
  it('lines up what was found, each with its sign, advice below', () => {
    expect(renderDoctor(resultOf(FINDINGS), { color: false, width: 100 })).toBe(
      [
        '✓ browser     Chrome/1 starts.',
        '? clock       The clock of the CPU is not known.',
        '! load        The load was high.',
        '              → Wait until what was running has ended.',
        '✗ busy        62% of the CPU was busy.',
        '              → End it.',
        '',
        'This machine is not fit to measure: 1 problem to fix first (1 warning).',
        '',
      ].join('\n'),
    );
  });

  it('says that a machine is fit', () => {
    expect(renderDoctor(resultOf(FINDINGS.slice(0, 2)), { color: false, width: 100 })).toContain(
      '\n\nThis machine is fit to measure.\n',
    );
  });

  it('keeps to the width, with and without colour', () => {
    const long = FINDINGS.map((finding) => ({
      ...finding,
      what: `${finding.what} `.repeat(9),
      advice: 'word '.repeat(60),
    }));
    for (const width of [40, 60, 100, 200]) {
      const lines = renderDoctor(resultOf(long), { color: false, width }).split('\n');
      expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(width);
      const colored = renderDoctor(resultOf(long), { color: true, width });
      expect(colored).not.toBe(lines.join('\n'));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is taken out.
      expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(lines.join('\n'));
    }
  });

  it('lets no control character of a program name through', () => {
    const name: DoctorFinding = { code: 'busy', level: 'problem', what: 'busy by \u001b[2Jevil\nname' };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
    expect(renderDoctor(resultOf([name]), { color: false, width: 100 })).not.toMatch(/\u001b|evil\n/);
  });
});
