import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../src/core/background/endpoint.ts';

const pathOf = (segment: string): string =>
  endpointOf({ method: 'GET', url: `https://example.com/s/${segment}/x` }).label.replace('GET https://example.com', '');

describe('ids in a path', () => {
  it.each(['4711', '0b9f7d2e-8c1a-4d53-9b6e-2f1a7c3d5e90'])('%s is one', (segment) => {
    expect(pathOf(segment)).toBe('/s/*/x');
  });

  it.each([
    'heartbeat',
    'iphone15promax',
    'mp3player2go',
    'h264video1080p',
    'bootstrap5',
    'product2026',
    'oauth2callback',
    'web3login',
    'v2beta',
    'utf8',
    'iphone-15-pro-2',
  ])('%s is none', (segment) => {
    expect(pathOf(segment)).toBe(`/s/${segment}/x`);
  });
});

describe('a bare value in a query', () => {
  const keyOf = (query: string): string =>
    endpointOf({ method: 'GET', url: `https://example.com/status?${query}` }).key;

  it.each(['1697041', '0.7301442', '.73', '1.2e-7', 'bcdjrz7unaf', 'jxstp5rhuwn', 'dcvaymile4x', 'mifk3x2a'])(
    '%s is a cache-buster',
    (query) => {
      expect(keyOf(query)).toBe(keyOf(''));
    },
  );

  it.each([
    'raw',
    'inline',
    '1.2.0',
    '0.73=1',
    'k2j8x0p4z7=1',
    'bcdjrz7unaf=1',
    'bcdjrz7unaf&raw',
    'chapter12',
    'versioning',
    'notification',
    'accelerate2',
  ])('%s names something', (query) => {
    expect(keyOf(query)).not.toBe(keyOf(''));
  });
});
