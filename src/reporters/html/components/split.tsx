import type { JSX } from 'preact';
import { formatShare, formatValue } from '../../../wording/text/format.ts';
import { percent } from '../../scale.ts';

/** A piece of a whole. */
export interface Piece {
  readonly className: string;
  readonly title: string;
  readonly value: number;
  readonly means?: string;
}

/** A whole as a bar of its pieces, with their figures below it. */
export function Split(props: {
  readonly pieces: readonly Piece[];
  readonly label: string;
  /** Its figures are shares: how long it took is not to be trusted. */
  readonly sharesOnly?: boolean;
  /** The whole, where the pieces are not all of it. */
  readonly total?: number | undefined;
}): JSX.Element {
  const { pieces, label, sharesOnly = false } = props;
  const total = props.total ?? pieces.reduce((sum, piece) => sum + Math.max(0, piece.value), 0);
  let from = 0;
  const placed = pieces.map((piece) => {
    const share = total === 0 ? 0 : Math.max(0, piece.value) / total;
    const x = from;
    from += share;
    return { ...piece, share, x };
  });
  const figures = placed.map((piece) => `${piece.title} ${formatValue(piece.value, 'ms')}`).join(', ');
  return (
    <>
      <svg class="stack-bar" role="img" aria-label={`${label}: ${figures}`}>
        {placed.map((piece) => (
          <rect
            key={piece.title}
            class={piece.className}
            x={percent(piece.x)}
            width={percent(piece.share)}
            height="100%"
          />
        ))}
      </svg>
      <dl class="split">
        {placed.map((piece) => (
          <div key={piece.title}>
            <dt>
              <i class={piece.className} aria-hidden="true" />
              {piece.title}
            </dt>
            <dd>
              <b>{sharesOnly ? formatShare(piece.share) : formatValue(piece.value, 'ms')}</b>
              {!sharesOnly && <span>{formatShare(piece.share)}</span>}
              {piece.means !== undefined && <small>{piece.means}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
