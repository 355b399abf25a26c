import {
  areSentences,
  type Cell,
  type Column,
  cellText,
  type Fact,
  factsOf,
  type Item,
  isCell,
  type Mark,
  type Part,
  type Drawing as Shown,
  SIGNS,
  type Table,
  type Text,
  textOf,
} from '../../report/parts.ts';
import { columns as columnsOf, fit, pad, padLeft, wrap } from './columns.ts';
import { bullet, INDENT, indented, type Paint, prose, type Screen, unpainted, widest } from './screen.ts';

const COLOURS: Readonly<Record<Mark, 'green' | 'red' | 'yellow' | 'dim' | undefined>> = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  broken: 'yellow',
  unknown: 'yellow',
  invalid: 'red',
  better: 'green',
  worse: 'red',
  slight: 'yellow',
  same: undefined,
  added: 'yellow',
  removed: 'dim',
};

const GAP = '  ';
/** A name that is cut shorter than this cannot be told from its neighbours, columns. */
const SHORTEST_NAME = 16;
/** Sentences have at least this much room beside their row, or they stand below it, columns. */
const SHORTEST_SENTENCE = 40;
/** Columns of a drawing, where there is room for it; odd, so that its middle has one. */
const DRAWING = { least: 19, most: 31 };

/** Draws what stands beside the rows of a table, `width` columns wide. */
export interface Drawing {
  readonly name: Shown['name'];
  readonly title: (width: number) => string;
  readonly draw: (of: Shown, at: number, width: number) => string;
}

/** Parts of a document as lines of a terminal. */
export function writeTerminal(parts: readonly Part[], screen: Screen, drawing?: Drawing): readonly string[] {
  const lines: string[] = [];
  let before: Part | undefined;
  for (const part of parts) {
    if (before !== undefined && !isBelow(part, before)) lines.push('');
    lines.push(...writePart(part, screen, drawing));
    before = part;
  }
  return lines;
}

/** Sentences stand together, and a remark below what it is about. What has rows stands apart, and figures begin a group. */
function isBelow(part: Part, before: Part): boolean {
  if (part.kind === 'paragraph' && part.weight === 'light') return true;
  return hasNoRows(before) && hasNoRows(part) && part.kind !== 'facts';
}

const hasNoRows = ({ kind }: Part): boolean => kind !== 'table' && kind !== 'list' && kind !== 'details';

function writePart(part: Part, screen: Screen, drawing: Drawing | undefined): readonly string[] {
  const { style, width } = screen;
  switch (part.kind) {
    case 'heading': {
      const paint = paintOf(part.mark, screen);
      const head = `${SIGNS[part.mark]} ${part.text}`;
      const about = part.about === undefined ? '' : fit(textOf(part.about), width - columnsOf(head) - GAP.length);
      return [style.bold(paint(head)) + (about === '' ? '' : GAP + about)];
    }
    case 'paragraph': {
      const paint = part.weight === 'strong' ? style.bold : part.weight === 'light' ? style.dim : unpainted;
      return marked(part.mark, textOf(part.text), screen, paint);
    }
    case 'alert':
      return bullet(textOf(part.text), screen, part.grave ? '⚠ ' : '! ', style.yellow).map(style.yellow);
    case 'facts':
      return factLines(part.title, part.facts, screen);
    case 'split':
      return factLines(part.title, factsOf(part), screen);
    case 'list':
      return [
        ...titleLines(part.title, screen),
        ...part.items.flatMap((item) => itemLines(item, screen)),
        ...moreLines(part.more, screen),
      ];
    case 'table':
      return [...titleLines(part.title, screen), ...tableLines(part, screen, drawing), ...moreLines(part.more, screen)];
    case 'details':
      return [
        ...titleLines(
          part.line === undefined ? part.title : `${textOf(part.title).replace(/(?<![?.])$/, ':')} ${part.line}`,
          screen,
        ),
        ...writeTerminal(part.parts, screen, drawing),
      ];
    case 'side-by-side':
      return writeTerminal(part.parts, screen, drawing);
    case 'figure':
      return part.text === undefined ? [] : prose(`${part.title}: ${textOf(part.text)}`, screen);
  }
}

const titleLines = (title: Text | undefined, screen: Screen): readonly string[] =>
  title === undefined ? [] : prose(textOf(title), screen, screen.style.bold);

const moreLines = (more: string | undefined, screen: Screen): readonly string[] =>
  more === undefined ? [] : indented(more, screen, screen.style.dim);

/** Facts side by side: none is broken in two. */
function factLines(title: string | undefined, facts: readonly Fact[], screen: Screen): readonly string[] {
  if (areSentences(facts)) {
    const items = facts.map(([name, value]): Item => {
      const { text, remarks } = cellOf(value);
      return { text: [`${name}:`, text, remarks].filter((each) => each !== '').join(' ') };
    });
    return [...titleLines(title, screen), ...items.flatMap((item) => itemLines(item, screen))];
  }
  const lines: string[] = [];
  let line = title === undefined ? '' : `${title}:`;
  facts.forEach(([name, value], index) => {
    const fact = `${name} ${textOf(cellText(value))}${index === facts.length - 1 ? '' : ' ·'}`;
    if (line !== '' && columnsOf(line) + 1 + columnsOf(fact) > screen.width) {
      lines.push(line);
      line = fact;
    } else line = line === '' ? fact : `${line} ${fact}`;
  });
  return [...lines, line].flatMap((each) => prose(each, screen));
}

function itemLines({ text, mark, below = [] }: Item, screen: Screen): readonly string[] {
  const { style, width } = screen;
  return [
    ...(mark === undefined ? bullet(textOf(text), screen) : marked(mark, textOf(text), screen)),
    ...below.map((name) => INDENT + style.dim(fit(textOf(name), width - INDENT.length))),
  ];
}

function marked(mark: Mark | undefined, text: string, screen: Screen, paint: Paint = unpainted): readonly string[] {
  if (mark === undefined) return prose(text, screen, paint);
  return bullet(text, screen, `${SIGNS[mark]} `, paintOf(mark, screen)).map(paint);
}

function paintOf(mark: Mark | undefined, { style }: Screen): Paint {
  const colour = mark === undefined ? undefined : COLOURS[mark];
  return colour === undefined ? unpainted : style[colour];
}

/** The text of a table's cell, its column and its colour. */
interface Placed {
  readonly column: Column;
  readonly index: number;
  readonly width: number;
}

/**
 * Rows with a head. Where there is no room, columns of little worth go first; sentences then stand below their row, and names
 * are cut in their middle.
 */
function tableLines(table: Table, screen: Screen, drawing: Drawing | undefined): readonly string[] {
  const { style, width } = screen;
  const cells = table.rows.map((row) => row.map((cell) => cellOf(cell)));
  const room = width - INDENT.length;
  const all = table.columns.map((column, index): Placed => {
    const texts = [...cells.map((row) => row[index]?.text ?? ''), column.title];
    return { column, index, width: widest(texts) };
  });
  const beside = placed(all, room);
  const used = beside.reduce((sum, each) => sum + each.width + GAP.length, 0);
  const free = room - used;
  const sentences = all.filter((each) => each.column.long && !beside.some(({ index }) => index === each.index));
  // Beside a short row a sentence goes on in lines of its own column.
  const hanging = free >= SHORTEST_SENTENCE && sentences.length === 1 ? sentences[0] : undefined;
  const under = hanging === undefined ? sentences : [];
  const shown = table.drawings?.find((each) => each.name === drawing?.name);
  const drawn =
    drawing === undefined || shown === undefined || free < DRAWING.least
      ? 0
      : Math.min(DRAWING.most, free - ((free + 1) % 2));
  const line = (texts: (place: Placed) => string, paint: (place: Placed) => Paint, last: string): string =>
    [
      ...beside.map((place) => {
        const text = fit(texts(place), place.width);
        return paint(place)(place.column.figures ? padLeft(text, place.width) : pad(text, place.width));
      }),
      last,
    ]
      .join(GAP)
      .trimEnd();
  const head = line(
    ({ column }) => column.title,
    () => unpainted,
    hanging?.column.title ?? (drawn === 0 ? '' : (drawing?.title(drawn) ?? '')),
  );
  const below = INDENT + INDENT;
  return [
    ...(head === '' ? [] : [INDENT + style.dim(head)]),
    ...cells.flatMap((row, at) => {
      const picture = drawn === 0 || shown === undefined ? '' : drawing?.draw(shown, at, drawn);
      const [first = '', ...rest] = hanging === undefined ? [picture] : wrap(row[hanging.index]?.text ?? '', free);
      return [
        INDENT +
          line(
            ({ index }) => row[index]?.text ?? '',
            ({ index }) => paintOf(row[index]?.mark, screen),
            first,
          ),
        ...rest.map((text) => INDENT + ' '.repeat(used) + text),
        ...under.flatMap(({ index }) =>
          wrap(row[index]?.text ?? '', width - below.length).map((text) => below + style.dim(text)),
        ),
        ...row.flatMap(({ remarks }) => wrap(remarks, width - below.length).map((text) => below + style.dim(text))),
      ];
    }),
  ];
}

/** The columns that stand beside each other, with their widths. */
function placed(all: readonly Placed[], room: number): readonly Placed[] {
  const total = (of: readonly Placed[]): number =>
    of.reduce((sum, each) => sum + each.width, GAP.length * (of.length - 1));
  let shown = all;
  // Sentences may be broken, but not into words.
  if (total(shown) > room) shown = shown.filter(({ column }) => !column.long);
  const least = (of: readonly Placed[]): number =>
    total(of.map((each) => (isName(each) ? { ...each, width: Math.min(each.width, SHORTEST_NAME) } : each)));
  for (;;) {
    const worths = shown.flatMap(({ column }) => column.worth ?? []);
    if (least(shown) <= room || worths.length === 0) break;
    shown = shown.filter(({ column }) => column.worth !== Math.min(...worths));
  }
  // What is still too much is cut from the widest name.
  const names = shown.filter(isName).toSorted((a, b) => b.width - a.width);
  let excess = total(shown) - room;
  const cut = new Map<number, number>();
  for (const { index, width } of names) {
    if (excess <= 0) break;
    const by = Math.min(excess, Math.max(0, width - SHORTEST_NAME / 2));
    cut.set(index, width - by);
    excess -= by;
  }
  return shown.map((each) => ({ ...each, width: cut.get(each.index) ?? each.width }));
}

const isName = ({ column }: Placed): boolean => column.figures !== true && column.long !== true;

function cellOf(cell: Cell | Text): {
  readonly text: string;
  readonly mark?: Mark | undefined;
  readonly remarks: string;
} {
  if (!isCell(cell)) return { text: textOf(cell), remarks: '' };
  const { text, mark, remarks = [] } = cell;
  return {
    text: `${mark === undefined ? '' : `${SIGNS[mark]} `}${textOf(text)}`,
    mark,
    remarks: remarks.map(textOf).join(' · '),
  };
}
