import type { JSX } from 'preact';
import type { LighthouseResult } from '../../../model/lighthouse/lighthouse.ts';
import { categoryTitle, scoreLook, scoreText } from '../../../report/lighthouse.ts';
import { foreign } from '../components/part.tsx';
import { ScoreRing } from './score-ring.tsx';

/** The scores of Lighthouse's categories as rings. */
export function Scores({ lighthouse }: { readonly lighthouse: LighthouseResult }): JSX.Element {
  return (
    <ul class="scores">
      {Object.entries(lighthouse.categories).map(([name, { median, low, high }]) => {
        const { tone, sign, word } = scoreLook(median);
        const title = foreign(categoryTitle(name));
        const [from, to] = [scoreText(low), scoreText(high)];
        return (
          <li key={name} class={tone}>
            <ScoreRing title={title} score={median} />
            <b>{title}</b>
            <span class="outcome">
              <span aria-hidden="true">{sign}</span> {word}
            </span>
            {from !== to && <small>{`${from} to ${to}`}</small>}
          </li>
        );
      })}
    </ul>
  );
}
