import { describe, expect, it } from 'vitest';
import { holdable } from '../../../src/core/background/content/evidence-rules.ts';
import { rulesWithoutEffect, trialsOf, unseenTrials } from '../../../src/core/completion/no-effect.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Impact } from '../../../src/core/visual/impact.ts';
import { filmed } from '../../support/factories.ts';
import { POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

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

  it('are no scripts and styles, and nothing of what came before those', () => {
    const late: Scripted = { path: '/late.js', from: 500, to: 1_000, type: 'script' };
    expect(paths(list, { ...track, from: 460 }, late)).toEqual([]);
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
