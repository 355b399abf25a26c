import { type FilmSteps, stepsOf } from '../../../core/visual/changes.ts';
import { isEmpty } from '../../../core/visual/empty.ts';
import { type Sketch, sketchOf } from '../../../core/visual/progress.ts';
import type { Frame } from '../../../model/recording/recording.ts';
import type { Ms } from '../../../model/units.ts';
import { decodeFilm } from '../../../shell/disk/pictures.ts';
import { runInSlices } from '../../../shell/process/slices.ts';

/** What the pictures of a load tell. */
export interface ReadFrames extends FilmSteps {
  /** Every frame in small. */
  readonly sketches: readonly Sketch[];
}

/** Reads the pictures of a film, one at a turn: that takes long. */
export async function readFrames(frames: readonly Frame[]): Promise<ReadFrames> {
  const sketches: Sketch[] = [];
  const look = (at: Ms, picture: Parameters<typeof sketchOf>[1]) => void sketches.push(sketchOf(at, picture));
  const steps = await runInSlices(stepsOf(decodeFilm(frames), { look, covered: true }));
  return { ...stepsFrom(frames, steps), sketches };
}

/** The same without sketches. */
export async function readSteps(frames: readonly Frame[]): Promise<FilmSteps> {
  return stepsFrom(frames, await runInSlices(stepsOf(decodeFilm(frames), { covered: true })));
}

function stepsFrom([first]: readonly Frame[], steps: FilmSteps['steps']): FilmSteps {
  return { steps, ...(first && { from: first.at }) };
}

/** Since when a film shows anything but an empty page, where it does at its end. */
export async function visibleAt(frames: readonly Frame[]): Promise<Ms | undefined> {
  const [last] = decodeFilm(frames.slice(-1));
  if (last === undefined || isEmpty(last.picture)) return undefined;
  return decodeFilm(frames).find(({ picture }) => !isEmpty(picture))?.at;
}
