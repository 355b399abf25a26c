import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { readSourceMap } from '../../../src/core/main-thread/source-map.ts';
import { OWN, SCOPE, traceOf } from '../../support/traced.ts';

const folder = new URL('../../../fixtures/pages/main-thread/', import.meta.url);
const map = readFileSync(new URL('app.min.js.map', folder), 'utf8');
const script = readFileSync(new URL('app.min.js', folder), 'utf8').split('\n')[0] ?? '';

/** Where V8 says that a function begins, from 1: at its parameters. */
const begins = (name: string): number => script.indexOf(`function ${name}(`) + `function ${name}`.length + 1;

describe('readSourceMap', () => {
  it('gives a minified function its name, file, line and package', () => {
    const lookup = readSourceMap(map);
    expect(lookup?.(1, begins('o'))).toEqual({ file: 'src/app.ts', line: 4, name: 'sumPrices' });
    expect(lookup?.(1, begins('t'))).toEqual({
      file: 'node_modules/tiny-chart/index.ts',
      line: 1,
      name: 'drawChart',
      package: 'tiny-chart',
    });
    expect(lookup?.(900, 1)).toBeUndefined();
  });

  it.each([
    ['webpack://shop/./src/app.ts?1a2b', 'src/app.ts', undefined],
    ['../../src/a.ts', 'src/a.ts', undefined],
    ['webpack:///node_modules/@scope/name/lib/x.js', 'node_modules/@scope/name/lib/x.js', '@scope/name'],
    [
      '../node_modules/.pnpm/left@1.0.0/node_modules/left/index.js',
      'node_modules/.pnpm/left@1.0.0/node_modules/left/index.js',
      'left',
    ],
  ])('reads %s as a bundler means it', (source, file, owner) => {
    const lookup = readSourceMap(JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' }));
    expect(lookup?.(1, 1)).toEqual({ file, line: 1, ...(owner !== undefined && { package: owner }) });
  });

  it.each(['', 'null', '[]', '{}', '{"version":3,"sources":["a"],"mappings":7}', '<html>'])(
    'takes no harm from %s',
    (text) => {
      expect(() => readSourceMap(text)?.(1, 1)).not.toThrow();
    },
  );
});

describe('readMainThread with maps', () => {
  it('names functions of the source, and adds up packages', () => {
    const lookup = readSourceMap(map);
    const call = (name: string, from: number, to: number) => ({
      from,
      to,
      stack: [[name, OWN, 1, begins(name)]] as const,
    });
    const found = readMainThread(
      traceOf({
        tasks: [{ at: 0, ms: 70, inside: [{ name: 'EvaluateScript', at: 0, ms: 70, url: OWN }] }],
        calls: [call('o', 0, 40), call('t', 40, 70)],
      }),
      { ...SCOPE, until: 100, sources: new Map(lookup ? [[OWN, lookup]] : []) },
    );
    const [first] = found?.byScript ?? [];
    expect(first?.functions.map(({ source }) => source?.name)).toEqual(['sumPrices', 'drawChart']);
    expect(first?.byPackage).toHaveLength(1);
    expect(first?.byPackage?.[0]).toMatchObject({ package: 'tiny-chart' });
    expect(first?.byPackage?.[0]?.ms).toBeCloseTo(30, 0);
    expect(found?.longTasks[0]?.function?.source?.name).toBe('sumPrices');
  });
});
