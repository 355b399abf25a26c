import { setImmediate } from 'node:timers/promises';
import { shrink } from '../../../core/visual/shrink.ts';
import type { Picture } from '../../../model/recording/picture.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import type { Ms } from '../../../model/units.ts';
import type { ReportFormat } from '../../../reporters/formats.ts';
import { HOLD_MS, type Race, raceOf } from '../../../reporters/race.ts';
import { drawRace, type RacePicture } from '../../../reporters/race-drawing.ts';
import { type AnimationFrame, encodeAnimation } from '../../../shell/disk/animated-png.ts';
import { decodePicture, drawSvg } from '../../../shell/disk/pictures.ts';
import { RACE_FILE } from '../../../shell/disk/stored-results.ts';

/** What a comment should bear at most, bytes. */
const MOST_BYTES = 150_000;
/** How wide a lane is, px, and how many frames it has: the next one is tried where the file would be too large. */
const SIZES = [
  { width: 320, frames: 10 },
  { width: 240, frames: 7 },
  { width: 200, frames: 5 },
  { width: 160, frames: 3 },
];
/** Steps of the bars, so that they are seen to move. */
const STEPS = 16;

/** A report with the race that is to be a file beside it, where a page is wanted that leads to it. */
export async function withRace(
  report: CompareReport,
  formats: readonly ReportFormat[],
): Promise<{ readonly report: CompareReport; readonly race?: Uint8Array }> {
  const race = formats.includes('html') ? await raceFile(report) : undefined;
  return race === undefined ? { report } : { report: { ...report, race: RACE_FILE }, race };
}

/** Both builds load side by side in one animated picture, small enough for a comment; undefined where there is no race. */
export async function raceFile(report: CompareReport): Promise<Uint8Array | undefined> {
  for (const { width, frames } of SIZES) {
    const race = raceOf(report, frames);
    const pictures = race && picturesOf(race, report);
    if (race === undefined || pictures === undefined) return undefined;
    const file = encodeAnimation(await drawn(race, pictures, width));
    if (file.length <= MOST_BYTES) return file;
  }
  return undefined;
}

/** The small copies of all frames of a race; undefined where one is missing, or is none. */
function picturesOf(race: Race, report: CompareReport): ReadonlyMap<string, RacePicture> | undefined {
  const pictures = new Map<string, RacePicture>();
  for (const { build, frames } of race.lanes) {
    for (const { file } of frames) {
      const url = report[build].pictures?.[file];
      const bytes =
        url === undefined ? undefined : /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+=*)$/.exec(url)?.[1];
      if (url === undefined || bytes === undefined) return undefined;
      try {
        const { width, height } = decodePicture(Buffer.from(bytes, 'base64'));
        pictures.set(`${build} ${file}`, { url, width, height });
      } catch {
        return undefined;
      }
    }
  }
  return pictures;
}

async function drawn(
  race: Race,
  pictures: ReadonlyMap<string, RacePicture>,
  width: number,
): Promise<readonly AnimationFrame[]> {
  const changes = race.lanes.flatMap(({ frames, finish = 0 }) => [...frames.map(({ at }) => at), finish]);
  const steps = Array.from({ length: STEPS }, (_, i) => (race.length * i) / STEPS);
  const times = [...new Set([...changes, ...steps].map(Math.round))].sort((a, b) => a - b);
  const frames: AnimationFrame[] = [];
  for (const [i, at] of times.entries()) {
    // Between two pictures others get their turn.
    await setImmediate();
    const next = times[i + 1];
    const duration: Ms = next === undefined ? HOLD_MS : (next - at) / race.speed;
    frames.push({ picture: pictureAt(race, at, pictures, width), duration });
  }
  return frames;
}

function pictureAt(race: Race, at: Ms, pictures: ReadonlyMap<string, RacePicture>, width: number): Picture {
  const svg = drawRace(race, at, (build, file) => pictures.get(`${build} ${file}`), width);
  return shrink(drawSvg(svg), Number(/width="(\d+)"/.exec(svg)?.[1]));
}
