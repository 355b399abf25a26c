import { expect, it } from 'vitest';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { NETWORKS } from '../../src/core/conditions/networks.ts';
import type { Conditions } from '../../src/model/conditions.ts';
import { conditionsSentence, stated } from '../../src/wording/conditions.ts';

const PLAIN: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };

it('says conditions in one clause', () => {
  const network = NETWORKS.find(({ name }) => name === 'slow-4g');
  if (!network) throw new Error('no slow-4g');
  expect(conditionsSentence(PLAIN)).toBe('desktop, no throttling, cold cache');
  expect(conditionsSentence({ ...PLAIN, network, cpu: 4, view: 'warm', locale: 'de-DE', timezone: 'Asia/Tokyo' })).toBe(
    'desktop, network slow-4g (563 ms, 1.44 Mbit/s down, 675 kbit/s up), CPU 4 × slower, warm cache, language de-DE, time zone Asia/Tokyo',
  );
  expect(conditionsSentence({ ...PLAIN, network: { name: '20,0,500', latency: 20, upload: 500 } })).toBe(
    'desktop, network 20 ms, 500 kbit/s up, cold cache',
  );
  expect(stated(PLAIN)).toEqual({ ...PLAIN, sentence: 'desktop, no throttling, cold cache' });
});
