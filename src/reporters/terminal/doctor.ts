import type { DoctorFinding, DoctorLevel, DoctorResult } from '../../model/host/doctor.ts';
import { formatCount } from '../../wording/text/format.ts';
import type { Ansi } from './ansi.ts';
import { pad, wrap } from './columns.ts';
import { type Paint, prose, type Screen, screenOf, type TerminalOptions } from './screen.ts';

/** A sign for each level: it is read where there is no colour, and by those who do not see one. */
const SIGNS: Readonly<Record<DoctorLevel, string>> = { ok: '✓', warning: '!', problem: '✗', unknown: '?' };

/** What was looked at, in one word each. */
const TITLES: Readonly<Record<DoctorFinding['code'], string>> = {
  browser: 'browser',
  'browser-machine': 'elsewhere',
  system: 'system',
  processors: 'processors',
  'processor-limit': 'limit',
  governor: 'clock',
  turbo: 'turbo',
  power: 'power',
  memory: 'memory',
  load: 'load',
  busy: 'busy',
  steal: 'stolen',
  pressure: 'waiting',
  noise: 'steadiness',
  'self-comparison': 'itself',
  resolution: 'resolution',
};
const TITLE_WIDTH = Math.max(...Object.values(TITLES).map((title) => title.length));
/** Sign, blank, title, two blanks. */
const HANGING = TITLE_WIDTH + 4;

/** What a person wants to read after `quiesce doctor`: a line for each thing, advice below it; ends with a newline. */
export function renderDoctor(result: DoctorResult, options: TerminalOptions): string {
  const screen = screenOf(options);
  const lines = [
    ...result.findings.flatMap((finding) => findingLines(finding, screen)),
    '',
    ...prose(conclusion(result), screen, screen.style.bold),
  ];
  return `${lines.join('\n')}\n`;
}

function findingLines({ code, level, what, advice }: DoctorFinding, { style, width }: Screen): readonly string[] {
  const room = width - HANGING;
  const [first = '', ...more] = wrap(what, room);
  const indent = ' '.repeat(HANGING);
  const next = advice === undefined ? [] : wrap(advice, room - 2);
  return [
    `${dress(level, style)(SIGNS[level])} ${style.dim(pad(TITLES[code], TITLE_WIDTH))}  ${first}`,
    ...more.map((line) => indent + line),
    ...next.map((line, index) => `${indent}${index === 0 ? '→ ' : '  '}${line}`),
  ];
}

function dress(level: DoctorLevel, style: Ansi): Paint {
  switch (level) {
    case 'ok':
      return style.green;
    case 'warning':
      return style.yellow;
    case 'problem':
      return style.red;
    case 'unknown':
      return style.dim;
  }
}

function conclusion({ findings, verdict }: DoctorResult): string {
  const of = (level: DoctorLevel): number => findings.filter((finding) => finding.level === level).length;
  const warnings = of('warning');
  const also = warnings === 0 ? '' : ` (${formatCount(warnings, 'warning')})`;
  if (verdict === 'fit') return `This machine is fit to measure${also}.`;
  return `This machine is not fit to measure: ${formatCount(of('problem'), 'problem')} to fix first${also}.`;
}
