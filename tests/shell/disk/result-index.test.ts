import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexResult, readPart } from '../../../src/shell/disk/result-index.ts';
import { findResults } from '../../../src/shell/disk/stored-results.ts';
import { folderForAll } from '../../support/folders.ts';

const folder = folderForAll('index');

async function indexed(text: string) {
  const file = path.join(folder(), 'result.json');
  await writeFile(file, text);
  const found = { name: 'result.json', path: file };
  const { head, targets, hash } = await indexResult(found);
  const parts: string[] = [];
  for (const part of targets) parts.push(await readPart(found, part));
  return { head, parts, hash };
}

describe('a stored result', () => {
  it('gives its targets one by one, and everything else at once', async () => {
    const result = {
      kind: 'audit',
      notes: ['targets', '[', '"targets": ['],
      targets: [{ a: [1] }, { b: '],"[' }],
      last: {},
    };
    for (const text of [JSON.stringify(result), JSON.stringify(result, null, 2)]) {
      const { head, parts } = await indexed(text);
      expect(JSON.parse(head)).toEqual({ ...result, targets: [] });
      expect(parts.map((part) => JSON.parse(part))).toEqual(result.targets);
    }
  });

  it('may have no such list, an empty one, or one that is inside of something else', async () => {
    for (const result of [
      { kind: 'compare' },
      { targets: [] },
      { settings: { targets: ['a', 'b'] }, targets: 'none' },
    ]) {
      const { head, parts } = await indexed(JSON.stringify(result));
      expect(JSON.parse(head)).toEqual(result);
      expect(parts).toEqual([]);
    }
  });

  it('is put together again, whatever stands in it', async () => {
    const any = fc.jsonValue({ maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(any),
        fc.dictionary(fc.string(), any),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        async (targets, rest, indent) => {
          const result = { ...rest, targets };
          const { head, parts } = await indexed(JSON.stringify(result, null, indent));
          expect(JSON.parse(head)).toEqual(JSON.parse(JSON.stringify({ ...result, targets: [] })));
          expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual(JSON.parse(JSON.stringify(targets)));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('may be longer than what is read at once, with letters of several bytes on the border', async () => {
    const targets = Array.from({ length: 40 }, (_, i) => ({ i, text: 'é"\\[{€'.repeat(12_000) }));
    const { head, parts } = await indexed(JSON.stringify({ first: '€'.repeat(400_000), targets }));
    expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual(targets);
    expect(JSON.parse(head)).toMatchObject({ targets: [] });
  });

  it('is known again by what is in it', async () => {
    const { hash } = await indexed('{"targets":[1]}');
    expect((await indexed('{"targets":[1]}')).hash).toBe(hash);
    expect((await indexed('{"targets":[2]}')).hash).not.toBe(hash);
  });

  it('that is torn or none at all is seen when it is parsed', async () => {
    for (const text of ['', '{"targets": [{"a": 1}, {"b', ']]]}}', '{"targets": [[[[', '\u0000\u0001']) {
      const { head } = await indexed(text);
      expect(() => JSON.parse(head) as unknown).toThrow(SyntaxError);
    }
  });

  it('is refused when it is nested more deeply than anything can go into', async () => {
    const nested = `{"settings": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    await expect(indexed(nested)).rejects.toThrow('result.json cannot be read: it is nested too deeply.');
  });

  it('is not looked for in what may never end', async () => {
    await expect(findResults(['/dev/zero'])).rejects.toThrow(
      '/dev/zero cannot be read: it is neither a file nor a folder.',
    );
  });

  it('that is gone is told in a line', async () => {
    const gone = { name: 'gone.json', path: path.join(folder(), 'gone.json') };
    await expect(indexResult(gone)).rejects.toThrow('gone.json cannot be read: there is no such file or folder.');
    await expect(readPart(gone, { from: 0, to: 1 })).rejects.toMatchObject({ code: 'result-unreadable' });
  });
});
