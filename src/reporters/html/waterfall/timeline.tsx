import type { JSX, TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Scale } from './axis.tsx';
import type { Look } from './geometry.ts';
import type { ShownWaterfall } from './table/rows.ts';

/** A shorter stroke, px, is a click. */
const STROKE = 5;

/** The scale above the bars. What is drawn over with the mouse is looked at closely. */
export function Timeline(props: {
  readonly load: ShownWaterfall;
  readonly look: Look;
  readonly onPick: (from: number, to: number) => void;
}): JSX.Element {
  const { load, look, onPick } = props;
  const [picked, setPicked] = useState<{ readonly from: number; readonly to: number }>();
  const pointerX = ({ clientX, currentTarget }: TargetedPointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(clientX - left, width));
  };
  const end = (): void => {
    setPicked(undefined);
    if (picked === undefined || Math.abs(picked.to - picked.from) <= STROKE) return;
    const at = (x: number): number => look.from + (x / look.width) * (look.to - look.from);
    onPick(at(Math.min(picked.from, picked.to)), at(Math.max(picked.from, picked.to)));
  };
  return (
    <span
      class="timeline"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setPicked({ from: pointerX(event), to: pointerX(event) });
      }}
      onPointerMove={(event) => picked && setPicked({ ...picked, to: pointerX(event) })}
      onPointerUp={end}
      onPointerCancel={() => setPicked(undefined)}
    >
      <Scale load={load} look={look} widthOf={widthOf} />
      {picked !== undefined && picked.from !== picked.to && (
        <div
          class="picked"
          style={{
            left: `${Math.min(picked.from, picked.to)}px`,
            width: `${Math.abs(picked.to - picked.from)}px`,
          }}
        />
      )}
    </span>
  );
}

let ruler: CanvasRenderingContext2D | null | undefined;

/** How wide a label of the scale is, px, in the page's own face. */
function widthOf(text: string): number {
  if (ruler === undefined) {
    ruler = document.createElement('canvas').getContext('2d');
    if (ruler !== null) ruler.font = `550 11.5px ${getComputedStyle(document.body).fontFamily}`;
  }
  return ruler?.measureText(text).width ?? text.length * 7;
}
