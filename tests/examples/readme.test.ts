import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, ROOT, textOf } from './places.ts';
import { action } from './workflows.ts';

const README = textOf('README.md');

/** The code that stands behind the name of its file, by that name. */
const COPIED = new Map(
  [...README.matchAll(/^<!-- (examples\/\S+) -->\n```yaml\n(.*?)^```$/gms)].map(([, file = '', code]) => [file, code]),
);

test('the README has the three workflows and the pipeline', () => {
  expect([...COPIED.keys()]).toEqual([
    'examples/github/compare.yml',
    'examples/github/preview.yml',
    'examples/github/nightly-trend.yml',
    'examples/gitlab/compare.gitlab-ci.yml',
  ]);
});

test.each([...COPIED])('%s stands in the README as it is', (file, code) => {
  expect(code).toBe(textOf(file));
});

describe('the action', () => {
  const names = (table: string): readonly string[] => {
    const [, rows = ''] = new RegExp(`^<!-- ${table} -->\\n((?:\\|.*\\n)+)`, 'm').exec(README) ?? [];
    return rows
      .split('\n')
      .slice(2)
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  };

  test('is described with all its inputs and outputs, and no others', () => {
    const { inputs, outputs } = action();
    expect(names('inputs').toSorted()).toEqual(Object.keys(inputs).toSorted());
    expect(names('outputs').toSorted()).toEqual(Object.keys(outputs).toSorted());
  });
});

const PAPERS = ['README.md', ...filesIn('docs', '.md'), ...filesIn('examples', '.md')];

/** The places in a paper that a link can name, as GitHub makes them of headings. */
const anchorsIn = (file: string): readonly string[] =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(PAPERS)('the links of %s lead to files and headings that are there', (file) => {
  for (const [, to = '', anchor] of textOf(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
    const path = to === '' ? file : posix.join(posix.dirname(file), to);
    expect(existsSync(`${ROOT}${path}`), `${file}: ${to}`).toBe(true);
    if (anchor === undefined) continue;
    const paper = path.endsWith('.md') ? path : `${path}/README.md`;
    expect(anchorsIn(paper), `${file}: ${to}#${anchor}`).toContain(anchor);
  }
});
