import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { embeddable, embeddedPictures } from '../../src/report/html/picture.ts';
import { drawn } from './example-pictures.ts';
import { exampleReport } from './example-report.ts';

test('a PNG tells its size', () => {
  const url = drawn([], [1, 2, 3], 390, 844);
  expect(embeddable(url)).toEqual({ url, width: 390, height: 844 });
});

test.each([
  ['nothing', undefined],
  ['an address', 'https://shop.example/x.png'],
  ['another format', drawn([]).replace('image/png', 'image/svg+xml')],
  ['a picture with more behind it', `${drawn([])}" onerror="alert(1)`],
  ['parameters', drawn([]).replace(';base64', ';charset=x;base64')],
  ['no base64', 'data:image/png;base64,%89PNG'],
  ['too little', 'data:image/png;base64,iVBORw0KGgo='],
  [
    'another file under a PNG’s name',
    `data:image/png;base64,${Buffer.from('<svg onload=alert(1)>'.repeat(9)).toString('base64')}`,
  ],
])('%s is not embedded', (_, url) => {
  expect(embeddable(url)).toBeUndefined();
});

test('a picture that would fill the memory is not embedded', () => {
  const bytes = PNG.sync.write(new PNG({ width: 1, height: 1 }));
  bytes.writeUInt32BE(60_000, 16);
  expect(embeddable(`data:image/png;base64,${bytes.toString('base64')}`)).toBeUndefined();
});

test('what is shown is embedded in reading order, until the page is full', () => {
  const report = exampleReport();
  const [all] = embeddedPictures(report);
  expect([...(all?.keys() ?? [])]).toEqual([
    'evidence/04-end.png',
    'evidence/ablation.png',
    'evidence/difference.png',
    'evidence/01-first-paint.png',
    'evidence/02-page-complete.png',
    'evidence/03-after-events.png',
  ]);
  const first = all?.get('evidence/04-end.png')?.url.length ?? 0;
  const [one] = embeddedPictures(report, first);
  expect([...(one?.keys() ?? [])]).toEqual(['evidence/04-end.png']);
  expect(embeddedPictures(report, 0)[0]?.size).toBe(0);
});
