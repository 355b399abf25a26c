import { missingEvidence } from '../../result/findings.ts';
import { answerOf } from '../../result/representative.ts';
import { list, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** What an answer that could not be given still waited for, and what to do about it. */
export const missing: Chapter = ({ target, detail }) => {
  const answer = answerOf(target);
  if (answer === undefined || answer.state === 'complete') return [];
  const title = answer.state === 'never' ? 'Still waiting for:' : 'What is missing:';
  return [
    ...list(
      answer.waitingFor.map((text) => ({ text })),
      detail,
      { title },
    ),
    ...missingEvidence(target).flatMap((hint) => paragraph(hint)),
  ];
};
