import { ANONYMOUS } from '../../../core/main-thread/samples.ts';
import { sourceOfFunction } from '../../../core/main-thread/source-map.ts';
import type { LongFrameScript } from '../../../model/metrics/metrics.ts';
import type { LoadOutcome } from '../../../model/recording/lab.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type { ScriptSource, ScriptSources } from './script-sources.ts';

/** The load with the places of what ran in its long frames, and in those of its steps, as far as their scripts can be read. */
export async function withPlaces(outcome: LoadOutcome, sources: ScriptSources): Promise<LoadOutcome> {
  const scripts = scriptsIn(outcome)
    .filter(hasPlace)
    .toSorted((a, b) => b.duration - a.duration);
  if (scripts.length === 0) return outcome;
  const found = await sources(scripts);
  return found.size === 0 ? outcome : placed(outcome, found);
}

/** The code of a file itself begins where the file does: that says nothing. */
function hasPlace({ position, name, url }: LongFrameScript): boolean {
  return url !== '' && position !== undefined && (position > 0 || name !== undefined);
}

function scriptsIn(outcome: LoadOutcome): readonly LongFrameScript[] {
  if (!outcome.ok) return [];
  const { page } = outcome.recording;
  const own = (page?.longFrames ?? []).flatMap(({ scripts }) => scripts);
  const steps = (outcome.steps ?? []).flatMap((step) => scriptsIn(step.outcome));
  return [...own.filter(({ url }) => url !== page?.finalUrl), ...steps];
}

function placed(outcome: LoadOutcome, sources: ReadonlyMap<string, ScriptSource>): LoadOutcome {
  if (!outcome.ok) return outcome;
  const { recording, steps } = outcome;
  return {
    ...outcome,
    recording: placedRecording(recording, sources),
    ...(steps && { steps: steps.map((step) => ({ ...step, outcome: placed(step.outcome, sources) })) }),
  };
}

function placedRecording(recording: Recording, sources: ReadonlyMap<string, ScriptSource>): Recording {
  const { page } = recording;
  if (!page?.longFrames) return recording;
  const longFrames = page.longFrames.map((frame) => ({
    ...frame,
    scripts: frame.scripts.map((script) => placedScript(script, sources.get(script.url))),
  }));
  return { ...recording, page: { ...page, longFrames } };
}

function placedScript(script: LongFrameScript, read: ScriptSource | undefined): LongFrameScript {
  const { name = ANONYMOUS, position } = script;
  const at = read && position !== undefined && hasPlace(script) ? read.placeAt(position) : undefined;
  if (!at) return script;
  const source = sourceOfFunction(read?.lookup, { name, ...at });
  return { ...script, place: { ...at, ...(source && { source }) } };
}
