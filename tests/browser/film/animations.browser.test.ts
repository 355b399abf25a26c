import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

const PAGE = `<!doctype html><link rel="icon" href="data:,">
<style>
  #fades { opacity: 0; transition: opacity 300ms 100ms }
  #turns { animation: turn 1s infinite }
  ::view-transition-group(root), ::view-transition-old(root), ::view-transition-new(root) { animation-duration: 250ms }
  @keyframes turn { to { transform: rotate(1turn) } }
</style>
<h1>Tides</h1><p id="fades">High water at noon</p><p id="turns">@</p><p id="grows">||||</p>
<script>
  const element = (id) => document.getElementById(id);
  element('turns').getBoundingClientRect();
  element('fades').style.opacity = 1;
  element('grows').animate([{ scale: '0 1' }, { scale: '1 1' }], { duration: 200, iterations: 2 });
  // Never seen to its end.
  element('grows').animate([{ color: 'red' }, { color: 'blue' }], { duration: 900 }).finished.catch(() => undefined);
  setTimeout(() => element('grows').getAnimations().at(-1).cancel(), 500);
  setTimeout(() => document.startViewTransition(() => (element('turns').hidden = true)), 600);
</script>`;

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([serve(() => ({ '/': PAGE })), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it('tells when the animations of a filmed page run that end by themselves', async () => {
  const request = { url: `${site.origin}/`, policy: QUICK, content: false, film: true };
  const outcome = await lab.record(request, new AbortController().signal);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { animations = [], observedUntil } = outcome.recording;
  const durations = new Set(animations.map(({ from, to }) => Math.round(to - from)));
  expect([...durations].toSorted((a, b) => a - b)).toEqual([250, 300, 400]);
  for (const { from, to } of animations) {
    expect(from).toBeGreaterThan(0);
    expect(to).toBeLessThan(observedUntil);
  }
});
