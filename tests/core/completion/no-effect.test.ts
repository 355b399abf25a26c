import { describe, expect, it } from 'vitest';
import { holdable } from '../../../src/core/background/content/evidence-rules.ts';
import { rulesWithoutEffect, trialsOf, unseenTrials } from '../../../src/core/completion/no-effect.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Impact } from '../../../src/core/visual/impact.ts';
import { filmed } from '../../support/factories.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

const list: Scripted = { path: '/api/list', from: 80, to: 400 };
const track: Scripted = { path: '/v1/batch', method: 'POST', from: 420, to: 900 };
const visit = (...requests: readonly Scripted[]) =>
  visitOf(recordingOf({ requests: page(...requests), until: 9_000 }), POLICY);
const paths = (...requests: readonly Scripted[]): readonly string[] =>
  trialsOf(visit(...requests), POLICY).map(({ endpoint }) => new URL(endpoint.label.replace(/^\w+ /, '')).pathname);

const SUPPOSED = { reason: { code: 'supposed' }, confidence: 'possible' } as const;

describe('trials', () => {
  it('are what the answer depends on, the latest first', () => {
    expect(paths(list, track)).toEqual(['/v1/batch', '/api/list']);
  });

  it('are no scripts and styles, and of what came before those only reports', () => {
    const late: Scripted = { path: '/late.js', from: 500, to: 1_000, type: 'script' };
    expect(paths(list, { ...track, from: 460 }, late)).toEqual(['/v1/batch']);
    expect(paths({ path: '/hero.png', from: 50, to: 700, type: 'image', initiator: 'parser' })).toEqual([]);
  });

  it('end at the first that the film shows to change something', () => {
    const trials = trialsOf(visit(list, track), POLICY);
    const [last, first] = trials.map(({ key }) => key);
    const seen = new Map([
      [last ?? '', filmed('none')],
      [first ?? '', filmed('first-content')],
    ]);
    expect(unseenTrials(trials, seen, visit(list, track)).map(({ key }) => key)).toEqual([last]);
  });

  it('are also those of which the film cannot tell, where they hold the answer up', () => {
    const soon: Scripted = { ...track, path: '/v1/soon', to: 600 };
    const trials = trialsOf(visit(list, soon, track), POLICY);
    const impactOf = ({ endpoint }: (typeof trials)[number]): Impact['impact'] =>
      endpoint.label.includes('/api/list') ? 'first-content' : 'unknown';
    const impacts = new Map(trials.map((each) => [each.key, filmed(impactOf(each))]));
    expect(unseenTrials(trials, impacts, visit(list)).map(({ endpoint }) => endpoint.label)).toEqual([
      expect.stringContaining('/v1/batch'),
    ]);
  });

  it('are also scripts of other sites that a script put into the page', () => {
    const tag: Scripted = {
      origin: 'https://tags.test',
      path: '/tag.js',
      type: 'script',
      from: 420,
      to: 900,
      initiator: 'script',
    };
    expect(paths(list, tag)).toContain('/tag.js');
    expect(paths(list, { ...tag, origin: 'https://www.shop.test' })).not.toContain('/tag.js');
    expect(paths(list, { ...tag, initiator: 'parser' })).not.toContain('/tag.js');
  });

  it('are also what leads only to them', () => {
    const region: Scripted = { path: '/geo', from: 60, to: 300 };
    const rules: Scripted = { path: '/rules', from: 310, to: 900 };
    const labels = (...requests: readonly Scripted[]) => {
      const loaded = visit(list, ...requests);
      const trials = trialsOf(loaded, POLICY);
      const impacts = new Map(
        trials.map((each) => [each.key, filmed(each.endpoint.label.includes('/api/list') ? 'first-content' : 'none')]),
      );
      const unseen = unseenTrials(trials, impacts, loaded);
      const learnt = rulesWithoutEffect(holdable(unseen, loaded.timeline));
      expect(learnt).toHaveLength(unseen.length);
      return unseen.map(({ endpoint }) => new URL(endpoint.label.replace(/^\w+ /, '')).pathname);
    };
    expect(labels(region, rules)).toEqual(['/rules', '/geo']);
    expect(labels(region, rules, { path: '/api/prices', from: 320, to: 390 })).toEqual(['/rules']);
  });

  it('are also reports that lead only to them, where content came at the same time', () => {
    const region: Scripted = { path: '/geo', origin: 'https://consent.test', from: 60, to: 300 };
    const rules: Scripted = { ...region, path: '/rules', from: 310, to: 900 };
    const labels = (...requests: readonly Scripted[]) => {
      const loaded = visit(list, ...requests);
      const trials = trialsOf(loaded, POLICY);
      const impacts = new Map(
        trials.map(({ key }) => [
          key,
          filmed(key.includes('/rules') ? 'none' : key.includes('/geo') ? 'unknown' : 'first-content'),
        ]),
      );
      return unseenTrials(trials, impacts, loaded).map(({ endpoint }) => new URL(endpoint.label.slice(4)).pathname);
    };
    expect(labels(region, rules)).toEqual(['/rules', '/geo']);
    // What the page's own site says may be what was drawn.
    expect(labels({ ...region, origin: ORIGIN }, rules)).toEqual(['/rules']);
    expect(labels(region, rules, { path: '/api/prices', from: 305, to: 390 })).toEqual(['/rules']);
  });

  it('are also what leads only to background traffic', () => {
    const manifest: Scripted = { path: '/model/manifest', from: 60, to: 300 };
    const loaded = visit(list, manifest, { path: '/model/shard', from: 310, to: 2_000 });
    const shard = loaded.timeline.requests.find(({ url }) => url.endsWith('/shard'));
    const triedWith = (counts?: { from: number; to: number }) => {
      const verdict = { requestId: shard?.id ?? '', kind: 'poll' as const, ...SUPPOSED, ...(counts && { counts }) };
      const known = { ...loaded, verdicts: new Map([[verdict.requestId, verdict]]) };
      const trials = trialsOf(known, POLICY);
      const impacts = new Map(
        trials.map(({ key }) => [key, filmed(key.includes('/api/list') ? 'first-content' : 'none')]),
      );
      return unseenTrials(trials, impacts, known).map(({ endpoint }) => new URL(endpoint.label.slice(4)).pathname);
    };
    expect(triedWith()).toEqual(['/model/manifest']);
    // What comes first of it may be content.
    expect(triedWith({ from: 310, to: 2_000 })).toEqual([]);
  });

  it('are also reports that were answered before the content: in another load they may come last', () => {
    const soon: Scripted = { ...track, from: 60, to: 300 };
    const loaded = visit(list, soon);
    const trials = trialsOf(loaded, POLICY);
    const seen = (report: Impact['impact']) =>
      new Map(
        trials.map((each) => [each.key, filmed(each.endpoint.label.includes('batch') ? report : 'first-content')]),
      );
    const unseen = unseenTrials(trials, seen('none'), loaded);
    expect(unseen.map(({ endpoint }) => endpoint.label)).toEqual([expect.stringContaining('/v1/batch')]);
    expect(unseenTrials(trials, seen('unknown'), loaded)).toEqual([]);
    // The page may need the answer for what it asks next.
    const next = visit(list, soon, { path: '/api/next', from: 310, to: 380 });
    expect(unseenTrials(trialsOf(next, POLICY), seen('none'), next)).toEqual([]);
    const [rule] = rulesWithoutEffect(holdable(unseen, loaded.timeline));
    const late = visitOf(visit(list, track).recording, { ...POLICY, learnt: rule ? [rule] : [] });
    expect(late.complete).toMatchObject({ state: 'complete', at: 400 });
  });

  it('are no reports that belong to a conversation in the background', () => {
    const subscribe: Scripted = { ...track, path: '/bayeux', from: 60, to: 300 };
    const loaded = visit(list, subscribe, { path: '/bayeux/connect', from: 90, to: 8_000, method: 'POST' });
    const connect = loaded.timeline.requests.find(({ url }) => url.endsWith('/connect'));
    const verdicts = new Map(
      connect ? [[connect.id, { requestId: connect.id, kind: 'long-poll' as const, ...SUPPOSED }]] : [],
    );
    const conversing = { ...loaded, verdicts };
    const trials = trialsOf(visit(list, subscribe), POLICY);
    const impacts = new Map(
      trials.map((each) => [each.key, filmed(each.endpoint.label.includes('bayeux') ? 'none' : 'first-content')]),
    );
    expect(unseenTrials(trials, impacts, visit(list, subscribe))).toHaveLength(1);
    expect(unseenTrials(trials, impacts, conversing)).toEqual([]);
  });

  it('end at the first whose picture the document shows', () => {
    const thumbnail: Scripted = {
      path: '/below-the-fold.png',
      from: 450,
      to: 800,
      type: 'image',
      initiator: 'script',
      pieces: Array(300).fill(700),
    };
    const trials = trialsOf(visit(list, thumbnail, track), POLICY);
    const unseen = new Map(trials.map(({ key }) => [key, filmed('none')]));
    const url = trials
      .flatMap(({ requests }) => requests.map((each) => each.url))
      .find((each) => each.includes('fold'));
    const names = (pictures: readonly string[]) =>
      unseenTrials(trials, unseen, visit(list), pictures).map(({ endpoint }) => endpoint.label);
    expect(names([])).toHaveLength(trials.length);
    expect(names([url ?? ''])).toHaveLength(
      trials.findIndex(({ requests }) => requests.some((each) => each.url === url)),
    );
  });

  it('teach a rule where the page was the same without them', () => {
    const loaded = visit(list, track);
    const held = holdable(trialsOf(loaded, POLICY).slice(0, 1), loaded.timeline);
    const rules = rulesWithoutEffect(held);
    expect(rules).toMatchObject([{ kind: 'no-effect', impact: 'none', confidence: 'certain' }]);
    const judged = visitOf(loaded.recording, { ...POLICY, learnt: rules });
    expect(judged.complete).toMatchObject({ state: 'complete', at: 400 });
  });
});
