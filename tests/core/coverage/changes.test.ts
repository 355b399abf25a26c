import { expect, it } from 'vitest';
import { coverageChanges } from '../../../src/core/coverage/changes.ts';
import type { Coverage, CoveredFile } from '../../../src/model/coverage.ts';
import { coverageChangesInWords } from '../../../src/wording/coverage.ts';

const url = 'https://shop.test/';

const file = (name: string, bytes: number, unused: number, more: Partial<CoveredFile> = {}): CoveredFile => ({
  kind: 'script',
  url: url + name,
  party: 'shop.test',
  thirdParty: false,
  bytes,
  unused,
  ...more,
});

function build(...files: readonly CoveredFile[]): { readonly url: string; readonly coverage: Coverage } {
  const sum = (kind: CoveredFile['kind']) => ({
    bytes: files.reduce((all, each) => all + (each.kind === kind ? each.bytes : 0), 0),
    unused: files.reduce((all, each) => all + (each.kind === kind ? each.unused : 0), 0),
  });
  return { url, coverage: { until: 500, scripts: sum('script'), styles: sum('style'), files } };
}

it('matches hashed names, and says of which file more is unused', () => {
  const changes = coverageChanges(
    build(file('assets/vendor.3f2a1b9c.js', 40_000, 10_000), file('app.js', 9_000, 4_000)),
    build(
      file('assets/vendor.9c0d1e2f.js', 70_000, 38_000),
      file('app.js', 9_500, 4_000),
      file('new.css', 3_000, 2_000, { kind: 'style' }),
    ),
  );
  expect(changes?.files).toEqual([
    {
      kind: 'script',
      name: '/assets/vendor.*.js',
      url: `${url}assets/vendor.9c0d1e2f.js`,
      base: { bytes: 40_000, unused: 10_000 },
      candidate: { bytes: 70_000, unused: 38_000 },
    },
    {
      kind: 'style',
      name: '/new.css',
      url: `${url}new.css`,
      base: { bytes: 0, unused: 0 },
      candidate: { bytes: 3_000, unused: 2_000 },
    },
  ]);
  expect(changes && coverageChangesInWords(changes).sentence).toBe(
    'Unused code when the page was complete: scripts +28 kB (42 kB instead of 14 kB), style sheets +2.0 kB (2.0 kB instead of 0 B). vendor.*.js +28 kB; new.css +2.0 kB.',
  );
});

it('keeps what stands in a document apart from files, and scripts apart from styles', () => {
  const inline = (unused: number) => file('', 9_000, unused, { inline: true });
  const styles = (unused: number) => file('', 9_000, unused, { inline: true, kind: 'style' });
  const changes = coverageChanges(build(inline(1_000), styles(5_000)), build(inline(3_000), styles(1_000)));
  expect(changes?.files.map(({ kind, candidate }) => [kind, candidate.unused])).toEqual([
    ['style', 1_000],
    ['script', 3_000],
  ]);
  expect(changes && coverageChangesInWords(changes).sentence).toContain(
    '/ (inline styles) −4.0 kB; / (inline scripts) +2.0 kB.',
  );
});

it('is silent about a file that a build only sums up, and of equal builds', () => {
  const long = build(file('app.js', 9_000, 4_000));
  const summed = { url, coverage: { ...build().coverage, otherFiles: { count: 3, bytes: 9_000, unused: 4_000 } } };
  expect(coverageChanges(long, summed)?.files).toEqual([]);
  const same = coverageChanges(long, long);
  expect(same?.files).toEqual([]);
  expect(same && coverageChangesInWords(same).sentence).toBe('Both builds load about as much unused code.');
});

it('is nothing unless both builds tell', () => {
  expect(coverageChanges({ url }, build())).toBeUndefined();
});
