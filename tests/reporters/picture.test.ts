import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { embeddable, embeddedPictures } from '../../src/reporters/html/links/picture.ts';
import { dataUrlOf, encodeSmaller } from '../../src/shell/disk/pictures.ts';
import { noise } from '../core/visual/drawing.ts';
import { drawn } from './example-pictures.ts';
import { exampleReport, exampleTarget } from './example-report.ts';

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

/** The start of a JPEG: what a camera wrote, then its size. */
function jpeg(width: number, height: number, noted = 16, frame = 0xc0): string {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  const bytes = [
    ...[0xff, 0xd8, 0xff, 0xe0, noted >> 8, noted & 255, ...Array<number>(noted - 2).fill(7)],
    ...[0xff, frame, 0, 17, 8, ...size, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
    ...[0xff, 0xda, 0, 0, 0xff, 0xd9],
  ];
  return `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`;
}

describe('a JPEG', () => {
  test('tells its size, also behind what a camera wrote and when it is progressive', () => {
    for (const url of [jpeg(675, 470), jpeg(675, 470, 2000), jpeg(675, 470, 16, 0xc2)]) {
      expect(embeddable(url)).toEqual({ url, width: 675, height: 470 });
    }
    const written = dataUrlOf(encodeSmaller(noise()));
    expect(written).toMatch(/^data:image\/jpeg/);
    expect(embeddable(written)).toMatchObject({ width: 120, height: 80 });
  });

  test.each([
    ['whose size does not come soon', jpeg(675, 470, 60_000)],
    ['of a form that browsers do not know', jpeg(675, 470, 16, 0xc9)],
    ['that would fill the memory', jpeg(60_000, 60_000)],
    ['without a size', jpeg(0, 470)],
    ['that is a PNG', drawn([]).replace('image/png', 'image/jpeg')],
    ['that is none', `data:image/jpeg;base64,${Buffer.from('<svg onload=alert(1)>'.repeat(9)).toString('base64')}`],
    ['that is cut', jpeg(675, 470).slice(0, 43)],
    [
      'that is a segment without length, again and again',
      `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, ...Array<number[]>(700).fill([0xff, 0xe0, 0, 0]).flat(), 0]).toString('base64')}`,
    ],
  ])('%s is not embedded', (_, url) => {
    expect(embeddable(url)).toBeUndefined();
  });
});

const filesOf = (pictures: ReadonlyMap<string, unknown> | undefined) => [...(pictures?.keys() ?? [])];

test('what is shown is embedded in reading order, until the page is full', () => {
  const report = exampleReport();
  const [all] = embeddedPictures(report);
  expect(filesOf(all)).toEqual([
    'evidence/00-blank.png',
    'evidence/01-first-paint.png',
    'evidence/01b-hero.png',
    'evidence/02-page-complete.png',
    'evidence/03-after-events.png',
    'evidence/04-end.png',
    'evidence/ablation.png',
    'evidence/difference.png',
  ]);
  const first = all?.get('evidence/00-blank.png')?.url.length ?? 0;
  const [one] = embeddedPictures(report, first);
  expect(filesOf(one)).toEqual(['evidence/00-blank.png']);
  expect(embeddedPictures(report, 0)[0]?.size).toBe(0);
});

test('equal pictures have one id and weigh once', () => {
  const target = exampleTarget();
  const [first, second] = embeddedPictures({ targets: [target, target] });
  expect(first?.get('evidence/04-end.png')?.id).toBe(first?.get('evidence/ablation.png')?.id);
  expect([...(second?.values() ?? [])].map(({ id }) => id)).toEqual([...(first?.values() ?? [])].map(({ id }) => id));
  const distinct = new Map([...(first?.values() ?? [])].map(({ id, url }) => [id, url.length]));
  const weight = [...distinct.values()].reduce((sum, each) => sum + each, 0);
  // Half of it would be the first one's share.
  expect(embeddedPictures({ targets: [target, target] }, weight * 2).map(({ size }) => size)).toEqual([8, 8]);
});

test('a page of many targets is shared evenly', () => {
  const example = exampleTarget();
  const targets = Array.from({ length: 4 }, (_, i) => ({
    ...example,
    pictures: Object.fromEntries(
      ['evidence/00-blank.png', 'evidence/01-first-paint.png'].map((file, j) => [
        file,
        drawn([[0, 0, 9, 9, [i * 20, j * 20, 1]]]),
      ]),
    ),
  }));
  const one = targets[0]?.pictures['evidence/00-blank.png']?.length ?? 0;
  expect(embeddedPictures({ targets }, one * 5.2).map(({ size }) => size)).toEqual([1, 1, 1, 2]);
});
