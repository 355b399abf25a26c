import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReachabilityCheck } from '../../../src/jobs/engine/reachable.ts';
import type { Lab } from '../../../src/model/recording/lab.ts';
import type { PagesNote } from '../../../src/model/result/note.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { chromeSettings } from '../../support/chrome.ts';
import { audit, compare } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { page, recordingOf, scriptedLab } from '../../support/scripted.ts';

/** An address for documentation, which is no machine's. Source: RFC 5737. */
const FAR = 'ws://203.0.113.7:4444/session/abc/se/cdp';
const NEAR = 'ws://127.0.0.1:9222/devtools/browser/x';
const REFUSED =
  /would be served at 127\.0\.0\.1 on this machine, but the remote browser at ws:\/\/203\.0\.113\.7:4444\/… cannot load it: that address does not belong to this machine\./;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-reach-'));
  await writeFile(path.join(folder, 'index.html'), '<p>hello');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a folder', () => {
  it('is refused before anything is begun when the browser is elsewhere', async () => {
    let opened = 0;
    const openLab = async () => {
      opened += 1;
      return scriptedLab([]);
    };
    const settings = chromeSettings({ targets: [folder], browserWs: FAR });
    await expect(audit(settings, { openLab })).rejects.toThrow(REFUSED);
    const { runs: _runs, ...both } = chromeSettings({ targets: [folder, 'https://example.com/'], browserWs: FAR });
    const design = { minEffect: '5%', alpha: 0.05, gate: ['LCP' as const], strict: false, resume: false };
    await expect(compare({ ...both, ...design }, { openLab })).rejects.toMatchObject({
      code: 'folder-out-of-reach',
      exit: 2,
    });
    expect(opened).toBe(0);
  });

  it.each([['elsewhere, behind a tunnel', { elsewhere: true }, 'it runs on another machine. Use a URL']])(
    'is refused when the browser turns out to be %s',
    async (_, place, reason) => {
      const out = path.join(folder, 'out');
      const lab = { ...scriptedLab([]), ...place };
      const outcome = await audit(chromeSettings({ targets: [folder], browserWs: NEAR, out }), {
        openLab: async () => lab,
      });
      expect(outcome.exit).toBe(2);
      expect(messagesOf(outcome.problems)).toEqual([expect.stringContaining(`cannot load it: ${reason}`)]);
      expect(lab.loads).toEqual([]);
      expect(lab.alive()).toBe(false);
    },
  );
});

describe('an address that every machine has for itself', () => {
  const noted = async (browserWs: string | undefined, urls: readonly string[], place: Pick<Lab, 'elsewhere'> = {}) => {
    const notes: PagesNote[] = [];
    const check = createReachabilityCheck(browserWs, (note) => notes.push(note));
    await check.checkAddress(urls.map((url) => ({ name: url, url })));
    check.checkBrowser(place);
    // A browser that is connected to once more.
    check.checkBrowser(place);
    return notes;
  };

  it.each([
    'http://localhost:3000/',
    'http://shop.localhost/',
    'http://127.0.0.1:80/',
    'http://[::1]/',
    'http://0.0.0.0/',
  ])('is noted once of %s: a tunnel may lead back', async (url) => {
    const note = [{ code: 'loopback-elsewhere', urls: [url] }];
    expect(await noted(FAR, [url, 'https://example.com/'], { elsewhere: true })).toEqual(note);
    expect(await noted(NEAR, [url], { elsewhere: true })).toEqual(note);
    expect(await noted(NEAR, [url])).toEqual([]);
    // The browser itself knows better than its address.
    expect(await noted(FAR, [url])).toEqual([]);
    expect(await noted(undefined, [url])).toEqual([]);
  });

  it('is not what others can reach', async () => {
    expect(
      await noted(FAR, ['https://example.com/', 'http://192.168.0.7/', 'http://localhost.example/'], {
        elsewhere: true,
      }),
    ).toEqual([]);
  });

  it('stands in the result, so that its reader knows, too', async () => {
    const recording = recordingOf({ requests: page(), until: 5_000 });
    const lab = {
      ...scriptedLab([
        { ok: true, recording },
        { ok: true, recording },
      ]),
      elsewhere: true,
    };
    const told: Progress[] = [];
    const { result } = await audit(
      chromeSettings({ targets: ['http://localhost:3000/'], browserWs: NEAR, out: path.join(folder, 'out') }),
      { openLab: async () => lab, onProgress: (event) => told.push(event) },
    );
    expect(result.notes).toEqual([expect.stringContaining('so it looks for http://localhost:3000/ there')]);
    expect(result.noteFacts).toEqual([{ code: 'loopback-elsewhere', urls: ['http://localhost:3000/'] }]);
    expect(told.filter(({ kind }) => kind === 'note')).toHaveLength(1);
  });
});
