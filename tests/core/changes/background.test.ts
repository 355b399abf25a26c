import { expect, it } from 'vitest';
import { backgroundChangesOf, withoutChanges } from '../../../src/core/changes/background.ts';
import type { BackgroundEndpoint } from '../../../src/model/result/result.ts';
import { BASE, build, CANDIDATE, endpoint, run } from './builds.ts';

it('lists what only one build has, with its build', () => {
  const base = build(BASE, { background: [endpoint(`GET ${BASE}/old?*`)] });
  const candidate = build(CANDIDATE, { background: [endpoint(`GET ${CANDIDATE}/stock?*`)] });
  expect(backgroundChangesOf(base, candidate).map((each) => [each.build, each.endpoint])).toEqual([
    ['base', `GET ${BASE}/old?*`],
    ['candidate', `GET ${CANDIDATE}/stock?*`],
  ]);
});

it('knows an endpoint again at another origin, socket or not, and whatever its hash', () => {
  const at = (origin: string, hash: string) => [
    endpoint(`GET ${origin}/stock?*`),
    endpoint(`POST ${origin}/graphql (Prices)`),
    endpoint(`GET ${origin.replace('http', 'ws')}/live`, { kind: 'websocket' }),
    endpoint(`GET ${origin}/icon.${hash}.svg`, { kind: 'browser-internal' }),
    endpoint('GET https://tracker.test/beat?*'),
  ];
  const base = build(BASE, { background: at(BASE, '3f2a1b9c') });
  const candidate = build(CANDIDATE, { background: at(CANDIDATE, '4a5b6c7d') });
  expect(backgroundChangesOf(base, candidate)).toEqual([]);
});

it('knows an endpoint again in the folder of a preview', () => {
  const at = (url: string) =>
    build(url, {
      background: [
        endpoint(`GET ${url}stock?*`),
        endpoint(`GET ${url.replace('http', 'ws')}live`, { kind: 'websocket' }),
      ],
    });
  const [main, preview] = ['main', 'pr-12'].map((folder) => at(`https://previews.test/${folder}/`));
  expect(main && preview && backgroundChangesOf(main, preview)).toEqual([]);
  const elsewhere = build('https://previews.test/pr-12/', {
    background: [endpoint('GET https://previews.test/main/stock?*')],
  });
  expect(main && backgroundChangesOf(main, elsewhere).map((each) => each.build)).toEqual(['base']);
  // A folder by the hash of a commit.
  expect(main && backgroundChangesOf(main, at('https://previews.test/3f2a9c1b/'))).toEqual([]);
  const item = { url: 'https://previews.test/pr-12/stock?v=1', type: 'fetch', requests: 1, transferSize: 200 } as const;
  const content = { base: [], candidate: [[{ ...item, name: 'GET /pr-12/stock?v' }]] };
  const needs = main && backgroundChangesOf(main, build('https://previews.test/pr-12/'), content);
  expect(needs?.map(({ contentInOther }) => contentInOther)).toEqual([true, undefined]);
});

it.each([
  ['another kind', endpoint(`GET ${CANDIDATE}/stock?*`, { kind: 'long-poll' })],
  ['another method', endpoint(`POST ${CANDIDATE}/stock?*`)],
  ['another operation', endpoint(`GET ${CANDIDATE}/stock?* (Prices)`)],
  ['another host', endpoint('GET https://elsewhere.test/stock?*')],
])('takes %s for another endpoint', (_what, other) => {
  const base = build(BASE, { background: [endpoint(`GET ${BASE}/stock?*`)] });
  expect(backgroundChangesOf(base, build(CANDIDATE, { background: [other] }))).toHaveLength(2);
});

it('tells where the other build needs what it has in common with this one', () => {
  const base = build(BASE, { background: [endpoint(`GET ${BASE}/flags?*`)] });
  const item = { url: `${CANDIDATE}/flags?v=1`, type: 'fetch', requests: 1, transferSize: 200 } as const;
  const content = (name: string) => ({ base: [], candidate: [[{ ...item, name }]] });
  const marks = (candidate: ReturnType<typeof build>, name: string) =>
    backgroundChangesOf(base, candidate, content(name)).map(({ contentInOther }) => contentInOther);
  expect(marks(build(CANDIDATE), 'GET /flags?v')).toEqual([true]);
  expect(marks(build(CANDIDATE), 'GET /else')).toEqual([undefined]);
  // In the background there too, in another way.
  const poll = build(CANDIDATE, { background: [endpoint(`GET ${CANDIDATE}/flags?*`, { kind: 'long-poll' })] });
  expect(marks(poll, 'GET /flags?v')).toEqual([undefined, undefined]);
});

it('leaves out the origin that was asked for and the one where the page ended', () => {
  const base = build('https://shop.test', {
    finalUrl: 'https://www.shop.test/',
    background: [endpoint('GET https://www.shop.test/a'), endpoint('GET https://shop.test/b')],
  });
  const candidate = build(CANDIDATE, { background: [endpoint(`GET ${CANDIDATE}/a`), endpoint(`GET ${CANDIDATE}/b`)] });
  expect(backgroundChangesOf(base, candidate)).toEqual([]);
});

it('does not take an accident of one run for a change, but trusts the run that watched longest', () => {
  const background = [endpoint(`GET ${CANDIDATE}/stock?*`)];
  const having = run({ background });
  const seen = (...runs: readonly ReturnType<typeof run>[]) =>
    backgroundChangesOf(build(BASE), build(CANDIDATE, { background, runs }));
  expect(seen(having, run(), run())).toEqual([]);
  expect(seen(having, run())).toHaveLength(1);
  expect(seen(run({ role: 'evidence', background }), run(), run())).toHaveLength(1);
});

it('leaves what is told as background out of what was fetched, whatever its query, and nothing else', () => {
  const base = build(BASE);
  const candidate = build(CANDIDATE, {
    background: [endpoint(`GET ${CANDIDATE}/stock?*`), endpoint(`POST ${CANDIDATE}/graphql?* (Prices)`)],
  });
  const item = (name: string) => ({ name, url: `${CANDIDATE}/`, type: 'fetch' as const, requests: 1, transferSize: 1 });
  const fetched = ['GET /stock?t=*', 'POST /stock?t=*', 'POST /graphql (Prices)', 'POST /graphql (Article)'].map(item);
  const changes = backgroundChangesOf(base, candidate);
  expect(withoutChanges(fetched, changes, { base, candidate }).map(({ name }) => name)).toEqual([
    'POST /stock?t=*',
    'POST /graphql (Article)',
  ]);
});

it('knows a thing of several endpoints again, also where it has fewer or more of them', () => {
  const files = (origin: string, folder: string, endpoints: number) =>
    endpoint(`GET ${origin}${folder}/*`, { kind: 'service-worker', endpoints });
  const listed = (one: readonly BackgroundEndpoint[], other: readonly BackgroundEndpoint[]) =>
    backgroundChangesOf(build(BASE, { background: one }), build(CANDIDATE, { background: other })).map((each) => [
      each.build,
      each.endpoint,
    ]);
  expect(listed([files(BASE, '/assets', 9)], [files(CANDIDATE, '', 12)])).toEqual([]);
  expect(listed([files(BASE, '/js', 2)], [files(CANDIDATE, '/assets', 2)])).toHaveLength(2);
  const one = endpoint(`GET ${BASE}/assets/app.js`, { kind: 'service-worker' });
  expect(listed([one], [files(CANDIDATE, '/assets', 2)])).toEqual([['candidate', `GET ${CANDIDATE}/assets/*`]]);
  expect(listed([{ ...one, kind: 'poll' }], [files(CANDIDATE, '/assets', 2)])).toHaveLength(2);
});
