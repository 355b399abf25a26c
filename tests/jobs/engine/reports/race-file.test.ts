import { expect, test } from 'vitest';
import { raceFile, withRace } from '../../../../src/jobs/engine/reports/race-file.ts';
import type { CompareReport } from '../../../../src/model/result/report.ts';
import { decodePicture } from '../../../../src/shell/disk/pictures.ts';
import { comparisonReport } from '../../../reporters/comparison.ts';
import { drawn } from '../../../reporters/example-pictures.ts';

/** Every picture of a comparison replaced. */
function withPictures(replace: (url: string, index: number) => string): CompareReport {
  const report = comparisonReport();
  const replaced = (pictures: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(pictures).map(([file, url], i) => [file, replace(url, i)]));
  return {
    ...report,
    base: { ...report.base, pictures: replaced(report.base.pictures) },
    candidate: { ...report.candidate, pictures: replaced(report.candidate.pictures) },
  };
}

test('a comparison with films has a race that a comment can bear', async () => {
  const file = await raceFile(comparisonReport());
  expect(file?.length).toBeLessThan(150_000);
  expect(Buffer.from(file ?? []).includes('acTL')).toBe(true);
  expect(decodePicture(file ?? new Uint8Array()).width).toBe(676);
});

test('pictures that shrink badly make a smaller race', async () => {
  let seed = 7;
  const noise = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % 256;
  };
  const noisy = Array.from({ length: 12 }, () =>
    drawn(
      Array.from({ length: 3000 }, (_, i) => [(i % 60) * 8, Math.floor(i / 60) * 6, 8, 6, [noise(), noise(), noise()]]),
    ),
  );
  const file = await raceFile(withPictures((_, i) => noisy[i % noisy.length] ?? ''));
  expect(file?.length).toBeLessThan(150_000);
  expect(decodePicture(file ?? new Uint8Array()).width).toBeLessThan(676);
});

test.each([
  ['none', ''],
  ['no picture', `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`],
  ['a picture elsewhere', 'https://evil.example/x.png'],
  ['markup', '"/><script>'],
])('there is no race where a frame is %s', async (_, url) => {
  expect(await raceFile(withPictures((own, i) => (i === 0 ? url : own)))).toBeUndefined();
});

test('only a page leads to it', async () => {
  expect(await withRace(comparisonReport(), ['json', 'md'])).not.toHaveProperty('race');
  expect((await withRace(comparisonReport(), ['html'])).report.race).toBe('race.png');
});
