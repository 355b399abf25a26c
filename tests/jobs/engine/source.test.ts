import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf, sourcesOfBuilds } from '../../../src/jobs/engine/source.ts';
import { parseTarget, type Target } from '../../../src/jobs/engine/target.ts';
import { folderForEach } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';

const GIVEN = '0123456789abcdef0123456789abcdef01234567';
const folder = folderForEach('source');

/** A built site in a repository of its own, and the commit that is checked out there. */
async function checkout(name: string, ...sites: string[]): Promise<{ targets: Target[]; commit: string }> {
  const top = path.join(folder(), name);
  const targets: Target[] = [];
  for (const site of sites) {
    await mkdir(path.join(top, site), { recursive: true });
    await writeFile(path.join(top, site, 'index.html'), name);
    targets.push(await parseTarget(path.join(top, site)));
  }
  await gitIn(top, 'init', '-q');
  return { targets, commit: await commitIn(top, name) };
}

describe('what an audit measures', () => {
  it('a folder is of the work tree that it lies in', async () => {
    const { targets, commit } = await checkout('shop', 'dist', 'dist-2');
    expect(await sourcesOf(targets, undefined)).toEqual({ result: { commit, ref: 'main' }, targets: [] });
  });

  it('folders of several work trees are told apart, and a URL is of none', async () => {
    const [one, two] = [await checkout('one', 'dist'), await checkout('two', 'dist')];
    const targets = [...one.targets, await parseTarget('https://shop.example/'), ...two.targets];
    const sources = await sourcesOf(targets, undefined);
    expect(sources.result).toBeUndefined();
    expect(sources.targets.map((source) => source?.commit)).toEqual([one.commit, undefined, two.commit]);
  });

  it('what the user or the job says comes first', async () => {
    const { targets } = await checkout('shop', 'dist');
    expect(await sourcesOf(targets, { commit: GIVEN })).toEqual({ result: { commit: GIVEN }, targets: [] });
  });
});

describe('what a comparison measures', () => {
  it('two folders of one work tree cannot both be what is checked out', async () => {
    const { targets, commit } = await checkout('shop', 'dist-main', 'dist');
    const [base, candidate] = targets;
    if (!base || !candidate) throw new Error('there are two');
    expect(await sourcesOfBuilds({ base, candidate }, undefined)).toEqual({ candidate: { commit, ref: 'main' } });
  });

  it('the base in a work tree of its own has its own commit', async () => {
    const [one, two] = [await checkout('one', 'dist'), await checkout('two', 'dist')];
    const [base] = one.targets;
    const [candidate] = two.targets;
    if (!base || !candidate) throw new Error('there are two');
    const sources = await sourcesOfBuilds({ base, candidate }, undefined);
    expect([sources.base?.commit, sources.candidate?.commit]).toEqual([one.commit, two.commit]);
    expect(await sourcesOfBuilds({ base, candidate }, { commit: one.commit })).toEqual({
      candidate: { commit: one.commit },
    });
  });
});
