import { BUILDS, type PerBuild } from '../../model/build.ts';
import type { ResolvedSide } from '../../settings/resolved.ts';
import { joined } from '../../wording/format.ts';

/** What one side has and the other has not, without values, which may be secrets: "flag=on, header X-Flag"; empty for nothing. */
export function sideNames(sides: PerBuild<ResolvedSide>): PerBuild<string> {
  const [base, candidate] = BUILDS.map((build) => ownOf(sides[build], sides[build === 'base' ? 'candidate' : 'base']));
  return { base: base ?? '', candidate: candidate ?? '' };
}

function ownOf({ access, query, script }: ResolvedSide, other: ResolvedSide): string {
  const isOwn =
    <T extends { readonly name: string; readonly value: string }>(others: readonly T[]) =>
    ({ name, value }: T) =>
      !others.some((each) => each.name === name && each.value === value);
  return joined([
    ...(query === undefined ? [] : [query]),
    ...access.headers.filter(isOwn(other.access.headers)).map(({ name }) => `header ${name}`),
    ...access.cookies.filter(isOwn(other.access.cookies)).map(({ name }) => `cookie ${name}`),
    ...access.block.filter((pattern) => !other.access.block.includes(pattern)).map((pattern) => `without ${pattern}`),
    ...(script === undefined || script.path === other.script?.path ? [] : [`after ${script.path}`]),
  ]);
}
