import { buildHar } from '../core/har/build.ts';
import { eraseFromHar } from '../core/har/erase.ts';
import { validateHar } from '../core/har/validate.ts';
import { failure } from '../core/load-failure.ts';
import { visitOf } from '../core/measure.ts';
import type { LabSettings, LoadSettings } from '../model/settings.ts';
import type { Store } from '../shell/store.ts';
import { givenSecrets } from './load-options.ts';
import type { FinishedRun } from './run.ts';
import { version } from './version.ts';

/** Where HARs go, and what may stand in them. */
export interface HarSurroundings {
  readonly settings: Pick<LoadSettings, 'format' | 'harContent' | 'harSecrets'> & LabSettings;
  readonly store: Store;
  /** Told each file's path. */
  wrote(file: string): void;
}

/**
 * Writes a run's HAR, also of a load that failed half-way, unless HARs are not wanted. It is checked first: one that
 * other tools would refuse is a bug of ours and fails the run.
 */
export async function writeHar(done: FinishedRun, name: string, surroundings: HarSurroundings): Promise<FinishedRun> {
  const { settings, store } = surroundings;
  const { run, policy } = done;
  const { recording } = done.loaded.outcome;
  if (!recording || !settings.format.includes('har')) return done;
  const { timeline, verdicts } = done.visit ?? visitOf(recording, policy);
  const built = buildHar(recording, timeline, {
    version: version(),
    verdicts: [...verdicts.values()],
    policy,
    role: run.role,
    content: settings.harContent,
    secrets: settings.harSecrets,
  });
  const har = eraseFromHar(built, givenSecrets(settings));
  const wrong = [...validateHar(har)];
  if (har.log.entries.length !== recording.announcedHops) {
    wrong.push(`${har.log.entries.length} entries for ${recording.announcedHops} requests that the browser announced`);
  }
  surroundings.wrote(await store.write(name, JSON.stringify(har)));
  const [first] = wrong;
  if (first === undefined) return { ...done, run: { ...run, har: name } };
  return { ...done, run: { ...run, har: name, ok: false, failure: failure('invalid-har', { detail: first }) } };
}
