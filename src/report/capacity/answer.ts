import { paragraph } from '../parts.ts';
import type { CapacityChapter } from './chapter.ts';

/** How much the server can take, what stands in the way and what people see. */
export const answer: CapacityChapter = ({ url, candidate, sentence }) => [
  ...paragraph([
    'Capacity of ',
    { code: url },
    ...(candidate === undefined ? [] : [' against ', { code: candidate.url }]),
  ]),
  ...paragraph(sentence, { weight: 'strong' }),
];
