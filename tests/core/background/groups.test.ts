import { describe, expect, it } from 'vitest';
import { backgroundEndpoints } from '../../../src/core/background-facts.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { EndpointRule } from '../../../src/model/background/verdict.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

/** The rows of a page: kind, endpoint without its origin where that is the page's, and the numbers of requests and endpoints. */
const rows = (requests: readonly Scripted[], learnt: readonly EndpointRule[] = []) => {
  const policy = { ...POLICY, learnt };
  const visit = visitOf(recordingOf({ requests: page(...requests), until: 9_000 }), policy);
  return backgroundEndpoints(visit, policy).map(({ kind, endpoint, requests: times, endpoints, ...rest }) => ({
    row: `${kind} ${endpoint.replace(`${ORIGIN}/`, '/')} ${times}${endpoints === undefined ? '' : ` of ${endpoints}`}`,
    ...rest,
  }));
};
const names = (...of: Parameters<typeof rows>) => rows(...of).map(({ row }) => row);

const files = (paths: readonly string[], more: Partial<Scripted> = {}): readonly Scripted[] =>
  paths.map((path, i) => ({ path, from: 450 + i * 90, to: 700 + i * 90, ...more }));
const parts = (folder: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${folder}/${'abcdefghijklmnopqrstuvwxyz'[i]}.js`);

describe('the files of one cache', () => {
  const cached = { target: 'service-worker' } as const;

  it('are one row, with all requests and the addresses as far as they are listed', () => {
    const [row, ...others] = rows(files(parts('/assets', 24), cached));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      row: 'service-worker GET /assets/* 24 of 24',
      firstStartedAt: 450,
      lastActivityAt: 2_770,
      countedState: 'complete',
      cost: 2_770 - 60,
    });
    expect(row?.urls).toHaveLength(10);
    expect(row?.period).toBeUndefined();
  });

  it('are named by the folder that they have in common', () => {
    const own = [...parts('/assets/js', 2), ...parts('/assets/css', 2)];
    expect(names(files(own, cached))).toEqual(['service-worker GET /assets/* 4 of 4']);
    expect(names(files(['/', ...own], cached))).toEqual(['service-worker GET /* 5 of 5']);
    expect(names(files(['/a.js'], cached))).toEqual(['service-worker GET /a.js 1']);
    expect(
      names([...files(['/a.js'], cached), ...files(['/b.js'], { ...cached, origin: 'https://cdn.test' })]),
    ).toEqual(['service-worker GET https://* 2 of 2']);
  });
});

describe('what one script reports', () => {
  const ping = { method: 'POST', type: 'ping', line: 3 } as const;
  const paths = ['/track/view', '/track/click', '/track/perf', '/track/scroll', '/track/error'];

  it('is one row at one origin', () => {
    const burst = paths.map((path, i): Scripted => ({ ...ping, path, from: 450 + i, to: 600, line: i + 1 }));
    expect(names(burst)).toEqual(['beacon POST /track/* 5 of 5']);
    expect(rows(burst)[0]?.period).toBeUndefined();
    const [other] = files(['/collect'], { ...ping, origin: 'https://stats.test' });
    expect(names(other ? [...burst, other] : burst)).toEqual([
      'beacon POST /track/* 5 of 5',
      'beacon POST https://stats.test/collect 1',
    ]);
  });

  it('is a row for each script, and for what nobody is known to have sent', () => {
    const [view, click, perf] = files(paths.slice(0, 3), ping);
    if (!view || !click || !perf) throw new Error('three are asked for');
    expect(names([view, { ...click, script: '/stats.js' }])).toHaveLength(2);
    const { line: _line, ...unknown } = ping;
    expect(names(files(paths, unknown))).toHaveLength(5);
  });

  it('is one row where nobody reads the answers, whose ends are not told of then', () => {
    const unread = paths.map((path, i): Scripted => ({ ...ping, path, type: 'fetch', from: 450, pieces: [500 + i] }));
    expect(names(unread)).toEqual(['http-stream POST /track/* 5 of 5']);
    expect(names(unread.map((each) => ({ ...each, method: 'GET' })))).toHaveLength(5);
  });

  it('has a period only where it comes back', () => {
    const every = (pause: number, times: number) =>
      rows(
        Array.from({ length: times }, (_, i) => ({
          ...ping,
          path: '/collect',
          from: 500 + i * pause,
          to: 520 + i * pause,
        })),
      );
    expect(every(1_000, 9)[0]).toMatchObject({ period: 1_000 });
    expect(every(1_000, 3)[0]?.period).toBeUndefined();
    expect(every(5, 4)[0]?.period).toBeUndefined();
  });
});

describe('what has no effect', () => {
  const rule = (path: string): EndpointRule => ({
    endpoint: `GET ${ORIGIN}${path}?`,
    kind: 'no-effect',
    reason: { code: 'same-without-it' },
    confidence: 'certain',
    impact: 'none',
  });
  const paths = ['/api/user', '/api/flags', '/api/cart'];

  it('is one row where one place in the code asks for it', () => {
    expect(names(files(paths, { line: 7 }), paths.map(rule))).toEqual(['no-effect GET /api/* 3 of 3']);
  });

  it('is a row for each endpoint where each has a place of its own', () => {
    const apart = files(paths).map((each, i) => ({ ...each, line: i + 1 }));
    expect(names(apart, paths.map(rule))).toEqual(paths.map((path) => `no-effect GET ${path} 1`));
  });
});

it('what streams, plays, hangs or is named stands for itself', () => {
  const open = parts('/live', 2).map((path): Scripted => ({ path, from: 200, type: 'eventsource', line: 1 }));
  expect(names(open)).toHaveLength(2);
  const policy = { ...POLICY, background: ['/named/'] };
  const visit = visitOf(
    recordingOf({ requests: page(...files(parts('/named', 2), { line: 1 })), until: 9_000 }),
    policy,
  );
  expect(backgroundEndpoints(visit, policy)).toHaveLength(2);
});
