import type { Question, WaitingFor } from '../../model/completion/completion.ts';
import type { PageCompleteResult } from '../../model/result/result.ts';

/** Can only more watching answer it? */
export function isQuestion(each: WaitingFor): each is Question {
  return each.code === 'goes-on' || each.code === 'becomes-rhythm' || each.code === 'comes-back';
}

/** What an answer still waits for; of a result that was stored before there were codes, its texts. */
export function waitingForOf(
  answer: Pick<PageCompleteResult['raw'], 'waitingFor' | 'waitingForFacts'>,
): readonly WaitingFor[] {
  return answer.waitingForFacts ?? (answer.waitingFor ?? []).map((text) => ({ code: 'recorded', text }));
}
