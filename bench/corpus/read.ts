/** What the rules read of recorded loads: pictures become differences, and everything else stays as it is. */
import type { CorpusLoad, CorpusPage, ReferenceFlag, StoredLikeness } from '../../fixtures/corpus-file.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { sceneOf } from '../../src/core/evidence/scene.ts';
import { visitOf } from '../../src/core/measure.ts';
import type { FilmSteps } from '../../src/core/visual/changes.ts';
import type { Difference } from '../../src/core/visual/difference.ts';
import { comparedWithWhole } from '../../src/jobs/engine/evidence/ablation.ts';
import { readSteps } from '../../src/jobs/engine/evidence/film.ts';
import type { FinishedRun } from '../../src/jobs/engine/run.ts';
import { KINDS } from '../../src/model/background/kinds.ts';
import type { HostSample, Recording } from '../../src/model/recording/recording.ts';
import type { Ms } from '../../src/model/units.ts';
import type { Flagged } from '../accuracy/score.ts';
import type { ServedLoad } from '../accuracy/server.ts';
import { judgePage } from './judge.ts';
import type { RawLoad, RawPage } from './raw.ts';

/** How far apart the clocks of server and browser can be, ms: both read the system's. */
const CLOCKS_MS = 50;
/** Readings of clocks that go on by so much, ms, tell as much as all of them. */
const CLOCK_STEP_MS = 500;

/** The loads of a page, in the order in which an audit judges them: the filmed one, those without something, timed ones. */
export async function readLoads(page: RawPage, served: readonly ServedLoad[]): Promise<readonly CorpusLoad[]> {
  const filmed = page.loads.find(({ role }) => role === 'evidence')?.recording;
  if (!filmed) throw new Error(`${page.name}: the page was not filmed`);
  const steps = await readSteps(filmed.frames);
  const loads: CorpusLoad[] = [];
  for (const load of page.loads.toSorted((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role))) {
    const { recording } = load;
    if (!recording) continue;
    loads.push({
      role: load.role as CorpusLoad['role'],
      ...(load.hold && { hold: withPort(load.hold, recording) }),
      ...truthOf(recording, served),
      recording: withoutPictures(recording),
      film:
        load.role === 'timed' ? await readSteps(recording.frames) : load.role === 'evidence' ? steps : { steps: [] },
      ...(load.role === 'ablation' && (await likenessOf(filmed, steps, load, recording))),
    });
  }
  return loads;
}

const ORDER: readonly string[] = ['evidence', 'ablation', 'timed'];

/** When the server had given the load all that the page needs, from its navigation start. */
function truthOf({ navigation }: Recording, served: readonly ServedLoad[]): Pick<CorpusLoad, 'truth'> {
  const start = navigation.startedAt;
  const own = served
    .filter(({ startedAt }) => startedAt >= start - CLOCKS_MS)
    .toSorted((a, b) => a.startedAt - b.startedAt)[0];
  return own?.epoch === undefined ? {} : { truth: own.epoch - start };
}

async function likenessOf(
  filmed: Recording,
  steps: FilmSteps,
  { hold = [] }: RawLoad,
  recording: Recording,
): Promise<{ readonly likeness?: StoredLikeness }> {
  const { likeness } = comparedWithWhole(filmed, { visit: { recording } } as unknown as FinishedRun);
  if (!likeness || hold.length === 0) return {};
  const late: Difference[] = [];
  for await (const difference of likeness.late()) late.push(difference);
  const thorough = { ...DEFAULT_POLICY, thorough: true };
  const { movingPlaces } = sceneOf(visitOf(filmed, thorough), steps, thorough, true).film;
  const sameColors = movingPlaces && (await likeness.sameColors(movingPlaces));
  return { likeness: { last: likeness.last, late, ...(sameColors !== undefined && { sameColors }) } };
}

/** What no rule reads is left out. */
function withoutPictures({
  frames: _frames,
  lastPicture: _lastPicture,
  judging: _judging,
  ...recording
}: Recording): Recording {
  return withPort(
    {
      ...recording,
      frames: [],
      bodies: [],
      hostSamples: thinned(recording.hostSamples),
      mainThread: thinned(recording.mainThread),
    },
    recording,
  );
}

/** Of all servers in the corpus. */
const PORT = 8080;

/** The same with that port instead of the page's own: what differs from recording to recording is not to be stored. */
function withPort<T>(value: T, { navigation }: Pick<Recording, 'navigation'>): T {
  const { port } = new URL(navigation.url);
  const own = new RegExp(`(127\\.0\\.0\\.1|localhost|\\[::1\\])(:|%3A)${port}(?!\\d)`, 'gi');
  return port === '' ? value : (JSON.parse(JSON.stringify(value).replaceAll(own, `$1$2${PORT}`)) as T);
}

function thinned<T extends Pick<HostSample, 'at'>>(samples: readonly T[]): readonly T[] {
  let next: Ms = Number.NEGATIVE_INFINITY;
  return samples.filter(({ at }, i) => {
    if (at < next && i < samples.length - 1) return false;
    next = at + CLOCK_STEP_MS;
    return true;
  });
}

/**
 * Nobody knows the truth of an application: what is said of its loads when they are recorded, and was looked at in its report
 * (`bench:applications`), stands for it. So a change of that is seen.
 */
export async function withReference(page: CorpusPage): Promise<CorpusPage> {
  const judged = await judgePage(page);
  const loads = judged.flatMap(({ timed }) => timed.map(({ flagged }) => flagsOf(flagged)));
  const all = new Map(loads.flatMap((flags) => [...flags]));
  const reference = [...all].map(([key, flag]): ReferenceFlag => {
    const isAlways = loads.every((flags) => flags.has(key));
    return isAlways ? flag : { ...flag, optional: true };
  });
  const recordings = page.recordings.map(({ loads, ...rest }, i) => {
    const said = judged[i]?.timed ?? [];
    const timed = loads.filter(({ role }) => role === 'timed');
    const withTruth = (load: CorpusLoad): CorpusLoad => {
      const truth = said[timed.indexOf(load)]?.at;
      return truth === undefined ? load : { ...load, truth };
    };
    return { ...rest, loads: loads.map(withTruth) };
  });
  return { ...page, reference, recordings };
}

/** By kind and path, without queries, which differ from load to load. */
function flagsOf(flagged: readonly Flagged[]): ReadonlyMap<string, ReferenceFlag> {
  const flags = flagged
    .filter(({ kind }) => !KINDS[kind].ofBrowser)
    .flatMap(({ kind, urls }) => urls.map((url) => ({ kind, path: new URL(url).pathname })));
  return new Map(flags.map((flag) => [JSON.stringify(flag), flag]));
}
