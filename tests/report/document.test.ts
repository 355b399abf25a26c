import { describe, expect, test } from 'vitest';
import type { AuditReport, CompareReport } from '../../src/model/result/report.ts';
import { chapters as auditChapters } from '../../src/report/audit/index.ts';
import { auditDocument } from '../../src/report/audit.ts';
import { chapters as capacityChapters, capacityDocument } from '../../src/report/capacity/index.ts';
import { compareDocument, chapters as comparisonChapters } from '../../src/report/compare/index.ts';
import { pagesTogether } from '../../src/report/pages/index.ts';
import { cellText, type Detail, type Part, textOf } from '../../src/report/parts.ts';
import { trendDocument } from '../../src/report/trend/index.ts';
import { type Annotation, annotationsOf } from '../../src/reporters/github/annotations.ts';
import { renderCapacityHtml } from '../../src/reporters/html/capacity/capacity.tsx';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderTrendHtml } from '../../src/reporters/html/trend/trend.tsx';
import { renderAuditJunit, renderComparisonJunit } from '../../src/reporters/junit.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderCapacityMarkdown } from '../../src/reporters/markdown/capacity.ts';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderTrendMarkdown } from '../../src/reporters/markdown/trend.ts';
import { writePlain } from '../../src/reporters/plain.ts';
import { renderCapacity } from '../../src/reporters/terminal/capacity.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { renderTrend } from '../../src/reporters/terminal/trend.ts';
import { CAPACITY } from '../reporters/capacity-example.ts';
import { AUDITS_BY_KIND, COMPARISONS_BY_KIND } from '../reporters/examples.ts';
import { usual } from '../reporters/trend-example.ts';
import { wordsIn } from '../support/visible-text.ts';

/** What a document says, sentence by sentence. */
function sentencesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part): readonly string[] => {
    switch (part.kind) {
      case 'paragraph':
      case 'alert':
        return [textOf(part.text)];
      case 'figure':
        return part.text === undefined ? [] : [textOf(part.text)];
      case 'heading':
        return [part.text];
      case 'facts':
        return part.facts.map(([, value]) => textOf(cellText(value)));
      case 'list':
        return part.items.map(({ text }) => textOf(text));
      case 'details':
        return [...(part.line === undefined ? [] : [part.line]), ...sentencesOf(part.parts)];
      case 'side-by-side':
        return sentencesOf(part.parts);
      default:
        return [];
    }
  });
}

/** The same, and what stands in tables. */
function factsOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'figure':
        return [];
      case 'details':
      case 'side-by-side':
        return factsOf(part.parts);
      case 'table':
        return part.rows.flatMap((row) => row.map((cell) => textOf(cellText(cell))));
      default:
        return sentencesOf([part]);
    }
  });
}

/** Without what a format adds: marks of code and weight, links, and where lines end. */
const plainly = (text: string): string =>
  text
    .replace(/\[(\w+)\]\(([^)]*)\)/g, '$1: $2')
    .replace(/^> /gm, '')
    .replace(/[`'*]/g, '')
    .replace(/\s+/g, ' ');

const figuresIn = (text: string): readonly string[] =>
  plainly(text).match(/\d[\d.,]*(?:–\d[\d.,]*)?(?: (?:ms|s|B|kB|MB)\b|%)/g) ?? [];

/** "1.21–1.27 s" as "1.21 s" and "1.27 s", as sentences have it. */
const endsOf = (figure: string): readonly string[] => {
  const [, low, high, unit] = /^(.+)–(.+?)( \w+|%)$/.exec(figure) ?? [];
  return low === undefined ? [] : [`${low}${unit}`, `${high}${unit}`];
};

interface Written {
  readonly document: (detail: Detail) => readonly Part[];
  readonly terminal: (detail: Detail) => string;
  readonly markdown: () => string;
  /** The chapters that HTML writes from the document. */
  readonly html?: readonly [page: () => string, chapters: () => readonly Part[]];
  /** What a list of tests and a job say of it. */
  readonly ci?: readonly [junit: () => string, annotations: () => readonly Annotation[]];
}

const WIDE = { color: false, width: 5_000 };
const audit = (report: AuditReport): Written => ({
  document: (detail) => {
    const { parts, pages, end } = auditDocument(report, detail);
    return [...parts, ...pages, ...end];
  },
  terminal: (detail) => renderTerminal(report, { ...WIDE, detail }),
  markdown: () => renderAuditMarkdown(report),
  html: pageOf(report),
  ci: [() => renderAuditJunit(report), () => annotationsOf(report, 'slower')],
});
const pageOf = (report: AuditReport): NonNullable<Written['html']> => [
  () => renderHtml(report),
  () => [
    ...(report.targets.length > 1 ? pagesTogether(report, 'all').map(withoutNames) : []),
    // Of an index each page has a file of its own.
    ...(report.pages === undefined ? report.targets : []).flatMap((target) => {
      const { result, columns } = report;
      const page = { target, result, columns, analysis: result.kind === 'analysis', detail: 'all' } as const;
      return auditChapters.flatMap((chapter) => chapter(page));
    }),
  ],
];
/** A table without its first column: HTML calls pages by their titles. */
const withoutNames = (part: Part): Part =>
  part.kind === 'table' ? { ...part, rows: part.rows.map((row) => row.slice(1)) } : part;
const comparison = (report: CompareReport): Written => ({
  document: (detail) => compareDocument(report, detail),
  terminal: (detail) => renderComparison(report, { ...WIDE, detail }),
  markdown: () => renderComparisonMarkdown(report),
  html: [() => renderComparisonHtml(report), () => comparisonChapters.flatMap((chapter) => chapter(report, 'all'))],
  ci: [() => renderComparisonJunit(report), () => annotationsOf(report, 'slower')],
});
const trend: Written = {
  document: (detail) => trendDocument(usual, detail),
  terminal: (detail) => renderTrend(usual, { ...WIDE, detail }),
  markdown: () => renderTrendMarkdown(usual),
  html: [
    () => renderTrendHtml(usual),
    () =>
      trendDocument(usual, 'normal').flatMap((part) => {
        // Its word stands alone there, and its charts have what the table of a page has.
        if (part.kind === 'heading') return [];
        return part.kind === 'details' ? part.parts.filter(({ kind }) => kind !== 'table') : withoutNames(part);
      }),
  ],
};
const capacity: Written = {
  document: (detail) => capacityDocument(CAPACITY, detail),
  terminal: (detail) => renderCapacity(CAPACITY, { ...WIDE, detail }),
  markdown: () => renderCapacityMarkdown(CAPACITY),
  html: [() => renderCapacityHtml(CAPACITY), () => capacityChapters.flatMap((chapter) => chapter(CAPACITY, 'all'))],
};

const EXAMPLES = [
  ...Object.entries(AUDITS_BY_KIND).flatMap(([kind, { usual, others }]) =>
    Object.entries({ usual, ...others }).map(([name, make]) => [`${kind}, ${name}`, () => audit(make())] as const),
  ),
  ...Object.entries(COMPARISONS_BY_KIND).flatMap(([kind, { usual, others }]) =>
    Object.entries({ usual, ...others }).map(([name, make]) => [`${kind}, ${name}`, () => comparison(make())] as const),
  ),
  ['a trend', () => trend] as const,
  ['the capacity of two servers', () => capacity] as const,
];

describe.each(EXAMPLES)('%s', (_, make) => {
  const { document, terminal, markdown, html, ci } = make();

  test('is said with the same sentences by every writer', () => {
    for (const [detail, text] of [
      ['brief', terminal('brief')],
      ['normal', markdown()],
      ['normal', writePlain(document('normal')).join('\n')],
      ['all', terminal('all')],
    ] as const) {
      const written = plainly(text);
      const lost = sentencesOf(document(detail)).filter((sentence) => !written.includes(plainly(sentence).trim()));
      expect(lost, detail).toEqual([]);
    }
  });

  test.runIf(html)('is said with the same sentences and figures in its page', () => {
    const [page, chapters] = html as NonNullable<typeof html>;
    // Where its elements end there is a space.
    const joined = (text: string): string => plainly(text).replace(/\s/g, '');
    const words = joined(wordsIn(page()));
    const lost = factsOf(chapters()).filter((fact) => !words.includes(joined(fact)));
    expect(lost).toEqual([]);
  });

  test.runIf(ci)('has nothing in a list of tests or beside a job that it does not say', () => {
    const [junit, annotations] = ci as NonNullable<typeof ci>;
    const all = plainly(terminal('all') + terminal('brief'));
    const known = new Set(figuresIn(all).flatMap((figure) => [figure, ...endsOf(figure)]));
    expect(figuresIn(junit()).filter((figure) => !known.has(figure))).toEqual([]);
    const lost = annotations().filter(({ message }) => {
      // A budget may be marked as a warning, and among several pages each begins with the name of its page.
      const text = plainly(message).replace(/\.$/, '');
      return !all.includes(text) && !all.includes(text.slice(text.indexOf(': ') + 2));
    });
    expect(lost).toEqual([]);
  });

  test('has no figure on its first screen that the whole does not have', () => {
    const [whole, summary] = [new Set(figuresIn(terminal('all'))), new Set(figuresIn(markdown()))];
    const first = figuresIn(terminal('brief'));
    expect(first.filter((figure) => !whole.has(figure) || !summary.has(figure))).toEqual([]);
  });
});
