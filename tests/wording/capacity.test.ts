import { expect, it } from 'vitest';
import { engineFaultInWords } from '../../src/wording/capacity.ts';

it('says why an engine made no load', () => {
  expect(engineFaultInWords('k6', { code: 'no-summary' })).toBe('k6 wrote no summary');
  expect(engineFaultInWords('k6', { code: 'failed', said: null, exit: 99 })).toBe('k6: exit code 99');
  expect(engineFaultInWords('k6', { code: 'failed', said: 'no space left' })).toBe('k6: no space left');
  expect(engineFaultInWords('autocannon', { code: 'ended', said: 'SIGKILL', exit: null })).toBe(
    'autocannon ended by itself: SIGKILL',
  );
});
