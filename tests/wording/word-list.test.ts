import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';
import { WORDS } from './word-list.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where users read what Quiesce says. */
const READ = ['src', 'docs', 'examples', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'action.yml'];
/** What is generated repeats other files; the table of rules has names of functions. */
const LEFT_OUT = /\/generated\/|^docs\/internals\/rules\.md$/;

/** Code names things of other programs, and a heading of one lower-case word is the code of a fix. */
const CODE = /```[\s\S]*?```|`[^`]*`|^### [a-z-]+$/gm;

interface Text {
  /** Where it begins in its file. */
  readonly start: number;
  readonly text: string;
}

describe('plain English', () => {
  test.each(WORDS)('$pattern finds “$found”', ({ pattern, found, fine }) => {
    expect(found).toMatch(pattern);
    expect(fine).not.toMatch(pattern);
  });

  test.each(READ)('%s', (root) => {
    expect(filesOf(root).flatMap(faultsIn)).toEqual([]);
  });
});

function faultsIn(path: string): readonly string[] {
  const file = readFileSync(ROOT + path, 'utf8');
  const texts = /\.tsx?$/.test(path) ? literalsOf(path, file) : paragraphsOf(file);
  return texts.flatMap(({ start, text }) =>
    WORDS.flatMap(({ pattern, instead, because }) => {
      const found = pattern.exec(text)?.[0];
      if (found === undefined) return [];
      const line = file.slice(0, start).split('\n').length;
      return [`${path}:${line}: “${found}”. Write: ${instead}. Why: ${because}.`];
    }),
  );
}

function filesOf(root: string): readonly string[] {
  if (/\.\w+$/.test(root)) return [root];
  return readdirSync(ROOT + root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${root}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.(?:md|tsx?|ya?ml)$/.test(name) && !LEFT_OUT.test(name));
}

/** Phrases in a source file, with a placeholder for each expression. Single words are keys, and classes are of style sheets. */
function literalsOf(path: string, source: string): readonly Text[] {
  const texts: Text[] = [];
  const classes = new Set<unknown>();
  const add = ({ start }: { readonly start: number }, text: string): void => {
    if (/\s/.test(text)) texts.push({ start, text: text.replace(/\s+/g, ' ') });
  };
  new Visitor({
    JSXAttribute: ({ name, value }) => {
      if (name.name === 'class') classes.add(value);
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && !classes.has(node)) add(node, node.value);
    },
    TemplateLiteral: (node) => add(node, node.quasis.map(({ value }) => value.cooked ?? '').join('{}')),
    JSXText: (node) => add(node, node.value),
  }).visit(parseSync(path, source).program);
  return texts;
}

/** Paragraphs of a document, without code. */
function paragraphsOf(document: string): readonly Text[] {
  const blank = document.replace(CODE, (code) => code.replace(/[^\n]/g, ' '));
  return [...blank.matchAll(/(?:.+\n?)+/g)].map(({ 0: text, index }) => ({
    start: index,
    text: text.replace(/\s+/g, ' '),
  }));
}
