import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sbom } from '../../scripts/sbom.ts';

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

test('the SBOM has every package that comes with Quiesce, and none that only tests and builds need', () => {
  const { bomFormat, metadata, components } = JSON.parse(sbom()) as {
    readonly bomFormat: string;
    readonly metadata: unknown;
    readonly components: readonly { readonly purl: string }[];
  };
  const { packages } = read('package-lock.json') as {
    readonly packages: Readonly<Record<string, { version: string; dev?: boolean; devOptional?: boolean }>>;
  };
  const locked = Object.entries(packages).flatMap(([path, { version, dev, devOptional }]) =>
    path === '' || dev || devOptional ? [] : [`${path.replace(/^.*node_modules\//, '')}@${version}`],
  );
  const { version } = read('package.json') as { readonly version: string };
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata).toMatchObject({ component: { type: 'application', purl: `pkg:npm/quiesce@${version}` } });
  const listed = components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\//, ''));
  expect(new Set(listed)).toEqual(new Set(locked));
  expect(listed).toContain(`yaml@${packages['node_modules/yaml']?.version}`);
});
