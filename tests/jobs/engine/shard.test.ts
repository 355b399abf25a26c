import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockOrder } from '../../../src/core/experiment/blocks.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { LoadOutcome, LoadRequest } from '../../../src/model/recording/lab.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { type AuditOptions, audit, type CompareOptions, compare } from '../../support/jobs.ts';

import { answeringLab, ORIGIN } from '../../support/scripted.ts';
import { COMMON } from '../../support/settings.ts';
import { BASE, CANDIDATE, loadedBy, storedIn } from '../../support/shards.ts';

let out: string;
beforeEach(async () => {
  out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-shard-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(out, { recursive: true, force: true });
});

/** Every form that a share is read in. */
const SETTINGS: AuditOptions = { ...COMMON, format: ['json', 'html', 'md'] };

async function audited(more: Partial<AuditOptions>) {
  const loadedUrls: string[] = [];
  const events: Progress[] = [];
  const outcome = await audit(
    { ...SETTINGS, targets: [], runs: 2, out, ...more },
    {
      onProgress: (event) => events.push(event),
      openLab: answeringLab(({ url }) => {
        loadedUrls.push(new URL(url).pathname);
        return loadedBy(400);
      }),
    },
  );
  const stored = await storedIn<AuditResult>(out);
  return { outcome, stored, loadedUrls, events };
}

async function compared(more: Partial<CompareOptions>, load?: (request: LoadRequest, nth: number) => LoadOutcome) {
  const order: string[] = [];
  const events: Progress[] = [];
  const settings: CompareOptions = {
    ...SETTINGS,
    targets: [BASE, CANDIDATE],
    out,
    minEffect: '5%,10ms',
    alpha: 0.05,
    gate: ['page-complete'],
    strict: false,
    resume: false,
    ...more,
  };
  const outcome = await compare(settings, {
    microBenchmark: () => 10 + (order.length % 7) / 10,
    onProgress: (event) => events.push(event),
    openLab: answeringLab((request) => {
      order.push(request.url === BASE ? 'base' : 'candidate');
      return load?.(request, order.length) ?? loadedBy((request.url === BASE ? 1_000 : 1_200) + order.length);
    }),
  });
  const stored = await storedIn<CompareResult>(out);
  return { outcome, stored, order, events };
}

describe('an audit', () => {
  const targets = ['/a', '/b', '/c', '/d', '/e'].map((each) => `${ORIGIN}${each}`);

  it('measures every n-th page, and says what of the whole it is', async () => {
    const { outcome, stored, loadedUrls } = await audited({ targets, shard: '2/3' });
    expect(outcome.exit).toBe(0);
    expect(stored.targets.map(({ target }) => target)).toEqual([targets[1], targets[4]]);
    expect(new Set(loadedUrls)).toEqual(new Set(['/b', '/e']));
    expect(stored.shard).toEqual({
      index: 2,
      of: 3,
      total: 5,
      work: expect.stringMatching(/^[0-9a-f]{16}$/),
      machine: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('names files as they would be named in the whole, so that those of shards never collide', async () => {
    const { stored } = await audited({ targets, shard: '3/3', format: ['json', 'har'] });
    expect(stored.targets[0]?.runs.map(({ har }) => har)).toEqual(['c-run-0.har', 'c-run-1.har', 'c-run-2.har']);
  });

  it('is told from other work: another list, not another share of the same', async () => {
    const work = async (more: Partial<AuditOptions>) => (await audited({ targets, ...more })).stored.shard?.work;
    const first = await work({ shard: '1/3' });
    expect(await work({ shard: '2/3' })).toBe(first);
    expect(await work({ shard: '1/3', targets: targets.slice(0, 4) })).not.toBe(first);
  });

  it('of which nothing falls to a shard is done at once, and says so', async () => {
    const { outcome, stored, loadedUrls } = await audited({ targets: targets.slice(0, 2), shard: '3/3' });
    expect(outcome).toMatchObject({ exit: 0, problems: [] });
    expect(loadedUrls).toEqual([]);
    expect(stored.targets).toEqual([]);
    expect(stored.notes).toEqual(['Nothing falls to shard 3 of 3: the audit has 2 pages.']);
  });

  it('refuses to leave nothing that could be merged', async () => {
    await expect(audited({ targets, shard: '1/4', format: ['html'] })).rejects.toThrow(
      /--shard: needs json in --format/,
    );
  });

  it('refuses a share that nobody knows before anything is loaded', async () => {
    await expect(audited({ targets, shard: 'auto/4' })).rejects.toMatchObject({ code: 'option-invalid' });
  });
});

describe('a comparison', () => {
  const SHARE = { maxPairs: 12, seed: 7 } as const;

  it('loads its own blocks in the order that they have in the whole, all of them, and decides nothing', async () => {
    // The difference is plain from the first block on: without shards it would end at the first look.
    const { outcome, stored, order } = await compared({ ...SHARE, shard: '2/3' });
    expect(order.slice(2)).toEqual([...blockOrder(7, 2), ...blockOrder(7, 5)]);
    expect([...new Set(stored.base.runs.flatMap(({ block }) => block ?? []))]).toEqual([2, 5]);
    expect(stored.design).toMatchObject({ pairs: 4, looks: [12], stoppedBecause: 'share' });
    expect(stored).toMatchObject({ decision: 'unsure', failedGates: [], shard: { index: 2, of: 3, total: 6 } });
    expect(stored.sentence).toMatch(/^Shard 2 of 3: 4 of 12 pairs of loads\. This is only a part of the answer/);
    expect(outcome).toMatchObject({ exit: 0, problems: [] });
  });

  it('deals the blocks out unevenly where they do not divide', async () => {
    const pairs = async (shard: string) => (await compared({ ...SHARE, maxPairs: 10, shard })).stored.design.pairs;
    expect([await pairs('1/3'), await pairs('2/3'), await pairs('3/3')]).toEqual([4, 4, 2]);
  });

  it('draws the same seed in every shard when nobody names one', async () => {
    const seed = async (more: Partial<CompareOptions>) =>
      (await compared({ maxPairs: 6, shard: '1/3', ...more })).stored.design.seed;
    const first = await seed({});
    expect(await seed({ shard: '2/3' })).toBe(first);
    expect(await seed({ targets: [BASE, `${CANDIDATE}?x`] })).not.toBe(first);
  });

  it('makes up for a block that failed with the next of its own', async () => {
    const { stored } = await compared({ ...SHARE, shard: '1/3' }, ({ url }, nth) =>
      // Two untimed loads, then the first load of the first block fails, and fails again.
      nth === 3 || nth === 4
        ? { ok: false, failure: failure('connection-refused', { url, detail: 'refused' }) }
        : loadedBy(1_000),
    );
    expect(stored.design).toMatchObject({ pairs: 4, dropped: [{ block: 1 }], stoppedBecause: 'share' });
    const kept = stored.base.runs.filter(({ role, excluded }) => role === 'timed' && excluded === undefined);
    expect([...new Set(kept.map(({ block }) => block))]).toEqual([4, 7]);
  });

  it.each(['1/3', '3/3'])('%s is refused where there are fewer blocks than shards', async (shard) => {
    await expect(compared({ ...SHARE, maxPairs: 4, shard })).rejects.toThrow(
      /4 pairs are 2 blocks of loads, too few for 3 shards/,
    );
  });

  it('goes on where it was interrupted, with its own blocks', async () => {
    const ending = new AbortController();
    const settings = { ...SHARE, shard: '2/3' };
    await compare(
      {
        ...SETTINGS,
        targets: [BASE, CANDIDATE],
        out,
        minEffect: '5%',
        alpha: 0.05,
        gate: ['page-complete'],
        strict: false,
        resume: false,
        ...settings,
      },
      {
        signal: ending.signal,
        onProgress: (event) => {
          if (event.kind === 'comparison-progress') ending.abort();
        },
        openLab: answeringLab(() => loadedBy(1_000)),
      },
    );
    const { stored, order } = await compared({ ...settings, minEffect: '5%', resume: true });
    expect(order).toEqual(blockOrder(7, 5));
    expect(stored.design).toMatchObject({ pairs: 4, stoppedBecause: 'share' });
  });
});
