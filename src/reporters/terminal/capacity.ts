import type { CapacityFigures, CapacityLevel, CapacityResult } from '../../model/capacity.ts';
import { capacitySentence, endInWords, INSTABILITY, uslSentence } from '../../wording/capacity.ts';
import { plain } from '../../wording/text.ts';
import { levelColumns, serversOf } from '../capacity-table.ts';
import { fit, padLeft, wrap } from './columns.ts';
import { INDENT, indented, prose, type Screen, screenOf, type TerminalOptions, widest } from './screen.ts';

/** What a person wants to read right after a load test; ends with a newline. */
export function renderCapacity(result: CapacityResult, options: TerminalOptions): string {
  const screen = screenOf(options);
  const { style } = screen;
  const servers = serversOf(result);
  const lines = [
    ...prose(result.sentence ?? '', screen, style.bold),
    ...servers.flatMap((server) => [
      '',
      fit(server.title, screen.width),
      ...(servers.length > 1 ? prose(capacitySentence(server), screen) : []),
      ...tableOf(server, screen),
      ...(server.ended ? indented(endInWords(server.ended), screen, style.dim) : []),
      ...notes(server, screen),
    ]),
    ...(result.budgets ?? []).flatMap(({ sentence, state }) =>
      prose(
        `${state === 'pass' ? '✓' : state === 'fail' ? '✗' : '?'} ${sentence}`,
        screen,
        state === 'fail' ? style.red : state === 'pass' ? style.green : style.yellow,
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function tableOf({ levels, knee }: CapacityFigures, { style }: Screen): readonly string[] {
  if (levels.length === 0) return [];
  const shown = levelColumns(levels);
  const rows = levels.map((level) => shown.map(({ read }) => read(level)));
  const widths = shown.map(({ title }, i) => widest([title, ...rows.map((row) => row[i] ?? '')]));
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

function notes(server: CapacityFigures, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const law = uslSentence(server);
  return [
    ...indented(law ?? '', screen),
    ...server.findings.flatMap(({ level, message }) =>
      wrap(message, width - 2 * INDENT.length).map((line, i) => {
        const sign = i > 0 ? INDENT : level === 'warning' ? '! ' : '· ';
        return INDENT + (level === 'warning' ? style.yellow(sign) : style.dim(sign)) + line;
      }),
    ),
  ];
}
