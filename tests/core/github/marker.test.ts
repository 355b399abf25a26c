import { expect, it } from 'vitest';
import { hasMarker, markerOf } from '../../../src/core/github/marker.ts';
import { optionNamed } from '../../../src/settings/options.ts';

it('a comment has the marker of its own key alone, at its beginning', () => {
  expect(hasMarker(`${markerOf('a')}\ntext`, 'a')).toBe(true);
  expect(hasMarker(`${markerOf('a')}\r\ntext`, 'a')).toBe(true);
  for (const body of [`${markerOf('a.b')}\n`, ` ${markerOf('a')}\n`, `> ${markerOf('a')}\n`, markerOf('a'), '']) {
    expect(hasMarker(body, 'a')).toBe(false);
  }
});

it('no key that can be typed ends the marker', () => {
  const { schema } = optionNamed('commentKey');
  for (const key of ['-->', 'a b', 'a>', '', 'x'.repeat(65), 'a\n']) expect(schema.safeParse(key).success).toBe(false);
  for (const key of ['quiesce', 'check-out', 'a--b', 'A.1_x']) {
    expect(schema.safeParse(key).success).toBe(true);
    expect(markerOf(key).match(/-->/g)).toHaveLength(1);
  }
});
