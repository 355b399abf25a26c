import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { readCoverage } from '../../../src/core/coverage/read.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { serve } from '../site.ts';

const fileOf = (name: string) => new URL(`../../../fixtures/pages/main-thread/${name}`, import.meta.url);

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

it('a traced load says of which file how much was not used', async () => {
  const url = server.url('main-thread');
  const { coverage } = await recordIn(lab, url, QUICK, { trace: true });
  const found = coverage && readCoverage(coverage, { completeAt: 0, pageUrl: url, requests: [] });
  const file = (name: string) => found?.files.find((each) => each.url.endsWith(`/${name}`));
  const bundle = file('bundle.js');
  const text = await readFile(fileOf('bundle.js'), 'utf8');
  const never = text.match(/function never\d+\(.*?\n\}/gs) ?? [];
  expect(bundle).toMatchObject({ kind: 'script', bytes: text.length, unused: never.join('').length });
  expect(bundle?.functions?.every(({ name }) => name.startsWith('never'))).toBe(true);
  expect(bundle?.functions?.[0]).toMatchObject({
    name: 'never10',
    line: text.slice(0, text.indexOf('function never10')).split('\n').length,
  });
  expect(file('vendor.js')?.thirdParty).toBe(true);
  const styles = await readFile(fileOf('style.css'), 'utf8');
  const rules = styles.match(/^\.never.*\}$/gm) ?? [];
  expect(file('style.css')).toMatchObject({ kind: 'style', bytes: styles.length, unused: rules.join('').length });
  // What Quiesce runs in the page itself is no code of the page.
  expect(found?.files.every((each) => each.url.startsWith('http'))).toBe(true);
});

it('what runs only after page complete has not run until then', async () => {
  const page = `<!doctype html><p>Text<script>
    function soon(){ return 1 }
    function late(){ return 2 }
    soon();
    addEventListener('load', () => setTimeout(late, 2500));
  </script><script>document.body.append(Object.assign(document.createElement('script'), { text: 'soon()' }))</script>`;
  const site = await serve(() => ({ '/': page }));
  try {
    const url = `${site.origin}/`;
    const { coverage } = await recordIn(lab, url, QUICK, { trace: true, watchUntil: 4_000 });
    if (!coverage) throw new Error('nothing was watched');
    const notRun = (completeAt: number) =>
      readCoverage(coverage, { completeAt, pageUrl: url, requests: [] })?.scripts.unused;
    expect(notRun(0)).toBeGreaterThan(20);
    expect(notRun(4_000)).toBe(0);
  } finally {
    await site.close();
  }
});

it('a load that is not traced is not watched', async () => {
  const { coverage } = await recordIn(lab, server.url('main-thread'), QUICK);
  expect(coverage).toBeUndefined();
});
