import type { ResolvedBrowser } from '../../../settings/resolved.ts';
import { ensurePackage, type OptionalPackage } from '../../../shell/process/optional-package.ts';
import type { Hooks } from '../job.ts';
import { noted } from '../progress-events.ts';

/** Fetches a package that only this job needs, where it is not installed; before anything is measured. */
export function ensure(
  name: OptionalPackage,
  { env, install }: Pick<ResolvedBrowser, 'env' | 'install'>,
  { signal = new AbortController().signal, onProgress }: Hooks,
): Promise<void> {
  return ensurePackage(name, {
    env,
    install,
    signal,
    onFetch: (version) => onProgress?.(noted({ code: 'fetching-package', name, version })),
  });
}
