import { describe, expect, it } from 'vitest';
import { createCauseReader } from '../../../src/core/causes/events.ts';
import { shownCauses } from '../../../src/core/causes/shown-causes.ts';
import { MAIN, SITE, tracer, WORKER } from './tracer.ts';

/** What led to each request. */
const shownIn = ({ read }: ReturnType<typeof tracer>, order?: readonly object[]) =>
  new Map(shownCauses(read(order)).map((each) => [each.requestId, each]));

/** A script that asks for `first`, whose body the code awaits that then asks for `second`. */
function awaited() {
  const trace = tracer();
  trace.send('app.js', 1, { initiator: { type: 'parser', url: `${SITE}/` } });
  trace.task(10, 20);
  trace.evaluate(11, 19);
  trace.send('first', 12);
  trace.task(50, 52);
  trace.answered('first', 50.5);
  trace.microtasks(51, 52);
  trace.step('await', 12.5, 51.1, 51.9);
  trace.task(60, 61);
  trace.ended('first', 60.5);
  trace.task(61.5, 65);
  trace.microtasks(62, 64);
  trace.step('await', 51.5, 62.1, 63.9);
  trace.send('second', 63);
  return trace;
}

describe('an answer', () => {
  it('leads to what the code asks for that awaited its body', () => {
    expect(shownIn(awaited()).get('second')).toMatchObject({ cause: 'response', by: 'first', byUrl: `${SITE}/first` });
  });

  it('does so in whatever order the events come', () => {
    const trace = awaited();
    expect(shownIn(trace, trace.events.toReversed()).get('second')).toEqual(shownIn(trace).get('second'));
  });

  it('of several that have ended is the one whose code it is', () => {
    const trace = awaited();
    trace.send('other', 13);
    trace.task(55, 56);
    trace.answered('other', 55.5);
    trace.task(61.1, 61.2);
    trace.ended('other', 61.15);
    expect(shownIn(trace).get('second')).toMatchObject({ by: 'first' });
  });

  it('is not known where the code asked for several that have ended since', () => {
    const trace = tracer();
    trace.task(10, 20);
    trace.evaluate(11, 19);
    trace.send('one', 12);
    trace.send('two', 13);
    trace.send('three', 14);
    trace.task(40, 41);
    trace.ended('one', 40.5);
    trace.task(42, 43);
    trace.ended('two', 42.5);
    trace.task(44, 50);
    trace.microtasks(45, 49);
    trace.step('await', 15, 45.1, 48);
    trace.send('second', 46);
    expect(shownIn(trace).get('second')).toMatchObject({ cause: 'unknown' });
    expect(shownIn(trace).get('second')?.by).toBeUndefined();
  });

  it('that came in the same task leads there at once, and two of them leave it open', () => {
    const trace = tracer();
    trace.send('one', 1);
    trace.send('two', 2);
    trace.task(30, 40);
    trace.answered('one', 31);
    trace.microtasks(32, 35);
    trace.step('await', 3, 32.1, 34.9);
    trace.send('by-one', 33);
    trace.task(50, 60);
    trace.answered('one', 51);
    trace.answered('two', 52);
    trace.microtasks(53, 56);
    trace.step('await', 4, 53.1, 55.9);
    trace.send('by-both', 54);
    expect(shownIn(trace).get('by-one')).toMatchObject({ cause: 'response', by: 'one' });
    expect(shownIn(trace).get('by-both')?.cause).toBe('unknown');
  });
});

it('a timer of code that an answer had woken leads back to the answer', () => {
  const trace = awaited();
  trace.task(100, 110);
  trace.step('setTimeout', 63.5, 101, 109);
  trace.send('later', 105);
  trace.task(120, 130);
  trace.step('requestAnimationFrame', 106, 121, 129);
  trace.send('drawn', 125);
  expect(shownIn(trace).get('later')).toMatchObject({ cause: 'timer', by: 'first' });
  expect(shownIn(trace).get('drawn')).toMatchObject({ cause: 'render', by: 'first' });
});

it('an interval leads to who set it, however often it has fired', () => {
  const trace = awaited();
  const runs = Array.from({ length: 300 }, (_, i) => 100 + i * 10);
  for (const at of runs) trace.task(at - 1, at + 2);
  trace.repeated('setInterval', 63.5, runs);
  trace.send('late', (runs.at(-1) ?? 0) + 0.5);
  expect(shownIn(trace).get('late')).toMatchObject({ cause: 'timer', by: 'first' });
});

it.each([
  ['after it was noted as sent', 63.5],
  ['before that', 70.5],
])('a message that a worker reads %s leads back to what had woken its sender', (_, at) => {
  const trace = awaited();
  if (at > 65) {
    trace.task(70, 71);
    trace.step('setTimeout', 63.4, 70.1, 70.9);
  }
  trace.message(at, MAIN, 70.2, WORKER);
  trace.task(70, 80, WORKER);
  trace.span('HandlePostMessage', 70.2, 79, {}, WORKER);
  trace.send('asked', 75, {}, WORKER);
  expect(shownIn(trace).get('asked')).toMatchObject({ cause: 'message', by: 'first' });
});

it('steps of another thread with the same numbers change nothing', () => {
  const trace = awaited();
  const steps = trace.events.filter((each) => 'ph' in each && (each.ph === 's' || each.ph === 'f'));
  const later = steps.map((each) => ({ ...each, ...WORKER, ts: 'ts' in each ? Number(each.ts) + 1 : 0 }));
  expect(steps.length).toBeGreaterThan(0);
  expect(shownIn(trace, [...trace.events, ...later]).get('second')).toMatchObject({ cause: 'response', by: 'first' });
});

it('a step that Chrome joins with one of another thread leads to its own', () => {
  const trace = awaited();
  const isFlow = (each: object, ph: string) => 'ph' in each && each.ph === ph;
  // Between a start and its end, another thread registers a step of the same number: two flows instead of one.
  const joined = trace.events.flatMap((each, i): readonly object[] => {
    if (!isFlow(each, 's') || !('ts' in each)) return [each];
    const end = trace.events.find(
      (other) => isFlow(other, 'f') && 'id' in other && 'id' in each && other.id === each.id,
    );
    const between = { ...each, ...WORKER, ts: Number(each.ts) + 1 };
    const scheduled = { ...between, ph: 'X', dur: 1, args: { taskName: 'await' } };
    return [each, { ...between, ph: 'f' }, scheduled, { ...between, id: `${i}` }, { ...end, id: `${i}` }];
  });
  const seen = joined.filter((each) => !(isFlow(each, 'f') && trace.events.includes(each)));
  expect(shownIn(trace, seen).get('second')).toMatchObject({ cause: 'response', by: 'first' });
});

it('a stream leads there by its messages', () => {
  const trace = tracer();
  trace.send('stream', 1);
  trace.event('ResourceReceiveResponse', 20, { requestId: 'stream', mimeType: 'text/event-stream' });
  trace.task(30, 40);
  trace.event('ResourceReceivedData', 31, { requestId: 'stream' });
  trace.span('FunctionCall', 32, 39);
  trace.send('asked', 35);
  expect(shownIn(trace).get('asked')).toMatchObject({ cause: 'message', by: 'stream' });
});

it('code that runs because it has come is in its file', () => {
  const shown = shownIn(awaited());
  expect(shown.get('first')).toMatchObject({ cause: 'script', by: 'app.js' });
});

it('a parser is believed only where there is one', () => {
  const trace = tracer();
  const byParser = { initiator: { type: 'parser', url: `${SITE}/page` } };
  trace.send('page', 1);
  trace.task(10, 20);
  trace.span('ParseHTML', 11, 19);
  trace.send('picture', 12, byParser);
  trace.task(30, 40);
  trace.send('by-nobody', 35, byParser);
  trace.task(50, 60);
  trace.span('UpdateLayoutTree', 51, 59);
  trace.send('background.png', 55, byParser);
  expect(shownIn(trace).get('picture')).toMatchObject({ cause: 'parser', by: 'page' });
  expect(shownIn(trace).get('by-nobody')).toMatchObject({ cause: 'unknown' });
  expect(shownIn(trace).get('background.png')).toMatchObject({ cause: 'render' });
});

it('what is no event, or a circle, tells nothing', () => {
  const reader = createCauseReader();
  for (const raw of [null, 1, 'x', {}, { ph: 'X', ts: 'NaN' }, { name: 'RunTask', ph: 'X', ts: 1, pid: 1, tid: 1 }]) {
    reader.add(raw);
  }
  expect(shownCauses(reader.end())).toEqual([]);
  const trace = tracer();
  trace.task(10, 90);
  // Each is registered in the other.
  trace.step('setTimeout', 55, 20, 40);
  trace.step('setTimeout', 30, 50, 70);
  trace.send('asked', 60);
  expect(shownIn(trace).get('asked')?.cause).toBe('unknown');
});
