import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../../fixtures/server.ts';
import { copyOfStored } from '../../../../src/jobs/engine/evidence/images.ts';
import type { Evidence, RunResult } from '../../../../src/model/result/result.ts';
import { decodePicture } from '../../../../src/shell/disk/pictures.ts';
import { type Site, serve } from '../../../browser/site.ts';
import { auditInChrome } from '../../../support/chrome.ts';
import { messagesOf } from '../../../support/problems.ts';

const head = (title: string): string =>
  `<!doctype html><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,">`;
const TEXT = '<h1>Words</h1><p>A line of text that is there from the beginning.</p>';

/** Nothing is ever drawn. */
const BLANK = `${head('Blank')}<body></body>`;
/** A block that never stands still, beside a picture that comes late. */
const MOVING = `${head('Moving')}<style>
  #block { width: 300px; height: 200px; background: #246; animation: glow 700ms linear infinite; }
  @keyframes glow { 50% { background: #f80; } }
</style>${TEXT}<div id="block"></div><img src="/late.svg" width="400" height="200">`;
/** A banner pushes everything down by a timer, well after the page was complete. */
const BANNER = `${head('Banner')}${TEXT}<script>
  setTimeout(() => {
    const banner = document.createElement('div');
    banner.style.cssText = 'height: 400px; background: #c00';
    document.body.prepend(banner);
  }, 800);
</script>`;
/** A splash covers the page until a script takes it away. */
const SPLASH = `${head('Splash')}<style>#splash { position: fixed; inset: 0; background: #0044cc; }</style>
<div style="height: 300px; background: #ffcc00"></div><script>
  const splash = document.createElement('div');
  splash.id = 'splash';
  setTimeout(() => document.body.append(splash), 300);
  setTimeout(() => fetch('/done').then(() => splash.remove()), 600);
</script>`;

let server: FixtureServer;
let site: Site;
beforeAll(async () => {
  [server, site] = await Promise.all([
    startFixtureServer(),
    serve(() => ({
      '/blank': BLANK,
      '/moving': MOVING,
      '/late.svg': (response) => {
        setTimeout(() => {
          response.setHeader('content-type', 'image/svg+xml');
          response.end('<svg xmlns="http://www.w3.org/2000/svg"><rect width="400" height="200" fill="green"/></svg>');
        }, 600);
      },
      '/banner': BANNER,
      '/splash': SPLASH,
    })),
  ]);
});
afterAll(async () => {
  await Promise.all([server?.close(), site?.close()]);
});

interface Looked {
  readonly evidence: Evidence;
  readonly run: RunResult;
  /** What is in the files of the folder, by their path beside result.json. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly thumbnails: Readonly<Record<string, string>>;
}

/** What the evidence run of a page shows. */
async function look(url: string, quietWindow = 1_000): Promise<Looked> {
  const files = new Map<string, Uint8Array>();
  const { report, problems } = await auditInChrome(
    { targets: [url], evidence: true, quietWindow },
    {},
    async (folder) => {
      for (const name of await readdir(path.join(folder, 'evidence'))) {
        files.set(`evidence/${name}`, await readFile(path.join(folder, 'evidence', name)));
      }
    },
  );
  const [target] = report.targets;
  const run = target?.result.runs.find(({ role }) => role === 'evidence');
  if (!target?.result.evidence || !run) throw new Error(messagesOf(problems).join('\n'));
  return { evidence: target.result.evidence, run, files, thumbnails: target.pictures ?? {} };
}

/** Holds what is true of every filmstrip. */
function holds({ evidence: { film = [], pictures, progress = [] }, files, thumbnails }: Looked): void {
  expect(film.length).toBeGreaterThan(0);
  expect(film.length).toBeLessThanOrEqual(12);
  expect(film[0]?.at).toBe(0);
  const times = film.map(({ at }) => at);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  for (const [i, { file }] of film.entries()) expect(file).not.toBe(film[i - 1]?.file);
  const named = new Set([...film, ...pictures].map(({ file }) => file));
  // Nothing else was written, and no two files hold the same.
  expect(new Set(files.keys())).toEqual(named);
  const contents = [...files.values()].map((bytes) => Buffer.from(bytes).toString('base64'));
  expect(new Set(contents).size).toBe(contents.length);
  for (const [file, bytes] of files) {
    expect(decodePicture(bytes)).toMatchObject({ width: 675, height: 470 });
    // Whoever writes the report again from what is stored gets the same page.
    expect(copyOfStored(bytes)).toBe(thumbnails[file]);
  }
  expect(progress.map(({ at }) => at)).toEqual(progress.map(({ at }) => at).sort((a, b) => a - b));
}

describe('a filmstrip', () => {
  it('of the shop goes from nothing to the page as it was complete', async () => {
    const looked = await look(server.url('shop'));
    holds(looked);
    const { evidence } = looked;
    const shares = (evidence.progress ?? []).map(({ share }) => share);
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(evidence.film?.[0]?.progress).toBe(0);
    expect(evidence.film?.at(-1)?.progress).toBe(1);
    expect(evidence.speedIndex).toBeGreaterThan(0);
    expect(evidence.speedIndex).toBeLessThan(evidence.progress?.at(-1)?.at ?? 0);
    // Photographs are small on the disk.
    for (const [file, bytes] of looked.files) if (file.endsWith('.jpg')) expect(bytes.length).toBeLessThan(80_000);
    expect([...looked.files.keys()].some((file) => file.endsWith('.jpg'))).toBe(true);
    const complete1 = evidence.pictures.find(({ caption }) => caption === 'page complete');
    expect(evidence.film?.some(({ file }) => file === complete1?.file)).toBe(true);
  });

  it.concurrent('of a page that never paints is one frame without a curve', async () => {
    const looked = await look(`${site.origin}/blank`);
    holds(looked);
    expect(looked.evidence.film).toHaveLength(1);
    expect(looked.evidence.film?.[0]?.progress).toBeUndefined();
    expect(looked.evidence.progress).toBeUndefined();
    expect(looked.evidence.speedIndex).toBeUndefined();
  });

  // By itself: what moves is told from what comes by how it moves on, and a busy machine films too little of that.
  it('of a page that always moves shows what came, not how it moved', async () => {
    // What moves is told from what comes by its moving on in the silence.
    const looked = await look(`${site.origin}/moving`, 3_000);
    holds(looked);
    const { film = [], progress = [] } = looked.evidence;
    expect(film.length).toBeLessThanOrEqual(5);
    expect(progress.at(-1)?.share).toBe(1);
    expect(progress.at(-1)?.at).toBeGreaterThan(550);
  });

  it.concurrent('of a page with a banner that a timer draws goes on to the banner', async () => {
    const looked = await look(`${site.origin}/banner`);
    holds(looked);
    const { film = [], progress = [] } = looked.evidence;
    expect(progress.at(-1)?.share).toBe(1);
    // It is drawn within the quiet window, by the page itself: the page is complete with it.
    expect(progress.at(-1)?.at).toBeGreaterThan(790);
    expect(film.at(-1)?.at).toBeGreaterThan(790);
  });

  it.concurrent('of a page behind a splash screen goes back for it', async () => {
    const looked = await look(`${site.origin}/splash`);
    holds(looked);
    const shares = (looked.evidence.progress ?? []).map(({ share }) => share);
    expect(shares.some((share, i) => share < (shares[i - 1] ?? 0))).toBe(true);
    expect(shares.at(-1)).toBe(1);
  });
});
