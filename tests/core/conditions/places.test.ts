import { expect, it } from 'vitest';
import { parseGeolocation, parseLocale, parseTimezone } from '../../../src/core/conditions/places.ts';

it.each([
  ['52.52,13.4', { latitude: 52.52, longitude: 13.4, accuracy: 10 }],
  [' -33.9 , 151.2 , 100', { latitude: -33.9, longitude: 151.2, accuracy: 100 }],
])('%j is a place', (text, geolocation) => {
  expect(parseGeolocation(text)).toEqual({ value: geolocation });
});

it.each([['91,0'], ['0,181'], ['1'], ['1,2,3,4'], ['1,'], ['x,y'], [''], ['1,2,-3']])('%j is none', (text) => {
  expect(parseGeolocation(text)).toEqual({
    problem: 'must be latitude,longitude in degrees, such as 52.52,13.40',
  });
});

it('knows languages and time zones in their usual writing', () => {
  expect(['de-de', 'EN', 'zh-hant-tw', 'not a tag', ''].map(parseLocale)).toEqual([
    'de-DE',
    'en',
    'zh-Hant-TW',
    undefined,
    undefined,
  ]);
  expect(['asia/tokyo', 'UTC', 'Mars/Olympus', '+02:00', ''].map(parseTimezone)).toEqual([
    'Asia/Tokyo',
    'UTC',
    undefined,
    undefined,
    undefined,
  ]);
});
