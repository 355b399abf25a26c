import { otherBuild } from '../../core/changes/other-build.ts';
import { BUILDS, type PerBuild } from '../../model/compare/build.ts';
import type { EnvironmentVariable } from '../../model/settings.ts';
import type { ResolvedServers, ResolvedSide } from '../../settings/resolved.ts';
import { joined } from '../../wording/text/format.ts';

/** What one side has and the other has not, without values, which may be secrets: "flag=on, header X-Flag"; empty for nothing. */
export function sideNames(
  sides: PerBuild<ResolvedSide>,
  env: ResolvedServers['env'] = { base: [], candidate: [] },
): PerBuild<string> {
  const [base, candidate] = BUILDS.map((build) => {
    const other = otherBuild(build);
    return ownOf({ ...sides[build], env: env[build] }, { ...sides[other], env: env[other] });
  });
  return { base: base ?? '', candidate: candidate ?? '' };
}

type Side = ResolvedSide & { readonly env: readonly EnvironmentVariable[] };

function ownOf({ access, query, script, env }: Side, other: Side): string {
  const isOwn =
    <T extends { readonly name: string; readonly value: string }>(others: readonly T[]) =>
    ({ name, value }: T) =>
      !others.some((each) => each.name === name && each.value === value);
  return joined([
    ...(query === undefined ? [] : [query]),
    ...access.headers.filter(isOwn(other.access.headers)).map(({ name }) => `header ${name}`),
    ...access.cookies.filter(isOwn(other.access.cookies)).map(({ name }) => `cookie ${name}`),
    ...access.block.filter((pattern) => !other.access.block.includes(pattern)).map((pattern) => `without ${pattern}`),
    ...env.filter(isOwn(other.env)).map(({ name }) => `variable ${name}`),
    ...(script === undefined || script.path === other.script?.path ? [] : [`after ${script.path}`]),
  ]);
}
