import { expect, it } from 'vitest';
import { readCoverage } from '../../../src/core/coverage/read.ts';
import type { UseReading, WatchedText } from '../../../src/model/recording/recording.ts';

const OWN = 'https://shop.test/app.js';
const SCOPE = { completeAt: 500, pageUrl: 'https://shop.test/', requests: [] };

const script = (id: string, text: string, url = OWN): WatchedText => ({ kind: 'script', id, url, text });
const style = (id: string, text: string, url = 'https://shop.test/a.css'): WatchedText => ({
  kind: 'style',
  id,
  url,
  text,
});
const whole = (id: string, text: string, ...rest: UseReading['ranges']): UseReading => ({
  id,
  ranges: [{ from: 0, to: text.length, used: true, function: '' }, ...rest],
});

const TEXT = `go();\nfunction go(){}\nfunction never(){${'x'.repeat(120)}}`;
const NEVER = { from: 22, to: TEXT.length, used: false, function: 'never' };

it('says which function of which file did not run', () => {
  const found = readCoverage(
    { texts: [script('1', TEXT)], readings: [{ at: 600, uses: [whole('1', TEXT, NEVER)] }] },
    SCOPE,
  );
  const unused = TEXT.length - NEVER.from;
  expect(found).toMatchObject({ until: 600, scripts: { bytes: TEXT.length, unused }, styles: { bytes: 0, unused: 0 } });
  expect(found?.files[0]).toMatchObject({ url: OWN, party: 'shop.test', thirdParty: false });
  expect(found?.files[0]?.functions).toEqual([{ name: 'never', line: 3, column: 1, bytes: unused }]);
});

it('counts what ran up to the first reading after page complete, and nothing later', () => {
  const ran = { ...NEVER, used: true };
  const readings = [
    { at: 300, uses: [whole('1', TEXT, NEVER)] },
    { at: 600, uses: [] },
    { at: 9_000, uses: [{ id: '1', ranges: [ran] }] },
  ];
  const texts = [script('1', TEXT), script('2', 'late()', 'https://shop.test/late.js')];
  const until = (completeAt: number) => readCoverage({ texts, readings }, { ...SCOPE, completeAt });
  expect(until(500)).toMatchObject({ until: 600, scripts: { unused: TEXT.length - NEVER.from } });
  expect(until(700)).toMatchObject({ until: 9_000, scripts: { unused: 0 } });
  // There was no page complete: the last reading stands.
  expect(until(20_000)).toMatchObject({ until: 9_000, scripts: { unused: 0 } });
  expect(until(500)?.files.map(({ url }) => url)).toEqual([OWN]);
});

it('counts a script that was loaded twice once, as used as it was together', () => {
  const texts = [script('1', TEXT), script('2', TEXT)];
  const uses = [whole('1', TEXT, NEVER), whole('2', TEXT)];
  const found = readCoverage({ texts, readings: [{ at: 600, uses }] }, SCOPE);
  expect(found?.scripts).toEqual({ bytes: TEXT.length, unused: 0 });
});

it('puts what stands in a document together, apart from files', () => {
  const at = (line: number) => ({ inline: { line, column: 8 } });
  const texts = [
    { ...script('1', TEXT, SCOPE.pageUrl), ...at(4) },
    { ...script('2', TEXT, SCOPE.pageUrl), ...at(90) },
    { ...style('3', '.a{}', SCOPE.pageUrl), ...at(2) },
  ];
  const uses = [whole('1', TEXT, NEVER), whole('2', TEXT, NEVER)];
  const found = readCoverage({ texts, readings: [{ at: 600, uses }] }, SCOPE);
  expect(found?.files).toHaveLength(2);
  expect(found?.files[0]).toMatchObject({ kind: 'script', inline: true, bytes: TEXT.length * 2 });
  expect(found?.files[0]?.functions?.map(({ line }) => line)).toEqual([7, 93]);
  expect(found?.files[1]).toMatchObject({ kind: 'style', bytes: 4, unused: 4 });
});

it('counts rules of style sheets that matched nothing, and no more', () => {
  const text = '@font-face{font-family:a}\n.used{top:0}\n@media print{.not{top:0}}';
  const used = text.indexOf('.used');
  const uses = [{ id: 's', ranges: [{ from: used, to: used + '.used{top:0}'.length, used: true }] }];
  const found = readCoverage({ texts: [style('s', text)], readings: [{ at: 600, uses }] }, SCOPE);
  expect(found?.styles).toEqual({ bytes: text.length, unused: '.not{top:0}'.length });
});

it('counts bytes, not characters', () => {
  const text = `go();function n(){'${'ü'.repeat(10)}'}`;
  const never = { from: 5, to: text.length, used: false, function: 'n' };
  const found = readCoverage(
    { texts: [script('1', text)], readings: [{ at: 600, uses: [whole('1', text, never)] }] },
    SCOPE,
  );
  expect(found?.scripts).toEqual({ bytes: text.length + 10, unused: text.length + 10 - 5 });
});

it('names source and package where the map tells', () => {
  const sources = new Map([
    [OWN, (line: number) => (line === 3 ? { file: 'node_modules/lib/a.js', line: 9, package: 'lib' } : undefined)],
  ]);
  const found = readCoverage(
    { texts: [script('1', TEXT)], readings: [{ at: 600, uses: [whole('1', TEXT, NEVER)] }] },
    { ...SCOPE, sources },
  );
  expect(found?.files[0]?.unusedByPackage).toEqual([{ package: 'lib', bytes: TEXT.length - NEVER.from }]);
  expect(found?.files[0]?.functions?.[0]?.source?.line).toBe(9);
});

it('lists the files with the most unused, and sums up the others', () => {
  const texts = Array.from({ length: 80 }, (_, i) =>
    style(`${i}`, `.a{${'x'.repeat(i)}}`, `https://shop.test/${i}.css`),
  );
  const found = readCoverage({ texts, readings: [{ at: 600, uses: [] }] }, SCOPE);
  expect(found?.files).toHaveLength(60);
  expect(found?.files[0]?.url).toContain('/79.css');
  const listed = found?.files.reduce((sum, { unused }) => sum + unused, 0) ?? 0;
  expect(found?.otherFiles).toMatchObject({ count: 20 });
  expect(listed + (found?.otherFiles?.unused ?? 0)).toBe(found?.styles.unused);
});

it('says nothing where nothing was watched', () => {
  expect(readCoverage({ texts: [], readings: [] }, SCOPE)).toBeUndefined();
});
