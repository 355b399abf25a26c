import { type ComponentChildren, createContext, Fragment, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import {
  type Cell,
  cellText,
  type Details,
  type Drawing,
  type FigureName,
  type Item,
  isAbsent,
  isCell,
  type Mark,
  type Part,
  type Shot as ShotSpan,
  SIGNS,
  type Span,
  type StoredFile,
  spansOf,
  type Table as TablePart,
  type Text,
  textOf,
} from '../../report/parts.ts';
import { ABSENT, formatCount } from '../../wording/text/format.ts';
import { storedName } from '../../wording/text/text.ts';
import { BudgetBar } from './budgets/budget-bar.tsx';
import { IntervalDrawing } from './compare/interval-drawing.tsx';
import { LoadStrip } from './compare/load-strip.tsx';
import { type Fact, Facts } from './components/facts.tsx';
import { Owners } from './components/owners.tsx';
import { Address, foreignName, Part as Section, sentence } from './components/part.tsx';
import { Shot } from './components/shot.tsx';
import { Split } from './components/split.tsx';
import { type Column, Table } from './components/table.tsx';
import { FileLink } from './links/file-link.tsx';
import { Outside } from './links/outside.tsx';
import type { EmbeddedPictures } from './links/picture.ts';
import { slug } from './links/slug.ts';
import { Dots } from './metrics/dots.tsx';

/** The figures of a document, by their names. */
export type Figures = Partial<Readonly<Record<FigureName, () => JSX.Element | undefined>>>;

const FiguresOf = createContext<Figures>({});
const PicturesOf = createContext<EmbeddedPictures>(new Map());

/** Rows and items that are seen at once, where the rest is folded. */
const MAX_ROWS = 6;

/** The tone of each mark, as style sheets know it. */
export const TONES: Readonly<Partial<Record<Mark, string>>> = {
  good: 'better',
  better: 'better',
  bad: 'worse',
  broken: 'worse',
  invalid: 'worse',
  worse: 'worse',
  warning: 'unsure',
  unknown: 'unsure',
  slight: 'unsure',
};

/** The chapters of a document: a row each that unfolds in place, or a figure. `id` begins the ids of their elements. */
export function Chapters(props: {
  readonly parts: readonly Part[];
  readonly id: string;
  readonly figures: Figures;
  readonly pictures?: EmbeddedPictures;
}): JSX.Element {
  return (
    <PicturesOf.Provider value={props.pictures ?? new Map()}>
      <FiguresOf.Provider value={props.figures}>
        {props.parts.map((part, index) =>
          part.kind === 'details' ? <Chapter key={index} of={part} id={props.id} /> : <One key={index} part={part} />,
        )}
      </FiguresOf.Provider>
    </PicturesOf.Provider>
  );
}

function Chapter({ of, id }: { readonly of: Details; readonly id: string }): JSX.Element {
  const { title, line, short, docs, parts } = of;
  const [first, ...rest] = parts;
  const lead =
    first?.kind === 'paragraph' && first.weight === undefined && first.mark === undefined ? first : undefined;
  return (
    <Section
      id={id}
      title={textOf(title)}
      short={short}
      line={line}
      docs={docs}
      lead={lead && <Said text={lead.text} />}
    >
      <Parts parts={lead === undefined ? parts : rest} title={textOf(title)} id={`${id}-${slug(textOf(title))}`} />
    </Section>
  );
}

/** Parts below each other. */
export function Parts(props: {
  readonly parts: readonly Part[];
  readonly title?: string;
  readonly id?: string;
}): JSX.Element {
  const { parts, ...rest } = props;
  return (
    <>
      {parts.map((part, index) => (
        <One key={index} part={part} {...rest} />
      ))}
    </>
  );
}

/** `title`: what a table without one of its own is called. */
function One(props: { readonly part: Part; readonly title?: string; readonly id?: string }): JSX.Element | undefined {
  const { part, title = '', id = '' } = props;
  const figures = useContext(FiguresOf);
  switch (part.kind) {
    case 'heading':
      return <Title text={part.text} />;
    case 'paragraph': {
      if (part.mark !== undefined) {
        return (
          <p class={`host ${TONES[part.mark] ?? ''}`}>
            <Marked mark={part.mark} /> <Said text={part.text} />
          </p>
        );
      }
      const look = { strong: 'host', light: 'keys' };
      return (
        <p class={part.weight === undefined ? 'soft' : look[part.weight]}>
          <Said text={part.text} />
        </p>
      );
    }
    case 'alert':
      return (
        <p class={part.grave ? 'notice bad' : 'notice'} role="note">
          <Said text={part.text} />
        </p>
      );
    case 'facts':
      return (
        <>
          <Title text={part.title} />
          <Facts look="fair" facts={part.facts.map(([name, value]): Fact => [name, <Content key="" cell={value} />])} />
        </>
      );
    case 'split':
      return (
        <>
          <Title text={part.title} />
          <Split
            label={part.title}
            pieces={part.pieces.map(({ name, ...piece }) => ({ ...piece, className: name }))}
            sharesOnly={part.sharesOnly ?? false}
            total={part.total}
          />
        </>
      );
    case 'list':
      return (
        <>
          <Title text={part.title} />
          <ul class="notes">
            {part.items.map((item, index) => (
              <ListItem key={index} item={item} />
            ))}
            {part.more !== undefined && <li>{part.more}</li>}
          </ul>
        </>
      );
    case 'table':
      return (
        <>
          <Title text={part.title} />
          <Rows of={part} caption={part.title === undefined ? title : textOf(part.title)} id={id} />
        </>
      );
    case 'details':
      return (
        <details class="more">
          <summary>
            <Said text={part.title} />
          </summary>
          <Parts parts={part.parts} title={textOf(part.title)} id={id} />
        </details>
      );
    case 'side-by-side':
      return (
        <div class="columns">
          {part.parts.map((each, index) => (
            <section key={index}>
              <One part={each} title={title} id={id} />
            </section>
          ))}
        </div>
      );
    case 'figure':
      return figures[part.name]?.();
  }
}

const Title = ({ text }: { readonly text: Text | undefined }): JSX.Element | undefined =>
  text === undefined ? undefined : (
    <h4>
      <Said text={text} />
    </h4>
  );

/** Addresses that are seen at once. */
const ADDRESSES = 3;

function ListItem({ item: { text, mark, below = [] } }: { readonly item: Item }): JSX.Element {
  const names = (
    <ul class="urls">
      {below.map((name, index) => (
        <li key={index}>
          <Said text={name} />
        </li>
      ))}
    </ul>
  );
  return (
    <li>
      {mark !== undefined && (
        <span class={`outcome ${TONES[mark] ?? ''}`}>
          <Marked mark={mark} />{' '}
        </span>
      )}
      <Said text={text} />
      {below.length > ADDRESSES ? (
        <details>
          <summary>{formatCount(below.length, 'address', 'addresses')}</summary>
          {names}
        </details>
      ) : (
        below.length > 0 && names
      )}
    </li>
  );
}

const Marked = ({ mark }: { readonly mark: Mark }): JSX.Element => <span aria-hidden="true">{SIGNS[mark]}</span>;

/** A table whose first rows are seen; with a drawing as its last column. */
function Rows({ of, caption, id }: { readonly of: TablePart; readonly caption: string; readonly id: string }) {
  const { columns, rows, noun, drawings = [], owners, more } = of;
  const all: readonly Column<number>[] = [
    ...columns.map(({ title, figures, long }, at): Column<number> => {
      return {
        title,
        className: figures ? 'num' : long || rows.some((row) => isName(row[at])) ? 'wide' : 'some',
        cell: (row) => {
          const cell = rows[row]?.[at] ?? '';
          return isAbsent(cell) ? ABSENT : <Content cell={cell} />;
        },
      };
    }),
    ...drawings.map(
      (drawing): Column<number> => ({
        title: drawing.title,
        className: 'drawn',
        cell: (row) => <Drawn of={drawing} at={row} />,
      }),
    ),
  ];
  const seen = noun === undefined ? rows.length : MAX_ROWS;
  const table = (name: string, from: number, to: number) => (
    <Table
      caption={name}
      columns={all}
      rows={[...rows.keys()].slice(from, to)}
      {...(owners && { rowMarks: (row: number) => ({ 'data-who': owners[row] ?? '' }) })}
    />
  );
  const body = (
    <>
      {table(caption, 0, seen)}
      {rows.length > seen && (
        <details class="more">
          <summary>{formatCount(rows.length - seen, `more ${noun}`)}</summary>
          {table(`More ${noun}s`, seen, rows.length)}
        </details>
      )}
      {more !== undefined && <p class="keys">{more}</p>}
    </>
  );
  return owners === undefined ? (
    body
  ) : (
    <div class="owned">
      <Owners name={`${id}-of`} owners={owners} />
      {body}
    </div>
  );
}

/** Is a cell a name or an address, which is broken anywhere? */
function isName(cell: Cell | Text = ''): boolean {
  const text = cellText(cell);
  return typeof text === 'object' && 'code' in text;
}

/** The cell of a table or the value of a fact. */
export function Content({ cell }: { readonly cell: Cell | Text }): JSX.Element {
  const { mark, remarks = [] } = isCell(cell) ? cell : {};
  const text = <Said text={cellText(cell)} />;
  return (
    <>
      {mark === undefined ? (
        text
      ) : (
        <span class={`outcome ${TONES[mark] ?? ''}`}>
          <Marked mark={mark} /> {text}
        </span>
      )}
      {remarks.map((remark, index) => (
        <small key={index}>
          <Said text={remark} />
        </small>
      ))}
    </>
  );
}

function Drawn({ of, at }: { readonly of: Drawing; readonly at: number }): JSX.Element | undefined {
  switch (of.name) {
    case 'dots': {
      const dots = of.rows[at];
      return dots && <Dots {...dots} />;
    }
    case 'share':
      return (
        <svg class="share" aria-hidden="true">
          <rect width={`${Math.min(100, Math.round((of.rows[at] ?? 0) * 100))}%`} height="100%" />
        </svg>
      );
    case 'budget': {
      const budget = of.rows[at];
      return budget && <BudgetBar budget={budget} />;
    }
    case 'interval': {
      const comparison = of.rows[at];
      return comparison && <IntervalDrawing comparison={comparison} small />;
    }
    case 'loads': {
      const comparison = of.rows[at];
      return comparison && <LoadStrip comparison={comparison} loads={of.loads} small />;
    }
  }
}

/** A text of a document. */
function Said({ text }: { readonly text: Text }): JSX.Element {
  return (
    <>
      {spansOf(text).map((span, index) => (
        <Fragment key={index}>{saidSpan(span)}</Fragment>
      ))}
    </>
  );
}

function saidSpan(span: Span): ComponentChildren {
  if (typeof span === 'string') return spaced(span);
  if ('code' in span) return <code dir="ltr">{foreignName(span.code)}</code>;
  if ('address' in span) return <Address url={span.address} />;
  if ('file' in span) return <StoredLink {...span} />;
  if ('picture' in span) return <Picture {...span} />;
  if ('strong' in span) return <b>{sentence(span.strong)}</b>;
  return <Outside href={span.href}>{span.link}</Outside>;
}

function Picture({ picture, says }: ShotSpan): JSX.Element {
  return (
    <Shot file={picture} pictures={useContext(PicturesOf)} alt={says}>
      {says}
    </Shot>
  );
}

/** The way to a file that lies beside the result. */
function StoredLink({ file, of, says }: StoredFile): JSX.Element {
  const name = storedName(of, file);
  if (name === undefined) return <span>{foreignName(says ?? file)}</span>;
  const href = name.split('/').map(encodeURIComponent).join('/');
  return <FileLink href={href}>{says === undefined ? name : foreignName(says)}</FileLink>;
}

/** A sentence with the spaces at its ends, which part it from its neighbours. */
const spaced = (text: string): string =>
  `${/^\s/.test(text) ? ' ' : ''}${sentence(text.trim())}${/\s$/.test(text) && text.trim() !== '' ? ' ' : ''}`;
