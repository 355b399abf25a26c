import type { Policy } from '../../model/background/verdict.ts';
import type { Visit } from '../../model/network/visit.ts';
import { cameAnotherWay } from '../background/content/came-another-way.ts';
import { type AblationOutcome, prove } from '../background/content/evidence-rules.ts';
import { type LearntPolicy, learntPolicyOf } from '../completion/learnt-policy.ts';
import { rulesWithoutEffect } from '../completion/no-effect.ts';
import { type FilmedDrawing, judgeWithFilm } from './filmed-drawing.ts';
import type { Scene } from './scene.ts';
import type { Ablated, PageWithout } from './without.ts';

/** What the untimed loads of a page prove. */
export interface PageProof {
  /** For the runs that follow: what is background, and what is waited for. */
  readonly learntPolicy: LearntPolicy;
  /** The filmed load, judged with that. */
  readonly drawn: FilmedDrawing;
}

/**
 * Proves from a filmed load, and from those without something, what is background and how the page draws.
 *
 * @param policy with what the filmed load was made
 * @param includesLate content that comes after a whole quiet window counts
 */
export function provePage(
  { visit, suspects, film, impacts }: Scene,
  tried: Ablated | undefined,
  policy: Policy,
  includesLate: boolean,
): PageProof {
  const proof = prove(visit, suspects, impacts, tried && outcomeOf(tried, visit), {
    quietWindow: policy.quietWindow,
    changes: film.changes,
  });
  const learnt = [...proof, ...rulesWithoutEffect(tried?.free ?? [])];
  const drawn = judgeWithFilm({ visit, film }, learnt, policy, includesLate);
  return { learntPolicy: learntPolicyOf({ learnt, awaited: drawn.awaited }), drawn };
}

function outcomeOf({ suspects: held, same, trial }: Ablated<PageWithout>, whole: Visit): AblationOutcome {
  const { visit: without } = trial.without;
  const suspects = held.map(({ suspect }) => suspect);
  return { held, same, cameAnotherWay: without !== undefined && cameAnotherWay(whole, without, suspects) };
}
