import type { JSX } from 'preact';
import { scoreText } from '../../../report/lighthouse.ts';

/** A score of 0 to 1 as a ring that is filled as far, with its figure in the middle. */
export function ScoreRing(props: { readonly title: string; readonly score: number }): JSX.Element {
  const { title, score } = props;
  const share = Math.max(0, Math.min(1, score)) * 100;
  const text = scoreText(score);
  return (
    <svg class="ring" viewBox="0 0 72 72" role="img" aria-label={`${title}: ${text} of 100`}>
      <circle class="track" cx="36" cy="36" r="31" />
      {share > 0 && (
        <circle
          class="arc"
          cx="36"
          cy="36"
          r="31"
          pathLength="100"
          stroke-dasharray={`${share.toFixed(1)} 100`}
          transform="rotate(-90 36 36)"
        />
      )}
      <text x="36" y="43.5" text-anchor="middle">
        {text}
      </text>
    </svg>
  );
}
