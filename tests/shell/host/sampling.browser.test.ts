import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { hostHealth } from '../../../src/core/host/health.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { type Site, serve } from '../../browser/site.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let site: Site;
let lab: ChromeLab;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({ '/': '<!doctype html><title>Page</title><h1>Page</h1>' })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

describe('readings of the machine during a load', () => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await recordIn(lab, `${site.origin}/`, QUICK);
  });

  it('are taken before it, all through it, and at its end, in order', () => {
    const times = recording.hostSamples.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBe(recording.observedUntil);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("hold the browser's part and this program's", () => {
    const { hostSamples } = recording;
    const first = hostSamples[0];
    const last = hostSamples.at(-1);
    expect(last?.browser).toBeGreaterThan(first?.browser ?? Number.POSITIVE_INFINITY);
    expect(last?.own).toBeGreaterThan(first?.own ?? Number.POSITIVE_INFINITY);
  });

  it('can be judged', () => {
    const { verdict, busyByOthers } = hostHealth(recording.hostSamples, 500);
    expect(verdict).not.toBe('unknown');
    expect(busyByOthers).toBeGreaterThanOrEqual(0);
  });
});
