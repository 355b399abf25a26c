import { expect, it } from 'vitest';
import { backgroundEndpoints } from '../../src/core/background-facts.ts';
import { visitOf } from '../../src/core/measure.ts';
import type { Request } from '../../src/model/network/timeline.ts';
import { ORIGIN, POLICY, page, recordingOf } from '../support/scripted.ts';

/** The rows of a page that asks for these, all of which are taken for a poll. */
const rows = (...paths: readonly string[]) => {
  const requests = page(...paths.map((path, i) => ({ path, from: 500 + i * 900, to: 530 + i * 900 })));
  const visit = visitOf(recordingOf({ requests, until: 9_000 }), POLICY);
  const verdict = ({ id }: Request) =>
    [id, { requestId: id, kind: 'poll', reason: { code: 'supposed' }, confidence: 'likely' }] as const;
  const asked = visit.timeline.requests.filter(({ url }) => paths.some((path) => url.endsWith(path)));
  return backgroundEndpoints({ ...visit, verdicts: new Map(asked.map(verdict)) }, POLICY).map(
    ({ endpoint, requests: times }) => `${endpoint.replace(/^\S+ \w+:\/\/[^/]+/, '')} ${times}`,
  );
};

it('is a row for each word where there are no tokens, or where nothing is asked with one', () => {
  expect(rows('/seats?inbox', '/seats?outbox')).toEqual(['/seats?* 1', '/seats?* 1']);
  expect(rows('/seats', '/seats?inbox')).toEqual(['/seats 1', '/seats?* 1']);
});

it('is one row in all loads for a connection whose address is made up for each', () => {
  const room = { path: '/room/WSngoZUog?session=2', from: 100, type: 'eventsource', messages: [200, 900] } as const;
  const policy = (endpoint: string) => ({
    ...POLICY,
    learnt: [{ endpoint, kind: 'sse', reason: { code: 'supposed' }, confidence: 'likely', content: [] } as const],
  });
  const labels = (endpoint: string) => {
    const visit = visitOf(recordingOf({ requests: page(room), until: 9_000 }), policy(endpoint));
    return backgroundEndpoints(visit, policy(endpoint)).map(({ endpoint: label }) => label);
  };
  expect(labels(`GET ${ORIGIN}/room/RAp26zKxX?session`)).toEqual([`GET ${ORIGIN}/room/*?*`]);
  expect(labels(`GET ${ORIGIN}/room/WSngoZUog?session`)).toEqual([`GET ${ORIGIN}/room/WSngoZUog?*`]);
});
