import { expect, test } from 'vitest';
import { lighthouseWaitSentence } from '../../src/wording/lighthouse-wait.ts';

test('says how Lighthouse waited, and why', () => {
  const blocked = ['GET http://a.test/events'];
  expect(lighthouseWaitSentence({ strategy: 'blocked', blocked })).toBe(
    'Lighthouse ran with 1 background endpoint blocked: without it the page looks the same.',
  );
  expect(lighthouseWaitSentence({ strategy: 'blocked', blocked: [...blocked, 'GET http://a.test/poll'] })).toContain(
    '2 background endpoints blocked: without them',
  );
  expect(lighthouseWaitSentence({ strategy: 'capped', cap: 14_500, blocked: [] })).toContain('but 14.50 s at most');
  expect(lighthouseWaitSentence({ strategy: 'own', blocked: [] })).toContain('up to 45 s');
});
