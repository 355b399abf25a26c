import { describe, expect, test } from 'vitest';
import type { AuditReport, CompareReport } from '../../src/model/report.ts';
import { auditDocument } from '../../src/report/audit.ts';
import { compareDocument } from '../../src/report/compare/index.ts';
import { cellText, type Detail, type Part, textOf } from '../../src/report/parts.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { writePlain } from '../../src/reporters/plain.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';

import { AUDITS_BY_KIND, COMPARISONS_BY_KIND } from '../reporters/examples.ts';

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
      case 'beside':
        return sentencesOf(part.parts);
      default:
        return [];
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

interface Written {
  readonly document: (detail: Detail) => readonly Part[];
  readonly terminal: (detail: Detail) => string;
  readonly markdown: () => string;
}

const WIDE = { color: false, width: 5_000 };
const audit = (report: AuditReport): Written => ({
  document: (detail) => {
    const { parts, pages, end } = auditDocument(report, detail);
    return [...parts, ...pages, ...end];
  },
  terminal: (detail) => renderTerminal(report, { ...WIDE, detail }),
  markdown: () => renderAuditMarkdown(report),
});
const comparison = (report: CompareReport): Written => ({
  document: (detail) => compareDocument(report, detail),
  terminal: (detail) => renderComparison(report, { ...WIDE, detail }),
  markdown: () => renderComparisonMarkdown(report),
});

const EXAMPLES = [
  ...Object.entries(AUDITS_BY_KIND).flatMap(([kind, { usual, others }]) =>
    Object.entries({ usual, ...others }).map(([name, make]) => [`${kind}, ${name}`, () => audit(make())] as const),
  ),
  ...Object.entries(COMPARISONS_BY_KIND).flatMap(([kind, { usual, others }]) =>
    Object.entries({ usual, ...others }).map(([name, make]) => [`${kind}, ${name}`, () => comparison(make())] as const),
  ),
];

describe.each(EXAMPLES)('%s', (_, make) => {
  const { document, terminal, markdown } = make();

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

  test('has no figure on its first screen that the whole does not have', () => {
    const [whole, summary] = [new Set(figuresIn(terminal('all'))), new Set(figuresIn(markdown()))];
    const first = figuresIn(terminal('brief'));
    expect(first.filter((figure) => !whole.has(figure) || !summary.has(figure))).toEqual([]);
  });
});
