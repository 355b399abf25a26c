import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { comparisonReport } from '../reporters/comparison.ts';
import { exampleReport } from '../reporters/example-report.ts';
import { filesIn, ROOT, textOf } from './places.ts';
import { action } from './workflows.ts';

const README = textOf('README.md');
const CI = textOf('docs/ci.md');

/** The code blocks that follow the name of their file, by that name. */
const COPIED = new Map(
  [...CI.matchAll(/^<!-- (examples\/\S+) -->\n```yaml\n(.*?)^```$/gms)].map(([, file = '', code]) => [file, code]),
);

test('docs/ci.md has the workflow for pull requests, and links to every other example', () => {
  expect([...COPIED.keys()]).toEqual(['examples/github/compare.yml']);
  const examples = [...filesIn('examples/github', '.yml'), ...filesIn('examples/gitlab', '.yml')];
  for (const file of examples) if (!COPIED.has(file)) expect(CI).toContain(`](../${file})`);
});

test.each([...COPIED])('%s is in docs/ci.md without changes', (file, code) => {
  expect(code).toBe(textOf(file));
});

describe('the README', () => {
  test('is a front door: short, with a link to every page of the documentation', () => {
    expect(README.split('\n').length).toBeLessThanOrEqual(121);
    for (const file of filesIn('docs', '.md')) expect(README).toContain(`](${file})`);
  });

  test('leads to documents that a user can read in an hour: what only contributors need is in docs/internals', () => {
    const ofUsers = filesIn('docs', '.md').filter((file) => !file.startsWith('docs/internals/'));
    const words = ofUsers.flatMap((file) => textOf(file).match(/[\p{L}\p{N}]\S*/gu) ?? []);
    expect(words.length).toBeLessThanOrEqual(10_950);
  });

  test('has the action in ten lines, which the workflow to copy does in full', () => {
    const [, short = ''] = /^<!-- action -->\n```yaml\n(.*?)^```$/ms.exec(README) ?? [];
    expect(short.trim().split('\n')).toHaveLength(10);
    interface Workflow {
      readonly on: string;
      readonly jobs: Readonly<
        Record<string, { readonly steps: readonly { uses: string; with?: Record<string, unknown> }[] }>
      >;
    }
    const stepsOf = (text: string) => Object.values((parse(text) as Workflow).jobs).flatMap(({ steps }) => steps);
    expect(stepsOf(short)).toEqual(stepsOf(textOf('examples/github/compare.yml')));
    expect((parse(short) as Workflow).on).toBe('pull_request');
    const { inputs } = action();
    for (const { uses, with: given = {} } of stepsOf(short)) {
      if (uses.startsWith('quiesce/')) expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
    }
  });
});

describe('docs/result.md', () => {
  const LINES = [...textOf('docs/result.md').matchAll(/^```sh\n(jq .*?)^```$/gms)].map(([, line = '']) => line.trim());
  const hasJq = spawnSync('jq', ['--version']).status === 0;

  test('answers four questions', () => {
    expect(LINES).toHaveLength(4);
  });

  test.skipIf(!hasJq)('its lines find something in results', () => {
    const { result: audited } = exampleReport();
    const [target] = audited.targets;
    const representativeRun = target?.runs.find(({ role }) => role === 'timed')?.index;
    const fix = { code: 'compress-text', savesMs: 120, message: '', urls: ['https://shop.example/app.js'] };
    const runs = target?.runs.map(({ findings = [], ...run }) => ({ ...run, findings: [...findings, fix] }));
    const audit = {
      ...audited,
      targets: [{ ...target, runs, representativeRun, sentence: 'Complete.', verdict: 'good' }],
    };
    for (const line of LINES) {
      const [, filter = ''] = /'([^']+)'/s.exec(line) ?? [];
      const result = /comparisons|decision, failedGates/.test(filter) ? comparisonReport().result : audit;
      const { status, stdout, stderr } = spawnSync('jq', ['-r', filter], {
        input: JSON.stringify(result),
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      expect([status, stdout.trim().length > 20], line).toEqual([0, true]);
      // A key that is not there prints as null or as nothing between tabs.
      expect(stdout, line).not.toMatch(/\bnull\b|^\t/m);
    }
  });
});

describe('the action', () => {
  const names = (table: string): readonly string[] => {
    const [, rows = ''] = new RegExp(`^<!-- ${table} -->\\n((?:\\|.*\\n)+)`, 'm').exec(CI) ?? [];
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

const FOR_CONTRIBUTORS = ['CONTRIBUTING.md', 'docs/internals/architecture.md', '.github/PULL_REQUEST_TEMPLATE.md'];
const PAPERS = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...filesIn('docs', '.md'),
  ...filesIn('examples', '.md'),
];

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

describe.each(FOR_CONTRIBUTORS)('%s', (file) => {
  const text = textOf(file);

  test('names files and folders that are there', () => {
    const paths = [...text.matchAll(/(?<![\w./-])((?:src|tests|fixtures|scripts|bench)\/[\w./-]*\w)/g)];
    const named = new Set(paths.map(([, path = '']) => path));
    // The worked example makes it.
    named.delete('src/core/background/detectors/grpc-web.ts');
    for (const path of named) expect(existsSync(`${ROOT}${path}`), path).toBe(true);
  });

  test('names npm scripts that are there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name);
  });
});

test('the worked example for a detector is not in the code, so that it can be followed', () => {
  expect(textOf('CONTRIBUTING.md')).toContain('src/core/background/detectors/grpc-web.ts');
  expect(existsSync(`${ROOT}src/core/background/detectors/grpc-web.ts`)).toBe(false);
});
