import { expect, it } from 'vitest';
import { timesOf } from '../../../src/core/background/content/source.ts';
import { contestedIn, rulesOfOneBuild } from '../../../src/core/changes/contested.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Impact } from '../../../src/core/visual/impact.ts';
import type { EndpointRule } from '../../../src/model/background/verdict.ts';
import { filmed } from '../../support/factories.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

const flags: Scripted = { path: '/api/flags', from: 100, to: 1_100 };
const list: Scripted = { path: '/api/list', from: 80, to: 400 };
const visit = visitOf(recordingOf({ requests: page(list, flags), until: 9_000 }), POLICY);
const noEffect: EndpointRule = {
  endpoint: `GET ${ORIGIN}/api/flags?`,
  kind: 'no-effect',
  reason: { code: 'same-without-it' },
  confidence: 'certain',
  impact: 'none',
};

it('is what counts here and is background there', () => {
  const contested = contestedIn(visit, POLICY, [noEffect]);
  expect(contested.map(({ endpoint, arrivals }) => [endpoint.key, timesOf(arrivals)])).toEqual([
    [noEffect.endpoint, [1_100]],
  ]);
});

it('is nothing that both count, that this build knows itself, or that it never asks for', () => {
  const { kind: _kind, ...content } = noEffect;
  expect(contestedIn(visit, POLICY, [content])).toEqual([]);
  expect(contestedIn(visit, { ...POLICY, learnt: [content] }, [noEffect])).toEqual([]);
  expect(contestedIn(visit, POLICY, [{ ...noEffect, endpoint: `GET ${ORIGIN}/else?` }])).toEqual([]);
});

it('is kept where the film shows it, or the page is another without it', () => {
  const contested = contestedIn(visit, POLICY, [noEffect]);
  const key = contested[0]?.key ?? '';
  const kept = (impact: Impact['impact'], ...without: readonly boolean[]) =>
    rulesOfOneBuild(contested, new Map([[key, filmed(impact)]]), new Map(without.map((same) => [key, same]))).map(
      ({ endpoint, kind, ofBuild }) => [endpoint, kind, ofBuild],
    );
  const needed = [[noEffect.endpoint, undefined, true]];
  expect(kept('unknown', false)).toEqual(needed);
  expect(kept('none', true)).toEqual([]);
  // Something else was drawn when it came.
  expect(kept('first-content', true)).toEqual([]);
  // Nobody loaded the page without it: the film decides, or else the other build's rule.
  expect(kept('first-content')).toEqual(needed);
  expect(kept('unknown')).toEqual([]);
});
