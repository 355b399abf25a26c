import { PNG } from 'pngjs';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser } from '../../../../src/browser/install/find.ts';
import { type ChromeLab, openChromeLab } from '../../../../src/browser/lab.ts';
import type { Policy } from '../../../../src/model/background/verdict.ts';
import type { Frame, Recording } from '../../../../src/model/recording/recording.ts';
import { type Site, serve } from '../../../browser/site.ts';
import { tap } from '../../../browser/tap.ts';
import { recordIn, sharedLab } from '../../../support/lab.ts';
import { QUICK } from '../../../support/patience.ts';

/** Waits until what was drawn before has been handed over for display, and some more. */
const AFTER_PAINT = `const afterPaint = (then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then, 200)));`;

/** Turns red, then green; tells the server when it did, by its own clock. */
const COLOURS = `<!doctype html><title>Colours</title><body><script>${AFTER_PAINT}
  const turn = (colour) => {
    document.body.style.background = colour;
    fetch('/turned?to=' + encodeURIComponent(colour) + '&at=' + performance.now());
  };
  afterPaint(() => {
    turn('#f00');
    afterPaint(() => turn('#0f0'));
  });
</script>`;

/** Draws a new picture in every frame for three seconds, then one that stays. */
const MOVING = `<!doctype html><title>Moving</title><body><script>
  const move = () => {
    const done = performance.now() > 3000;
    document.body.style.background = done ? '#00f' : 'hsl(' + (performance.now() / 7 % 360) + ' 80% 50%)';
    if (done) fetch('/moved');
    else requestAnimationFrame(move);
  };
  move();
</script>`;

const TIMERS = `<!doctype html><title>Timers</title><h1>Timers</h1><script>
  debugger;
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let left = 3;
  const timer = setInterval(() => { debugger; fetch('/interval'); left -= 1; if (left === 0) clearInterval(timer); }, 50);
  (function again(n) { fetch('/timeout?' + n).then(() => { if (n > 0) setTimeout(again, 50, n - 1); }); })(2);
  requestAnimationFrame(() => fetch('/frame'));
  fetch('/first').then(() => fetch('/answer'));
  setTimeout(async () => { await 0; fetch('/awaited'); }, 50);
  new Worker('/worker.js');
</script>
<iframe src="/inner"></iframe>`;
const WORKER = `debugger; setTimeout(() => { debugger; fetch('/from-worker'); }, 50);`;
const INNER = `<script>debugger; setTimeout(() => { debugger; fetch('/from-frame'); }, 50);</script>`;

let site: Site;
let lab: ChromeLab;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/colours': COLOURS,
      '/moving': MOVING,
      '/timers': TIMERS,
      '/worker.js': WORKER,
      '/inner': INNER,
      '/stuck': `<!doctype html><h1>Stuck</h1><script>setInterval(() => fetch('/poll'), 100)</script>`,
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

const policy: Policy = { ...QUICK, quietWindow: 1_000, timeout: 60_000 };
const film = (path: string, quietWindow = 1_000): Promise<Recording> =>
  recordIn(lab, site.origin + path, { ...policy, quietWindow }, { film: true });

const decode = ({ image }: Frame): PNG => PNG.sync.read(Buffer.from(image, 'base64'));
/** The colour in the middle of a picture, as 'r,g,b'. */
function colourOf(frame: Frame): string {
  const { width, height, data } = decode(frame);
  const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return [...data.subarray(middle, middle + 3)].join();
}
const pathsOf = ({ events }: Recording) =>
  events.flatMap((event) => (event.kind === 'request' ? [{ ...event, path: new URL(event.url).pathname }] : []));

describe('a load that is filmed', () => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await film('/colours');
  });

  it('dates each picture after the change that it shows and before the next one', () => {
    const turned = new Map(
      pathsOf(recording)
        .filter(({ path }) => path === '/turned')
        .map(({ url }) => new URL(url).searchParams)
        .map((query) => [query.get('to'), Number(query.get('at'))]),
    );
    const firstOf = (colour: string) => recording.frames.find((frame) => colourOf(frame) === colour)?.at;
    const [red, green] = [turned.get('#f00') ?? Number.NaN, turned.get('#0f0') ?? Number.NaN];
    expect(firstOf('255,0,0')).toBeGreaterThan(red);
    expect(firstOf('255,0,0')).toBeLessThan(green);
    expect(firstOf('0,255,0')).toBeGreaterThan(green);
    expect(firstOf('0,255,0')).toBeLessThanOrEqual(recording.observedUntil);
  });

  it('begins with the blank page at 0, goes on in order, and repeats no picture', () => {
    expect(recording.frames[0]?.at).toBe(0);
    expect(recording.frames.map(colourOf)[0]).toBe('255,255,255');
    const times = recording.frames.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const [i, frame] of recording.frames.entries()) expect(frame.image).not.toBe(recording.frames[i - 1]?.image);
  });

  it('keeps small pictures, and a last one in full size', () => {
    for (const frame of recording.frames) expect(decode(frame).width).toBeLessThanOrEqual(675);
    expect(recording.lastPicture).toBeDefined();
    const last = recording.lastPicture as Frame;
    expect([decode(last).width, decode(last).height]).toEqual([1350, 940]);
    expect(colourOf(last)).toBe('0,255,0');
    expect(last.at).toBeGreaterThanOrEqual(recording.frames.at(-1)?.at ?? Number.NaN);
  });
});

it('keeps the film of a page that moves within bounds, and ends it with the picture that stays', async () => {
  // The window is longer than the movement, which makes no requests before its end, also where frames come late.
  const recording = await film('/moving', 8_000);
  // Fifteen pictures a second and as many once; some before navigation start and some on their way.
  expect(recording.frames.length).toBeLessThanOrEqual(15 * (recording.observedUntil / 1000 + 1) + 20);
  expect(recording.frames.length).toBeGreaterThan(3);
  expect(colourOf(recording.frames.at(-1) as Frame)).toBe('0,0,255');
});

it('names the timers that started requests, and does not stop at debugger statements', async () => {
  const scheduledBy = (recording: Recording) =>
    new Map(pathsOf(recording).map(({ path, initiator }) => [path, initiator?.scheduledBy]));
  const filmed = scheduledBy(await film('/timers'));
  expect(Object.fromEntries([...filmed].filter(([, by]) => by !== undefined))).toEqual({
    '/interval': 'setInterval',
    '/timeout': 'setTimeout',
    '/frame': 'requestAnimationFrame',
    '/answer': 'Promise.then',
    '/awaited': 'setTimeout',
    '/from-worker': 'setTimeout',
    '/from-frame': 'setTimeout',
  });
  expect(filmed.has('/first')).toBe(true);
  const plain = scheduledBy(await recordIn(lab, `${site.origin}/timers`, policy));
  expect(plain.has('/from-worker')).toBe(true);
  expect([...plain.values()].filter((by) => by !== undefined)).toEqual([]);
});

it('takes a last picture also of a page that is never complete', async () => {
  const recording = await recordIn(
    lab,
    `${site.origin}/stuck`,
    { ...policy, foreground: ['/poll'], timeout: 3_000 },
    { film: true },
  );
  expect(recording.lastPicture && decode(recording.lastPicture).width).toBe(1350);
});

it('ends when it is aborted in the middle', async () => {
  const abort = new AbortController();
  const loading = lab.record(
    {
      url: `${site.origin}/moving`,
      policy,
      content: false,
      film: true,
      hold: ['/moved'],
      onTick: ({ elapsed }) => {
        if (elapsed > 0) abort.abort(new Error('enough'));
      },
    },
    abort.signal,
  );
  await expect(loading).rejects.toThrow('enough');
});

describe('a load that is watched longer', () => {
  it('goes on after the answer is known, and gives the same answer', async () => {
    const watchUntil = 4_000;
    const recording = await recordIn(lab, `${site.origin}/inner`, { ...policy, quietWindow: 300 }, { watchUntil });
    expect(recording.observedUntil).toBeGreaterThanOrEqual(watchUntil);
    expect(recording.frames).toEqual([]);
    expect(recording.lastPicture).toBeUndefined();
  });

  it('ends at the time-out all the same', async () => {
    const short = { ...policy, quietWindow: 300, timeout: 2_000 };
    const recording = await recordIn(lab, `${site.origin}/inner`, short, { watchUntil: 1e9 });
    expect(recording.observedUntil).toBeGreaterThanOrEqual(2_000);
  });
});

it('says how often it judged and what that cost', async () => {
  const { judging } = await recordIn(lab, `${site.origin}/inner`, { ...policy, quietWindow: 300 });
  // Once when the window ends, once to confirm.
  expect(judging?.times).toBeGreaterThanOrEqual(2);
  expect(judging?.cost).toBeGreaterThan(0);
});

it('sends nothing of all this in a load that is timed', async () => {
  const { path } = await findBrowser(undefined, process.env);
  const chrome = await puppeteer.launch({
    executablePath: path,
    args: ['--disable-gpu', '--no-first-run', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  const wire = await tap(chrome.wsEndpoint());
  const tapped = await openChromeLab({ browserWs: wire.url, sandbox: true, browserArg: [] }, undefined);
  const untimedOnly =
    /^(Debugger|Fetch)\.|screencast|captureScreenshot|addScriptToEvaluate|Runtime\.(evaluate|enable)/i;
  const asked = () =>
    [...new Set(wire.said.flatMap(({ method }) => method ?? []))].filter((each) => untimedOnly.test(each));
  try {
    const timed = await recordIn(tapped, `${site.origin}/timers`, policy);
    expect(timed.frames).toEqual([]);
    // The page's own timings are read once, when all is over.
    // Errors of its scripts are told as they come.
    expect(asked()).toEqual(['Runtime.enable', 'Runtime.evaluate']);
    expect(wire.said.filter(({ method }) => method === 'Runtime.evaluate')).toHaveLength(1);
    // The same tap sees all of it when it is asked for, or it would have seen nothing in any case.
    await recordIn(tapped, `${site.origin}/timers`, policy, { film: true, hold: ['/held/'] });
    expect(asked()).toEqual(
      expect.arrayContaining([
        'Debugger.enable',
        'Fetch.enable',
        'Page.startScreencast',
        'Page.captureScreenshot',
        'Page.addScriptToEvaluateOnNewDocument',
      ]),
    );
  } finally {
    await tapped.close();
    wire.close();
    await chrome.close();
  }
});
