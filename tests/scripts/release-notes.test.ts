import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releaseNotes, sectionFor } from '../../scripts/release-notes.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

### Added
- Not yet.

## [1.10.0] - 2026-02-01

### Fixed

- One.

## [1.1.0] - 2026-01-01

- Two.

[Unreleased]: https://x.example/compare/v1.10.0...HEAD
[1.1.0]: https://x.example/releases/tag/v1.1.0
`;

test('the section of a version, and nothing else', () => {
  expect(sectionFor('1.10.0', CHANGELOG)).toBe('### Fixed\n\n- One.');
  expect(sectionFor('1.1.0', CHANGELOG)).toBe('- Two.');
  expect(sectionFor('1.1', CHANGELOG)).toBe(undefined);
});

test('a tag that names another version than the package is refused, and so is a version that nothing is said of', () => {
  expect(releaseNotes('v1.10.0', '{ "version": "1.10.0" }', CHANGELOG)).toEqual({ notes: '### Fixed\n\n- One.' });
  expect(releaseNotes('v1.10.1', '{ "version": "1.10.0" }', CHANGELOG)).toEqual({
    problem: 'package.json has version 1.10.0, and the tag is v1.10.1.',
  });
  expect(releaseNotes('v2.0.0', '{ "version": "2.0.0" }', CHANGELOG)).toEqual({
    problem: 'CHANGELOG.md has no section "## [2.0.0]", or an empty one.',
  });
});

test('our own changelog has a section for the version that is next or was last released', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(text).toMatch(/^## \[Unreleased\]$/m);
  expect(sectionFor(version, text)).toMatch(/^- /m);
});
