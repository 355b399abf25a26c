import { describe, expect, it } from 'vitest';
import { completeElsewhere, completeOnPhone } from '../../src/core/elsewhere.ts';
import { type Load, loadOf } from '../../src/core/fixes/replay/load.ts';
import type { Verdict } from '../../src/model/background/verdict.ts';
import type { Request } from '../../src/model/network/timeline.ts';
import type { Visit } from '../../src/model/network/visit.ts';
import type { RunResult, TargetResult } from '../../src/model/result/result.ts';
import { elsewhereOf } from '../../src/result/elsewhere.ts';
import { recording, request, response, timeline } from '../support/factories.ts';

const SITE = 'https://example.com';
const FAST = { latency: 0, rate: 1_000, cpu: 1 };

/** A file of so many bytes, whose first byte takes 10 ms and its download 1 ms. */
function file(id: string, from: number, parts: Parameters<typeof request>[0] = {}, protocol = 'h2'): Request {
  return request({
    id,
    url: `${SITE}/${id}`,
    frameId: 'F',
    type: 'script',
    initiator: { type: 'parser', url: `${SITE}/`, line: 1 },
    startedAt: from,
    endedAt: from + 11,
    transferSize: 1_000,
    response: response({ at: from + 10, protocol }),
    ...parts,
  });
}
const document = file('', 0, { type: 'document', mainDocument: true });

function visit(requests: readonly Request[], more: Partial<Visit['recording']> = {}): Visit {
  const at = Math.max(...requests.map(({ endedAt }) => endedAt ?? 0));
  return {
    recording: recording({
      navigation: { url: `${SITE}/`, startedAt: 0, browser: '', userAgent: '' },
      page: { finalUrl: `${SITE}/`, title: '', longTasks: [], layoutShifts: [] },
      ...more,
    }),
    timeline: timeline(requests, { marks: [] }),
    verdicts: new Map(),
    overruled: new Map(),
    complete: { state: 'complete', at, networkAt: at, decidedAt: 9_000 },
    raw: { state: 'never', waitingFor: [] },
  };
}

/** @param verdicts by the names of what is background */
function load(
  requests: readonly Request[],
  more: Partial<Visit['recording']> = {},
  verdicts: Readonly<Record<string, { readonly kind: 'sse' }>> = {},
): Load {
  const background = new Map(Object.entries(verdicts).map(([id, verdict]) => [id, verdict as Verdict]));
  const found = loadOf({ ...visit(requests, more), verdicts: background });
  if (found === undefined) throw new Error('the page is complete');
  return found;
}

describe('completeElsewhere', () => {
  it('leaves a load as it was where nothing is slower', () => {
    expect(completeElsewhere(load([document, file('a.js', 20)]), FAST)).toBeCloseTo(31, 5);
  });

  it('lets no answer begin before the latency is over, nor before the server has it', () => {
    const chain = load([document, file('a.js', 20)]);
    expect(completeElsewhere(chain, { ...FAST, latency: 100 })).toBeCloseTo(2 * 101 + 9, 5);
    expect(completeElsewhere(chain, { ...FAST, latency: 5 })).toBeCloseTo(31, 5);
  });

  it('shares the network among all files that are on their way', () => {
    const files = [file('a.js', 20), file('b.js', 20), file('c.js', 20)];
    // 1,000 bytes take 10 ms; three files at once take 30 ms, and the document 10 ms before them.
    expect(completeElsewhere(load([document, ...files]), { ...FAST, rate: 100 })).toBeCloseTo(20 + 9 + 10 + 30, 5);
  });

  it('sends six requests at a time to a server of HTTP/1.1', () => {
    const seven = Array.from({ length: 7 }, (_, i) => file(`${i}.js`, 20, {}, 'http/1.1'));
    const slow = { ...FAST, latency: 100 };
    expect(completeElsewhere(load([document, ...seven]), slow)).toBeGreaterThan(310);
    expect(completeElsewhere(load([document, ...seven.slice(1)]), slow)).toBeLessThan(220);
  });

  it('has fewer connections where a stream holds one', () => {
    const six = Array.from({ length: 6 }, (_, i) => file(`${i}.js`, 20, {}, 'http/1.1'));
    const { endedAt: _, ...stream } = file('events', 15, { type: 'eventsource' }, 'http/1.1');
    const beside = load([document, ...six, stream], {}, { events: { kind: 'sse' } });
    expect(completeElsewhere(beside, { ...FAST, latency: 100 })).toBeGreaterThan(310);
  });

  it('waits for what came last where nothing tells what a request waited for', () => {
    const unknown = file('late.js', 330, { initiator: { type: 'other' } });
    const slow = completeElsewhere(load([document, file('a.js', 300), unknown]), { ...FAST, latency: 100 });
    expect(slow).toBeGreaterThan(3 * 101 + 289);
  });

  it('slows down what the main thread did in between, and no timer', () => {
    const mainThread = [
      { at: 0, taskTime: 0 },
      { at: 11, taskTime: 0 },
      { at: 20, taskTime: 6 },
      { at: 100, taskTime: 6 },
    ];
    const slow = { ...FAST, cpu: 4 };
    expect(completeElsewhere(load([document, file('a.js', 20)], { mainThread }), slow)).toBeCloseTo(31 + 3 * 6, 5);
    const timed = file('a.js', 20, { initiator: { type: 'script', url: `${SITE}/`, scheduledBy: 'setTimeout' } });
    expect(completeElsewhere(load([document, timed], { mainThread }), slow)).toBeCloseTo(31, 5);
  });
});

describe('on a phone', () => {
  it('is told of loads on a fast network only', () => {
    const requests = [document, file('a.js', 20)];
    expect(completeOnPhone(visit(requests))).toBeGreaterThan(2 * 562.5);
    const { navigation } = visit(requests).recording;
    const network = { name: '4g', latency: 165 };
    expect(completeOnPhone(visit(requests, { navigation: { ...navigation, network } }))).toBeUndefined();
    expect(completeOnPhone(visit(requests, { navigation: { ...navigation, step: 'buy' } }))).toBeUndefined();
    expect(completeOnPhone(visit(requests, { foreign: { mayLeaveOutOpen: true } }))).toBeUndefined();
  });

  it('is the median of the runs, where the processor was not slowed down', () => {
    const runs = [900, 1_100, 1_000].map((onPhone, i) => ({ index: i, role: 'timed', ok: true, onPhone }) as RunResult);
    const conditions = { cpu: 1 } as NonNullable<TargetResult['conditions']>;
    const [told] = elsewhereOf({ runs, conditions }) ?? [];
    expect(told).toEqual({ device: 'phone', network: 'slow-4g', cpu: 4, pageComplete: 1_000 });
    expect(elsewhereOf({ runs, conditions: { ...conditions, cpu: 4 } })).toBeUndefined();
    const one = runs.map(({ onPhone, ...run }, i) => (i === 0 ? { ...run, onPhone: onPhone ?? 0 } : run));
    expect(elsewhereOf({ runs: one, conditions })).toBeUndefined();
    expect(elsewhereOf({ runs })).toBeUndefined();
  });
});
