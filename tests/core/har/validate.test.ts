import { describe, expect, it } from 'vitest';
import { buildHar } from '../../../src/core/har/build.ts';
import { validateHar, validateWritten } from '../../../src/core/har/validate.ts';
import { harFaultInWords } from '../../../src/wording/messages/har-faults.ts';
import { recording, request, timeline } from '../../support/factories.ts';

type Loose = { log: { entries: Record<string, unknown>[]; [key: string]: unknown } };

function broken(change: (har: Loose) => void): readonly string[] {
  const har = buildHar(recording(), timeline([request(), request({ id: 'r2', startedAt: 5 })]), { version: '1' });
  const copy = structuredClone(har) as unknown as Loose;
  change(copy);
  return validateHar(copy).map(harFaultInWords);
}

function entry(har: Loose, index: number): Record<string, Record<string, unknown>> {
  return har.log.entries[index] as Record<string, Record<string, unknown>>;
}

describe('validateHar', () => {
  it('has nothing to say about a valid HAR', () => {
    expect(broken(() => {})).toEqual([]);
  });

  it('names the entry, its address, the field and what is wrong', () => {
    expect(broken((har) => Object.assign(entry(har, 1), { time: Number.NaN }))).toEqual([
      'Entry 1 (https://example.com/): time should be number.',
    ]);
    expect(broken((har) => delete entry(har, 0).response?.status)).toEqual([
      'Entry 0 (https://example.com/): response.status is missing.',
    ]);
    expect(broken((har) => Object.assign(entry(har, 1).response ?? {}, { bodySize: -2 }))).toEqual([
      'Entry 1 (https://example.com/): response.bodySize is -2, should be >= -1.',
    ]);
    expect(broken((har) => Object.assign(entry(har, 1), { pageref: 'page_9' }))).toEqual([
      'Entry 1 (https://example.com/): pageref names the page "page_9", which is not in log.pages.',
    ]);
    expect(broken((har) => Object.assign(entry(har, 1), { time: -3 }))).toEqual([
      'Entry 1 (https://example.com/): time is -3, should be >= 0.',
    ]);
    expect(broken((har) => Object.assign(entry(har, 0), { serverIPAddress: 'x' }))).toEqual([
      'Entry 0 (https://example.com/): serverIPAddress should be an IP address.',
    ]);
    expect(broken((har) => Object.assign(entry(har, 0), { startedDateTime: 'yesterday' }))).toEqual([
      'Entry 0 (https://example.com/): startedDateTime should be a date with its time and its zone, as in 2026-01-31T12:00:00.000Z.',
    ]);
    expect(broken((har) => delete har.log.creator)).toEqual(['log.creator is missing.']);
  });

  it('is strict with what Quiesce writes, and takes what other tools write beside it', () => {
    const har = buildHar(recording(), timeline([request()]), { version: '1' });
    const { pages: _pages, ...log } = har.log;
    const foreign = {
      log: { ...log, entries: log.entries.map(({ pageref: _pageref, ...each }) => ({ ...each, own: 1 })) },
    };
    expect(validateWritten(foreign)).toEqual([]);
    expect(validateHar(foreign).map(harFaultInWords)).toEqual([
      'log.pages is missing.',
      'Entry 0 (https://example.com/): pageref is missing.',
      'Entry 0 (https://example.com/): own is not a field of HAR 1.2.',
    ]);
  });

  it.each([[undefined], [null], [3], ['x'], [[]]])('does not take %j for a HAR', (har) => {
    expect(validateHar(har)).toEqual([{ code: 'no-log' }]);
  });

  it('can name a pageref that is no text', () => {
    const odd = JSON.parse('{"toString": 1, "__proto__": {"x": 1}}') as object;
    const [first] = broken((har) => Object.assign(entry(har, 1), { pageref: odd })).filter((each) =>
      each.includes('names the page'),
    );
    expect(first).toMatch(/pageref names the page \{"toString":1/);
  });

  it('does not throw, whatever it gets', () => {
    const circle: Record<string, unknown> = {};
    circle.log = circle;
    expect(validateHar(circle)).toMatchObject([{ code: 'no-json' }]);
    expect(
      validateHar({ log: { entries: [null, 3, { request: 1, timings: [] }], pages: 'x' } }).length,
    ).toBeGreaterThan(2);
  });
});
