import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { metricTitle } from '../../../src/core/metrics/index.ts';
import { expressionsOf, METRIC_SOURCES, metricsWith } from '../../../src/core/metrics/own/index.ts';
import { hasLateMetrics } from '../../../src/core/metrics/own/late.ts';
import type { OwnMetric } from '../../../src/model/metrics/metrics.ts';
import type { PageTimings } from '../../../src/model/recording/recording.ts';
import { runInWords } from '../../../src/wording/result/run.ts';
import { POLICY, page, recordingOf } from '../../support/scripted.ts';

const own = (name: string, from: string): OwnMetric => ({ name, from, unit: 'ms', better: 'lower' });

const TIMINGS: PageTimings = {
  finalUrl: 'https://a.test/',
  title: 'A',
  userMarks: [
    { at: 40, name: 'ready' },
    { at: 90, name: 'ready' },
  ],
  userMeasures: [{ at: 10, name: 'checkout-ready', duration: 0 }],
  elementPaints: [{ at: 60, name: 'hero' }],
  evaluated: [{ expression: 'items.length', value: -3 }],
};

function visitWith(metrics: readonly OwnMetric[], timings: PageTimings = TIMINGS) {
  const recording = recordingOf({ requests: page({ path: '/a.js', from: 30, to: 120 }), load: 160, until: 4_000 });
  const navigation = { ...recording.navigation, metrics };
  return visitOf({ ...recording, navigation, page: { ...recording.page, ...timings } }, POLICY);
}

const measured = (...metrics: readonly OwnMetric[]) =>
  runInWords(measure(visitWith(metrics), POLICY), 'https://a.test/');

describe('own metrics', () => {
  it('are read of every source, the first of equal names', () => {
    const run = measured(
      own('ready', 'mark:ready'),
      own('checkout', 'measure:checkout-ready'),
      own('hero', 'element:hero'),
      own('items', 'js:items.length'),
    );
    expect(run.metrics).toMatchObject({ ready: 40, checkout: 0, hero: 60, items: -3 });
    expect(run.findings.filter(({ code }) => code === 'metric-missing')).toEqual([]);
  });

  it('that a page lacks are missing, not 0, and the names that it has are told', () => {
    const run = measured(own('ready', 'mark:raedy'), own('db', 'server:db'), own('count', 'js:nothing'));
    for (const name of ['ready', 'db', 'count']) expect(run.metrics).not.toHaveProperty(name);
    expect(run.findings.flatMap(({ code, message }) => (code === 'metric-missing' ? message : []))).toEqual([
      'Own metric ready: the page gave no number for mark:raedy. It has: measure "checkout-ready"; mark "ready"; element timing "hero".',
      'Own metric db: the page gave no number for server:db. It has: measure "checkout-ready"; mark "ready"; element timing "hero".',
      'Own metric count: the page gave no number for js:nothing.',
    ]);
  });

  it('of a page without any names are told so', () => {
    const visit = visitWith([own('ready', 'mark:ready')], { finalUrl: 'https://a.test/', title: '' });
    expect(runInWords(measure(visit, POLICY), '').findings.map(({ message }) => message)).toContain(
      'Own metric ready: the page gave no number for mark:ready. It has no measures, marks, element timings, Server-Timing entries.',
    );
  });

  it('have a title, stand behind ours, and those of unknown sources are never measured', () => {
    expect(metricTitle('checkoutReady')).toBe('Checkout ready');
    expect(metricTitle('lighthouse:performance')).toBe('lighthouse:performance');
    const all = metricsWith([own('later', 'trace:x')]);
    expect(all.at(-1)).toMatchObject({ name: 'later', title: 'Later', own: true });
    expect(all.at(-1)?.read(visitWith([]))).toBeUndefined();
  });

  it('of moments can be told without stolen time, those of paints come with a frame', () => {
    const [mark, hero, measure] = metricsWith([own('a', 'mark:a'), own('b', 'element:b'), own('c', 'measure:c')]).slice(
      -3,
    );
    expect([mark?.isMoment, hero?.isMoment, hero?.isPaint, measure?.isMoment]).toEqual([true, true, true, undefined]);
  });

  it('that come after page complete are late, others are not', () => {
    const late = { ...TIMINGS, userMarks: [{ at: 900, name: 'ready' }] };
    expect(hasLateMetrics(visitWith([own('ready', 'mark:ready')], late))).toBe(true);
    expect(hasLateMetrics(visitWith([own('hero', 'element:hero')], late))).toBe(false);
    expect(hasLateMetrics(visitWith([own('ready', 'mark:ready')]))).toBe(false);
  });

  it('are evaluated in the page where they are expressions', () => {
    expect(expressionsOf([own('a', 'js: a ? b : c'), own('b', 'mark:b')])).toEqual(['a ? b : c']);
  });
});

describe('the list of sources', () => {
  it('has unique kinds, and each gives nothing for an empty page', () => {
    expect(new Set(METRIC_SOURCES.map(({ kind }) => kind)).size).toBe(METRIC_SOURCES.length);
    const empty = visitOf({ ...recordingOf({ requests: [], until: 10 }) }, POLICY);
    for (const source of METRIC_SOURCES) expect([...source.figures(empty)], source.kind).toEqual([]);
  });
});
