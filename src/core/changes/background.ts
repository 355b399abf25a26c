import { KINDS } from '../../model/background/kinds.ts';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { BackgroundChange } from '../../model/compare/comparison.ts';
import type { BackgroundEndpoint, RunResult, TargetResult } from '../../model/result/result.ts';
import { uncountedLateContent } from '../completion/late-content.ts';
import { isMeasured } from '../counted-runs.ts';
import { withoutQueryAndHash } from '../requests/address-parts.ts';
import { withoutHashes } from './content-hash.ts';
import type { Inventory } from './inventory.ts';
import { withoutOwnOrigin } from './own-origin.ts';
import { isPartOf } from './part-of.ts';
import { foldersOf, movedTo } from './rename.ts';

/** An endpoint of a build is in this share of its timed runs, or in its evidence run: once in many it is an accident. */
const STEADY = 0.5;

/**
 * The background endpoints that one build has as a rule and the other never, the base's first. Two are the same when
 * kind, method and path are, each at the origin of its own page and in its folder; so a poll that became a long poll is two
 * changes. What the browser asks for of its own accord, and asks once an origin, says nothing of a build.
 *
 * @param content what each build's runs needed, where that is known
 */
export function backgroundChangesOf(
  base: TargetResult,
  candidate: TargetResult,
  content?: PerBuild<readonly Inventory[]>,
): readonly BackgroundChange[] {
  return [
    ...onlyIn('base', base, candidate, content?.candidate),
    ...onlyIn('candidate', candidate, base, content?.base),
  ];
}

function onlyIn(
  build: Build,
  target: TargetResult,
  other: TargetResult,
  contentOfOther: readonly Inventory[] = [],
): readonly BackgroundChange[] {
  const known = new Set(other.background.map((each) => endpointKey(each, other)));
  const alike = new Set(other.background.map(({ endpoint }) => localName(endpoint, other)));
  const needed = new Set(contentOfOther.flatMap((inventory) => inventory.map(({ name }) => withoutQuery(name))));
  const folders = foldersOf(pagePathOf(target), pagePathOf(other));
  /** Its own name, and that in the folder of the other build's page. */
  const namesOf = ({ endpoint }: BackgroundEndpoint): readonly string[] => {
    const moved = movedTo(withoutOrigin(endpoint, target), folders);
    return [localName(endpoint, target), ...(moved === undefined ? [] : [withoutHash(moved)])];
  };
  const things = other.background.map((each) => ({ ...each, endpoint: localName(each.endpoint, other) }));
  const isKnown = (each: BackgroundEndpoint): boolean =>
    namesOf(each).some(
      (name) =>
        known.has(`${each.kind} ${name}`) ||
        things.some(
          (thing) => isPartOf({ ...each, endpoint: name }, thing) || isThingWith({ ...each, endpoint: name }, thing),
        ),
    );
  const isNeeded = (each: BackgroundEndpoint): boolean => {
    const names = namesOf(each);
    return !names.some((name) => alike.has(name)) && names.some((name) => needed.has(withoutQuery(name)));
  };
  return target.background
    .filter((each) => KINDS[each.kind]?.ofBrowser !== true && !isKnown(each))
    .filter((each) => isSteady(each, target.runs))
    .map(
      (each): BackgroundChange => ({
        ...each,
        build,
        ...(isNeeded(each) && { contentInOther: true }),
      }),
    );
}

/** A cache with more files, also of other folders, is the same cache. */
function isThingWith(whole: BackgroundEndpoint, thing: BackgroundEndpoint): boolean {
  return thing.endpoints !== undefined && isPartOf(thing, whole);
}

/** `/main/shop/` of the page at that address, without its query. */
function pagePathOf({ url, finalUrl = url }: TargetResult): string {
  return withoutQueryAndHash(withoutOwnOrigin(finalUrl, finalUrl));
}

function isSteady(endpoint: BackgroundEndpoint, runs: readonly RunResult[]): boolean {
  const isSame = (each: BackgroundEndpoint): boolean =>
    (each.kind === endpoint.kind && each.endpoint === endpoint.endpoint) || isPartOf(each, endpoint);
  const has = ({ background = [] }: RunResult): boolean => background.some(isSame);
  if (runs.some((run) => run.role === 'evidence' && has(run))) return true;
  const timed = runs.filter(isMeasured);
  return timed.filter(has).length >= STEADY * timed.length;
}

/**
 * An inventory without the endpoints that are reported as background changes or late content: even where their first answer
 * counts, they are reported once. The values and names of a query do not matter.
 */
export function withoutChanges(
  inventory: Inventory,
  changes: readonly BackgroundChange[],
  sides: PerBuild<TargetResult>,
): Inventory {
  const late = BUILDS.flatMap((build) =>
    (uncountedLateContent(sides[build])?.awaited ?? []).map(({ endpoint }) => localName(endpoint, sides[build])),
  );
  const background = changes.map((change) => localName(change.endpoint, sides[change.build]));
  const listed = new Set([...background, ...late].map(withoutQuery));
  return inventory.filter(({ name }) => !listed.has(withoutQuery(name)));
}

/** "GET /api?a=* (Operation)" as "GET /api (Operation)". */
function withoutQuery(name: string): string {
  return name.replace(/\?\S*/, '');
}

/** Names an endpoint so that it is the same in a build, or on a machine, that serves the page at another address. */
export function endpointKey(
  { kind, endpoint }: Pick<BackgroundEndpoint, 'kind' | 'endpoint'>,
  target: Pick<TargetResult, 'url' | 'finalUrl'>,
): string {
  return `${kind} ${localName(endpoint, target)}`;
}

/** The endpoint at the origin of its own page, without content hashes in its path. */
function localName(endpoint: string, target: Pick<TargetResult, 'url' | 'finalUrl'>): string {
  return withoutHash(withoutOrigin(endpoint, target));
}

function withoutOrigin(endpoint: string, { url, finalUrl }: Pick<TargetResult, 'url' | 'finalUrl'>): string {
  return withoutOwnOrigin(withoutOwnOrigin(endpoint, finalUrl ?? url), url);
}

function withoutHash(local: string): string {
  // Behind the path there may be "?*" and an operation in parentheses.
  const [, path = '', rest = ''] = /^([^?(]*)(.*)$/s.exec(local) ?? [];
  return withoutHashes(path.trimEnd()) + (rest.startsWith('(') ? ` ${rest}` : rest);
}
