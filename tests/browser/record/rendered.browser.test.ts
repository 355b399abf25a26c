import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

const FONT = readFileSync(new URL('../../../fixtures/pages/shop/fonts/nunito-sans.woff2', import.meta.url));
const PICTURE = readFileSync(new URL('../../../docs/report-light.png', import.meta.url));
const WIDE = PICTURE.readUInt32BE(16);
const TALL = PICTURE.readUInt32BE(20);

const page = (crossOrigin: string): string => `<!doctype html><link rel="icon" href="data:,">
  <link rel="stylesheet" href="${crossOrigin}/other.css">
  <style>@font-face { font-family: "Own"; src: url(own.woff2) format("woff2") } h1 { font-family: Own }</style>
  <h1>A page</h1>
  <img src="a.png" alt="" style="width: 200px; height: ${Math.round((200 * TALL) / WIDE)}px">
  <img srcset="b.png ${WIDE}w" sizes="300px" alt="" style="width: 300px">`;

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  const send =
    (bytes: Buffer, type: string) =>
    (response: { end(bytes: Buffer): void; setHeader(n: string, v: string): void }) => {
      response.setHeader('content-type', type);
      response.end(bytes);
    };
  [site, lab] = await Promise.all([
    serve((_origin, crossOrigin) => ({
      '/': page(crossOrigin),
      '/other.css': send(Buffer.from('h1 { color: navy }'), 'text/css'),
      '/own.woff2': send(FONT, 'font/woff2'),
      '/a.png': send(PICTURE, 'image/png'),
      '/b.png': send(PICTURE, 'image/png'),
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it('tells the sizes of pictures, and how fonts are displayed, in a load and from its HAR', async () => {
  const outcome = await lab.record(
    { url: `${site.origin}/`, policy: QUICK, content: false },
    new AbortController().signal,
  );
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { recording } = outcome;
  const natural = { width: WIDE, height: TALL };
  expect(recording.rendered).toEqual({
    pictures: [
      { url: `${site.origin}/a.png`, natural, shown: { width: 200, height: Math.round((200 * TALL) / WIDE) } },
      // What "srcset" says of a file does not change its pixels.
      {
        url: `${site.origin}/b.png`,
        natural: { width: WIDE, height: expect.closeTo(TALL, -1) },
        shown: expect.objectContaining({ width: 300 }),
      },
    ],
    fonts: [{ url: `${site.origin}/own.woff2`, family: 'Own', display: 'auto' }],
  });
  const visit = visitOf(recording, QUICK);
  const har: unknown = JSON.parse(
    JSON.stringify(buildHar(recording, visit.timeline, { version: '0.0.0', policy: QUICK })),
  );
  const { recordings } = readHar(har);
  const [read] = recordings;
  if (read === undefined) throw new Error('no page');
  const again = recordingOfHar(read);
  expect(again.rendered).toEqual(recording.rendered);
  const large = (of: typeof recording) =>
    measure(visitOf(of, QUICK), QUICK).findings.filter(({ code }) => code === 'large-picture');
  expect(large(recording)).toMatchObject([
    { urls: [`${site.origin}/a.png`, `${site.origin}/b.png`], facts: { natural } },
  ]);
  expect(large(again).map(({ urls }) => urls)).toEqual(large(recording).map(({ urls }) => urls));
});
