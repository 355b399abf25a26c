import { cellText, factsOf, type Item, type Part, type Table, type Text, textOf } from '../report/parts.ts';

/** Parts of a document as lines without columns and colours, for the results of tests. */
export function writePlain(parts: readonly Part[]): readonly string[] {
  return parts.flatMap(linesOf);
}

function linesOf(part: Part): readonly string[] {
  switch (part.kind) {
    case 'heading':
      return [part.about === undefined ? part.text : `${part.text}: ${textOf(part.about)}`];
    case 'paragraph':
    case 'alert':
      return [textOf(part.text)];
    case 'facts':
      return [
        (part.title === undefined ? '' : `${part.title}: `) +
          part.facts.map(([name, value]) => `${name} ${textOf(cellText(value))}`).join(' · '),
      ];
    case 'split':
      return linesOf({ kind: 'facts', title: part.title, facts: factsOf(part) });
    case 'list':
      return [...titleOf(part.title), ...part.items.flatMap(linesOfItem), ...moreOf(part.more)];
    case 'table':
      return [...titleOf(part.title), ...rowsOf(part), ...moreOf(part.more)];
    case 'details':
      return [...titleOf(part.title), ...(part.line === undefined ? [] : [part.line]), ...writePlain(part.parts)];
    case 'side-by-side':
      return writePlain(part.parts);
    case 'figure':
      return part.text === undefined ? [] : [`${part.title}: ${textOf(part.text)}`];
  }
}

const titleOf = (title: Text | undefined): readonly string[] => (title === undefined ? [] : [`${textOf(title)}:`]);
const moreOf = (more: string | undefined): readonly string[] => (more === undefined ? [] : [`- ${more}`]);

const linesOfItem = ({ text, below = [] }: Item): readonly string[] => [
  `- ${textOf(text)}`,
  ...below.map((name) => `  ${textOf(name)}`),
];

/** A row is a sentence: "poll /api/stock, if counted 7.90 s: asked again every second". */
function rowsOf({ columns, rows }: Table): readonly string[] {
  return rows.map((row) =>
    columns.reduce((line, { title, figures, long }, i) => {
      const said = textOf(cellText(row[i] ?? ''));
      if (said === '') return line;
      if (long) return `${line}: ${said}`;
      return figures ? `${line}, ${title.toLowerCase()} ${said}` : `${line} ${said}`;
    }, '-'),
  );
}
