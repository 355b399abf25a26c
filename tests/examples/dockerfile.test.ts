import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { textOf } from './places.ts';

const TEXT = textOf('examples/kubernetes/Dockerfile');
const PACKAGE = JSON.parse(textOf('package.json')) as { version: string; engines: { node: string } };

const problems = (text: string) => validate(text).map(({ message }) => message);

test('the Dockerfile has no fault', () => {
  expect(problems(TEXT)).toEqual([]);
});

test.each([
  ['an instruction', 'ENTRYPOINT', 'ENTRYPIONT'],
  ['no argument', /^USER .*$/m, 'USER'],
  ['a flag', 'FROM node', 'FROM --plattform=linux/amd64 node'],
])('what is wrong is found: %s', (_what, from, to) => {
  expect(TEXT.replace(from, to)).not.toBe(TEXT);
  expect(problems(TEXT.replace(from, to))).not.toEqual([]);
});

describe('the image', () => {
  const instructions = DockerfileParser.parse(TEXT)
    .getInstructions()
    .map((each) => ({ keyword: each.getKeyword(), words: each.getArguments().map(String) }));
  const all = (keyword: string) => instructions.filter((each) => each.keyword === keyword).map(({ words }) => words);

  test('begins with a version of Node that Quiesce runs on', () => {
    const [[from = ''] = []] = all('FROM');
    const [, major = 0, minor = 0] = /^node:(\d+)\.(\d+)\.\d+-\w+-slim$/.exec(from)?.map(Number) ?? [];
    const [, least = 0, leastMinor = 0] = /^>=(\d+)\.(\d+)$/.exec(PACKAGE.engines.node)?.map(Number) ?? [];
    expect(major * 1000 + minor).toBeGreaterThanOrEqual(least * 1000 + leastMinor);
    expect(least).toBeGreaterThan(0);
  });

  test('has a browser, fonts and this version of Quiesce', () => {
    const installed = all('RUN').flat();
    for (const name of ['chromium', 'fonts-liberation', 'tini', 'ca-certificates']) expect(installed).toContain(name);
    expect(all('ARG')).toEqual([[`QUIESCE_VERSION=${PACKAGE.version}`]]);
  });

  test('is not for root, and Chrome’s sandbox stays on', () => {
    // Kubernetes believes only a number that it is not root.
    expect(all('USER').at(-1)?.[0]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(instructions.flatMap(({ words }) => words).join(' ')).not.toMatch(/no-sandbox|NO_SANDBOX|chromium-sandbox/);
  });

  test('has an init that buries orphans, without a shell between', () => {
    expect(TEXT).toContain('\nENTRYPOINT ["tini", "--", "quiesce"]\n');
  });
});
