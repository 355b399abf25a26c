import { otherBuild } from '../../core/changes/other-build.ts';
import type { BackgroundChange } from '../../model/compare/comparison.ts';

/** Which build has an endpoint in the background: "only in the base". */
export function onlyInInWords({ build, contentInOther }: Pick<BackgroundChange, 'build' | 'contentInOther'>): string {
  if (!contentInOther) return `only in the ${build}`;
  return `background only in the ${build}; the ${otherBuild(build)} needs it`;
}
