import type { Browser } from '../../../model/result.ts';
import type { Fact } from './facts.tsx';
import { foreign, sentence } from './part.tsx';

/** Which browser loaded the pages, where it ran, and what is to be known of it. */
export function browserFact({ product, sandbox, elsewhere, notes = [] }: Browser): Fact {
  const inside = sandbox === undefined ? '' : `, its sandbox ${sandbox ? 'on' : 'off'}`;
  const where = elsewhere ? ', on another machine' : '';
  return [
    'Browser',
    <>
      {`${foreign(product)}${where}${inside}`}
      {notes.map((note, index) => (
        <small key={index}>{sentence(note)}</small>
      ))}
    </>,
  ];
}
