import type { JSX } from 'preact';
import type { Build, PerBuild } from '../../../model/compare/build.ts';

/** What the two builds are called. */
export const BUILD_NAMES: PerBuild<string> = { base: 'Base', candidate: 'Candidate' };

/** A ring for the base, a filled square for the candidate. */
export function BuildSign({ build }: { readonly build: Build }): JSX.Element {
  return (
    <svg class={`sign of-${build}`} viewBox="0 0 12 12" aria-hidden="true">
      {build === 'base' ? <circle cx="6" cy="6" r="4" /> : <rect x="2" y="2" width="8" height="8" />}
    </svg>
  );
}
