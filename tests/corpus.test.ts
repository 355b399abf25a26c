import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageDone } from '../bench/corpus/judge-worker.ts';
import { openPool } from '../bench/corpus/pool.ts';
import { expectedOf, isApplication, type PageFigures, putAside, type Sums, sumsOf } from '../bench/corpus/score.ts';
import { corpusFile, corpusNames, readCorpus } from '../fixtures/corpus-file.ts';
import { loadScenarios, TUNED } from '../fixtures/scenario.ts';

const names = corpusNames();
const aside = putAside(names);
const committed = JSON.parse(readFileSync(new URL('../fixtures/corpus/figures.json', import.meta.url), 'utf8')) as {
  readonly aside: Readonly<Record<string, Sums>>;
  readonly pages: Readonly<Record<string, PageFigures>>;
};

const pool = openPool();
const judged = new Map<string, PageDone>();
beforeAll(async () => {
  for (const page of await pool.judge(names, {}, false)) judged.set(page.name, page);
});
afterAll(() => pool.close());

describe('the recordings of', () => {
  it.each(names.filter((name) => !aside.has(name)))('%s give the committed figures', (name) => {
    const { figures, error } = judged.get(name) ?? {};
    expect(error).toBeUndefined();
    // `npm run corpus` shows what changed and, with --update, commits it.
    expect(figures).toEqual(committed.pages[name]);
  });

  it.each([
    ['own pages put aside', (name: string) => !isApplication(name)],
    ['applications put aside', isApplication],
  ])('%s give the committed sums', async (group, isIn) => {
    const pages = await Promise.all(
      [...aside].filter(isIn).map(async (name) => ({
        figures: judged.get(name)?.figures ?? [],
        expected: await expectedOf(name),
      })),
    );
    expect(sumsOf(pages)).toEqual(committed.aside[group]);
  });
});

it('every page with a known answer is in the corpus, and some also as a busy machine shows them', async () => {
  const pages = (await loadScenarios(...TUNED)).flatMap(({ name, expected }) => (expected ? [name] : []));
  expect(names).toEqual(expect.arrayContaining(pages));
  const machines = names.map((name) => readCorpus(name).recordings.map(({ beside }) => beside > 0));
  for (const [i, name] of names.entries()) expect(machines[i]?.[0], name).toBe(false);
  expect(machines.filter(([, isBusy]) => isBusy).length).toBeGreaterThanOrEqual(40);
});

it('the corpus stays small', () => {
  const bytes = names.reduce((sum, name) => sum + statSync(corpusFile(name)).size, 0);
  expect(bytes).toBeLessThan(15 * 1024 * 1024);
});
