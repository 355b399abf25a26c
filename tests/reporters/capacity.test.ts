import { expect, test } from 'vitest';
import { capacityFormats } from '../../src/reporters/formats.ts';
import { capacityOf } from './capacity-example.ts';

const EVIL = 'http://127.0.0.1/<script>alert(1)</script>|`\u001b[31m\u202e';

const RESULT = capacityOf(EVIL);

test.each(capacityFormats.map(({ format, load }) => [format, load] as const))(
  '%s holds every level, and no harm',
  async (format, load) => {
    const before = structuredClone(RESULT);
    const text = (await load())(RESULT);
    expect(RESULT).toEqual(before);
    if (format !== 'json' && format !== 'csv') {
      // In Markdown it is code, and a bar would end the cell.
      if (format === 'md') expect(text).toContain('`http://127.0.0.1/<script>alert(1)</script>¦');
      else expect(text).not.toContain('<script>alert');
      expect(text).not.toContain('\u001b');
      expect(text).not.toContain('\u202e');
    }
    for (const { concurrency } of RESULT.levels) expect(text).toContain(String(concurrency));
    if (format === 'csv') expect(text.trim().split('\r\n')).toHaveLength(1 + 8 + 8);
  },
);
