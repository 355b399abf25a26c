import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeOn, listenOn, portOf } from '../../../fixtures/listen.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { DESKTOP } from '../../../src/core/conditions/devices.ts';
import { sameOutline } from '../../../src/core/visual/outline.ts';
import type { Area } from '../../../src/model/recording/picture.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

/** What may be in the second screen of a page, there or not. */
const BELOW_THE_FOLD: Readonly<Record<string, (isThere: boolean) => string>> = {
  'a drawing in a canvas': (isThere) =>
    canvas(`const c = canvas.getContext('2d'); c.fillStyle = 'teal'; c.fillRect(0, 0, ${isThere ? 150 : 20}, 75);`),
  'a drawing by WebGL': (isThere) =>
    canvas(
      `const gl = canvas.getContext('webgl'); gl.clearColor(0, ${isThere ? 1 : 0}, 1, 1); gl.clear(gl.COLOR_BUFFER_BIT);`,
    ),
  'text in a closed shadow root': (isThere) =>
    `<x-card></x-card><script>customElements.define('x-card', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'closed' }).innerHTML = '<p>Reviews${isThere ? '</p><p>Very good' : ''}</p>';
      }
    });</script>`,
  'a bar of a chart': (isThere) => `<div style="height: 40px; width: ${isThere ? 300 : 40}px; background: teal"></div>`,
  'a picture of a style sheet': (isThere) =>
    `<div style="height: 40px; ${isThere ? 'background-image: linear-gradient(teal, navy)' : ''}"></div>`,
  'what a field holds': (isThere) =>
    `<input><script>document.querySelector('input').value = '${isThere ? 'Vienna' : ''}'</script>`,
  'a number': (isThere) => `<p>${isThere ? 128 : 0} reviews</p>`,
  'the options of a list': (isThere) => `<select><option>Choose</option>${isThere ? '<option>Vienna' : ''}</select>`,
  'a menu that is closed': (isThere) => `<nav>Trips<ul style="display: none">${isThere ? '<li>Venice' : ''}</ul></nav>`,
  'where a link leads': (isThere) => `<a href="${isThere ? '/trips/venice' : '#'}">Book</a>`,
  'the title of the page': (isThere) => `<script>document.title = '${isThere ? 'Venice' : 'Trips'}'</script>`,
  'another picture': (isThere) => `<img src="/${isThere ? 'gondola' : 'placeholder'}.svg" width="80" height="40">`,
  'what a picture tells those who do not see it': (isThere) => `<img src="/a.svg" alt="${isThere ? 'A gondola' : ''}">`,
  'a passage that is marked without an element': (isThere) =>
    `<p>Low water</p><script>if (${isThere}) { const range = new Range();
      range.selectNodeContents(document.currentScript.previousElementSibling); CSS.highlights.set('low', new Highlight(range)); }</script>`,
  'a text that is struck through': (isThere) => `<p ${isThere ? 'style="text-decoration: line-through"' : ''}>128</p>`,
  'whether a button works': (isThere) => `<button ${isThere ? '' : 'disabled'}>Book</button>`,
};

/** What tells the time, or moves, is the same page. */
const THE_SAME: Readonly<Record<string, (when: number) => string>> = {
  'what a link tells of where it was seen': (when) => `<a href="/trips/venice?seen=${when}">Book</a>`,
  'something that is hidden from everybody': (when) => `<div style="display: none">visit ${when}</div>`,
  'an animation in a canvas': (when) =>
    canvas(`const c = canvas.getContext('2d'); let x = ${when};
      setInterval(() => { x = (x + 7) % 300; c.clearRect(0, 0, 300, 150); c.fillRect(x, 0, 80, 150); }, 20);`),
  'a transformation': (when) => `<div style="height: 40px; background: teal; transform: rotate(${when}deg)"></div>`,
};

/** What says that work is under way. */
const BUSY: Readonly<Record<string, string>> = {
  'a bar of progress': '<progress></progress>',
  'a bar of progress by its role': '<div role="progressbar" style="height: 9px; background: teal"></div>',
  'a region that is marked as busy': '<section aria-busy="true">Rows</section>',
};

/** A page may have several, and other scripts beside them. */
function canvas(script: string): string {
  return `<canvas></canvas><script>{ const canvas = document.currentScript.previousElementSibling; ${script} }</script>`;
}

/** Everything at once, but for one. */
function allBut(left: string | undefined): string {
  return Object.entries(BELOW_THE_FOLD)
    .map(([name, draw]) => `<section>${draw(name !== left)}</section>`)
    .join('');
}

/** Frames of another site, of the page's own origin, and of one pixel. */
function framed(host: string): string {
  const other = host.replace('127.0.0.1', 'localhost');
  return `<iframe src="http://${other}/frame?text=foreign"></iframe><iframe src="/frame?text=own"></iframe>
    <iframe src="http://${other}/frame?text=tiny" style="width: 1px; height: 1px; border: 0"></iframe>`;
}

/** A canvas with a picture of another site in it, which what scrolls around it hides. */
const UNREADABLE = `<div style="height: 200px; overflow: auto"><div style="height: 900px"></div>${canvas(
  `const picture = new Image(); picture.onload = () => canvas.getContext('2d').drawImage(picture, 0, 0);
   picture.src = location.origin.replace('127.0.0.1', 'localhost') + '/foreign.svg';`,
)}</div>`;

/** A square that sways without an end, one that stops, and one whose animation takes for ever and gets nowhere. */
const SWAYING = `<style>@keyframes sway { to { transform: translateX(100px) } }
  b { position: fixed; width: 100px; height: 50px; left: 0 } #endless { top: 0 } #once { top: 300px }
  #endless { animation: sway 3s 1s infinite alternate } #once { animation: sway 60s }</style>
  <b id="endless"></b><b id="once"></b><b id="never" style="top: 400px"></b>
  <script>document.querySelector('#never').animate({ opacity: [1, 0] }, { duration: Infinity })</script>`;

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>';

let lab: ChromeLab;
const pages = () =>
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/frame') {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`<!doctype html><p>${searchParams.get('text')}</p>`);
      return;
    }
    if (pathname !== '/') {
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      response.end(PICTURE);
      return;
    }
    const [name, value] = [searchParams.get('name') ?? '', Number(searchParams.get('value'))];
    const ofFrames =
      name === 'swaying'
        ? SWAYING
        : name === 'canvas'
          ? UNREADABLE
          : name === 'frames'
            ? framed(request.headers.host ?? '')
            : undefined;
    const oneLeftOut = name === 'everything' || name in BELOW_THE_FOLD ? allBut(name) : undefined;
    const body = ofFrames ?? oneLeftOut ?? THE_SAME[name]?.(value) ?? BUSY[name] ?? '';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><link rel="icon" href="data:,"><h1>Above</h1><div style="height: 2000px">.</div>${body}`,
    );
  });
let servers: Awaited<ReturnType<typeof listenOn>>;
beforeAll(async () => {
  [servers, lab] = await Promise.all([listenOn(pages, 0), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await closeOn(servers);
});

async function recordingOf(name: string, value: number): Promise<Recording> {
  const query = new URLSearchParams({ name, value: String(value) });
  const policy = { ...QUICK, quietWindow: 500 };
  const outcome = await lab.record(
    { url: `http://127.0.0.1:${portOf(servers)}/?${query}`, policy, content: false, film: true },
    AbortSignal.timeout(30_000),
  );
  if (!outcome.ok) throw new Error(`no recording of ${name}`);
  return outcome.recording;
}

async function outlineOf(name: string, value: number): Promise<readonly string[]> {
  const { outline } = await recordingOf(name, value);
  if (outline === undefined) throw new Error(`no outline of ${name}`);
  return outline;
}

describe('a page with all there is below the fold', () => {
  let whole: readonly string[];
  beforeAll(async () => {
    whole = await outlineOf('everything', 0);
  });

  // That the next tests find a difference would else prove nothing.
  it('is the same page when it is loaded again', async () => {
    expect(sameOutline(whole, await outlineOf('everything', 0))).toBe(true);
  });

  it.each(Object.keys(BELOW_THE_FOLD))('is another one without %s', async (name) => {
    expect(sameOutline(whole, await outlineOf(name, 0))).toBe(false);
  });
});

it('never takes a page for the same where nobody can see a canvas in it', async () => {
  const [one, again] = [await outlineOf('canvas', 0), await outlineOf('canvas', 0)];
  expect(sameOutline(one, again)).toBe(false);
  expect(sameOutline(one, one)).toBe(true);
});

it.each(Object.keys(THE_SAME))('takes a page for the same that differs in %s', async (name) => {
  expect(sameOutline(await outlineOf(name, 3), await outlineOf(name, 70))).toBe(true);
});

it.each(Object.keys(BUSY))('tells by %s that a page says that it is busy', async (name) => {
  expect((await recordingOf(name, 1)).saysBusy).toBe(true);
});

it('does not take a page for busy that says nothing of the kind', async () => {
  expect((await recordingOf('everything', 0)).saysBusy).toBe(false);
});

it('tells what frames show that the page cannot read, apart from the page', async () => {
  const { frameOutlines = [], outline = [] } = await recordingOf('frames', 0);
  expect(frameOutlines.map(({ url }) => url)).toEqual([`http://localhost:${portOf(servers)}/frame`]);
  expect(frameOutlines[0]?.lines.join()).toContain('foreign');
  expect(outline.join()).toContain('own');
  expect(outline.join()).not.toMatch(/foreign|tiny/);
});

it('tells where something moves without an end, in all places that it comes to', async () => {
  const { canvases = [] } = await recordingOf('swaying', 0);
  expect(canvases).toHaveLength(1);
  const [{ left, top, width, height }] = canvases as [Area];
  expect([left, top]).toEqual([0, 0]);
  // 200 of it wide, 50 high.
  expect(width * DESKTOP.width).toBeCloseTo(200, 0);
  expect(height * DESKTOP.height).toBeCloseTo(50, 0);
});
