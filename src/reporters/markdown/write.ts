import {
  areSentences,
  type Cell,
  cellText,
  type Details,
  factsOf,
  type Item,
  isCell,
  type Mark,
  type Part,
  paragraph,
  type Span,
  spansOf,
  type Table,
  type Text,
} from '../../report/parts.ts';
import { code, codeInHtml, prose } from './inert.ts';

/** Longest answer, item and cell that is written out: a reader needs the first most. */
const MAX_LENGTH = { paragraph: 800, item: 600, cell: 400 };

/** Pictures that every forge and mail program has; a word or sign stands beside each. Never red for what is better. */
const PICTURES: Readonly<Record<Mark, string>> = {
  good: '✅',
  bad: '❌',
  warning: '🟡',
  broken: '⚠️',
  unknown: '❔',
  invalid: '⛔',
  better: '🟢 ▼',
  worse: '🔴 ▲',
  slight: '🟡 ▲',
  same: '⚪ =',
  added: '➕',
  removed: '➖',
};

/**
 * Parts of a document as GitHub flavoured Markdown. Texts of pages are words or code in it: they mention nobody, link nowhere
 * and hold no HTML.
 */
export function writeMarkdown(parts: readonly Part[]): string {
  return parts
    .map(writePart)
    .filter((text) => text !== '')
    .join('\n\n');
}

function writePart(part: Part): string {
  switch (part.kind) {
    case 'heading': {
      // The word of a heading says what a sign would.
      const [picture] = PICTURES[part.mark].split(' ');
      const heading = `### ${picture} ${prose(part.text)}`;
      return part.about === undefined ? heading : `${heading}\n\n${write(part.about)}`;
    }
    case 'paragraph': {
      const text = marked(part.mark, write(part.text, MAX_LENGTH.paragraph));
      return part.weight === 'strong' ? `**${text}**` : text;
    }
    case 'alert':
      return `> [!${part.grave ? 'WARNING' : 'NOTE'}]\n> ${write(part.text, MAX_LENGTH.paragraph)}`;
    case 'facts': {
      if (areSentences(part.facts)) {
        const items = part.facts.map(([name, value]) => ({ text: [`${name}: `, ...spansOf(cellText(value))] }));
        return writePart({ kind: 'list', items, ...(part.title !== undefined && { title: part.title }) });
      }
      const facts = part.facts.map(([name, value]) => `${prose(name)} ${write(cellText(value))}`).join(' · ');
      return part.title === undefined ? facts : `**${prose(part.title)}** ${facts}`;
    }
    case 'split':
      return writePart({ kind: 'facts', title: part.title, facts: factsOf(part) });
    case 'list': {
      const items = [...part.items.map(writeItem), ...(part.more === undefined ? [] : [`- ${part.more}`])].join('\n');
      return below(part.title, items);
    }
    case 'table':
      return below(part.title, writeTable(part));
    case 'details':
      return writeDetails(part);
    case 'side-by-side':
      return writeMarkdown(part.parts);
    case 'figure':
      return part.text === undefined ? '' : `**${prose(part.title)}** ${write(part.text)}`;
  }
}

const below = (title: Text | undefined, body: string): string =>
  title === undefined ? body : `${write(title)}\n\n${body}`;

/** Folded away; the blank lines make Markdown of what is between. */
function writeDetails({ title, line, parts }: Details): string {
  const heading = spansOf(title).map((span) =>
    typeof span === 'object' && 'code' in span ? codeInHtml(span.code) : plainOf(span),
  );
  return `<details>\n<summary>${heading.join('')}</summary>\n\n${writeMarkdown([...paragraph(line), ...parts])}\n\n</details>`;
}

function writeItem({ text, mark, below: names = [] }: Item): string {
  return [`- ${marked(mark, write(text, MAX_LENGTH.item))}`, ...names.map((name) => `  - ${write(name)}`)].join('\n');
}

/** All columns, whatever their worth; cells have neither line breaks nor bars. */
function writeTable({ columns, rows, more }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ figures }) => (figures ? '--:' : ':--'))),
    ...rows.map((row) => line(row.map(writeCell))),
    ...(more === undefined ? [] : ['', more]),
  ].join('\n');
}

const writeCell = (cell: Cell | Text): string =>
  isCell(cell) ? marked(cell.mark, write(cell.text, MAX_LENGTH.cell)) : write(cell, MAX_LENGTH.cell);

const marked = (mark: Mark | undefined, text: string): string =>
  mark === undefined ? text : `${PICTURES[mark]} ${text}`;

/** A span of our own words, as a title that is read as HTML. */
const plainOf = (span: Span): string => {
  const text = typeof span === 'string' ? span : 'strong' in span ? span.strong : '';
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
};

function write(text: Text, most?: number): string {
  return spansOf(text)
    .map((span) => writeSpan(span, most))
    .join('');
}

function writeSpan(span: Span, most?: number): string {
  if (typeof span === 'string') return writeWords(span, most);
  if ('code' in span) return code(span.code);
  if ('address' in span) return code(span.address);
  if ('file' in span) return code(span.says ?? span.file);
  if ('picture' in span) return prose(span.says);
  if ('strong' in span) return `**${prose(span.strong)}**`;
  return `[${span.link}](${span.href})`;
}

/** Words between other spans keep the spaces and the signs of the sentence at their ends. */
function writeWords(text: string, most?: number): string {
  const [open = ''] = /^(?:[.,;:)]+(?= |$))? */.exec(text) ?? [];
  const rest = text.slice(open.length);
  const words = rest.trimEnd();
  return open + (words === '' ? '' : prose(words, most)) + (rest.endsWith(' ') ? ' ' : '');
}
