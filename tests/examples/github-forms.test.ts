/** The forms for issues, and what dependabot is asked for. */
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { filesIn, textOf } from './places.ts';

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: { readonly label?: string; readonly value?: string; readonly options?: readonly string[] };
  }[];
}

const FORMS = filesIn('.github/ISSUE_TEMPLATE', '.yml').filter((file) => !file.endsWith('config.yml'));

test('there is a form for a fault, for a wrong answer and for an idea', () => {
  expect(FORMS.map((file) => file.split('/').at(-1))).toEqual(['bug.yml', 'feature.yml', 'wrong-answer.yml']);
});

/** Source: GitHub Docs, "Syntax for GitHub's form schema". */
test.each(FORMS)('%s is a form that GitHub takes', (file) => {
  const { name, description, body } = parse(textOf(file)) as Form;
  expect([name, description].every((text) => /\w{3}/.test(text))).toBe(true);
  const ids = body.flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const labels = body.flatMap(({ attributes }) => attributes.label ?? []);
  expect(new Set(labels).size).toBe(labels.length);
  for (const { type, id, attributes } of body) {
    expect(['markdown', 'textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
    if (type === 'markdown') expect(attributes.value).toMatch(/\w/);
    else expect([id, attributes.label]).toEqual([expect.stringMatching(/^[\w-]+$/), expect.stringMatching(/\w/)]);
    if (type === 'dropdown') expect(attributes.options?.length).toBeGreaterThan(1);
  }
});

test('a wrong answer comes with its HAR', () => {
  const { body } = parse(textOf('.github/ISSUE_TEMPLATE/wrong-answer.yml')) as Form;
  expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(['how', 'expected', 'har', 'machine']));
});

test('what is installed and what workflows use is kept up to date', () => {
  const { version, updates } = parse(textOf('.github/dependabot.yml')) as {
    readonly version: number;
    readonly updates: readonly {
      readonly 'package-ecosystem': string;
      readonly directory?: string;
      readonly directories?: readonly string[];
    }[];
  };
  expect(version).toBe(2);
  const folders = updates.map((each) => [each['package-ecosystem'], each.directories ?? [each.directory]] as const);
  expect(folders).toEqual([
    ['npm', ['/']],
    ['github-actions', ['/', '/examples/github']],
    ['docker', ['/examples/kubernetes']],
  ]);
});
