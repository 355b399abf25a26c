import type { CapacityFigures, CapacityLevel, CapacityResult } from '../../model/capacity.ts';
import { capacitySentence, endInWords, INSTABILITY, uslSentence } from '../../wording/capacity.ts';
import { plain } from '../../wording/text.ts';
import { levelColumns, serversOf } from '../capacity-table.ts';
import { type Ansi, ansi } from './ansi.ts';
import { columns, padLeft, wrap } from './columns.ts';
import type { TerminalOptions } from './index.ts';

/** Below this nothing can be laid out; the terminal wraps by itself then. */
const NARROWEST = 40;
const INDENT = '  ';

/** What a person wants to read right after a load test; ends with a newline. */
export function renderCapacity(result: CapacityResult, options: TerminalOptions): string {
  const style = ansi(options.color);
  const width = Math.max(NARROWEST, Math.floor(options.width));
  const servers = serversOf(result);
  const lines = [
    ...wrap(plain(result.sentence ?? ''), width).map(style.bold),
    ...servers.flatMap((server) => [
      '',
      plain(server.title),
      ...(servers.length > 1 ? wrap(plain(capacitySentence(server)), width) : []),
      ...tableOf(server, style),
      ...(server.ended
        ? wrap(endInWords(server.ended), width - INDENT.length).map((line) => style.dim(INDENT + line))
        : []),
      ...notes(server, style, width),
    ]),
    ...(result.budgets ?? []).flatMap(({ sentence, state }) => [
      ...wrap(`${state === 'pass' ? '✓' : state === 'fail' ? '✗' : '?'} ${plain(sentence)}`, width).map(
        state === 'fail' ? style.red : state === 'pass' ? style.green : style.yellow,
      ),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function tableOf({ levels, knee }: CapacityFigures, style: Ansi): readonly string[] {
  if (levels.length === 0) return [];
  const shown = levelColumns(levels);
  const rows = levels.map((level) => shown.map(({ read }) => read(level)));
  const widths = shown.map(({ title }, i) => Math.max(columns(title), ...rows.map((row) => columns(row[i] ?? ''))));
  const line = (cells: readonly string[]) => INDENT + cells.map((cell, i) => padLeft(cell, widths[i] ?? 0)).join('  ');
  return [
    style.dim(line(shown.map(({ title }) => title))),
    ...levels.map((level, i) => {
      const mark = level.concurrency === knee?.concurrency && level.rate === undefined ? '  ← knee' : '';
      const text = `${line(rows[i] ?? [])}${mark}${markOf(level)}`;
      return level.concurrency === knee?.concurrency ? style.bold(text) : level.stable ? text : style.yellow(text);
    }),
  ];
}

function markOf({ unstable = [], errorKinds }: CapacityLevel): string {
  const marks = unstable.map((code) =>
    code === 'errors' && errorKinds ? `failed: ${Object.keys(errorKinds).join(', ')}` : INSTABILITY[code],
  );
  return marks.length === 0 ? '' : `  ! ${plain(marks.join('; '))}`;
}

function notes(server: CapacityFigures, style: Ansi, width: number): readonly string[] {
  const law = uslSentence(server);
  return [
    ...(law === undefined ? [] : wrap(law, width - INDENT.length).map((line) => INDENT + line)),
    ...server.findings.flatMap(({ level, message }) =>
      wrap(plain(message), width - 2 * INDENT.length).map((line, i) => {
        const sign = i > 0 ? INDENT : level === 'warning' ? '! ' : '· ';
        return INDENT + (level === 'warning' ? style.yellow(sign) : style.dim(sign)) + line;
      }),
    ),
  ];
}
