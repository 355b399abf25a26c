import type { Confidence, ContentKind, EndpointRule, VisualImpact } from '../../model/background/verdict.ts';
import type { Build } from '../../model/compare/comparison.ts';
import type { RunObservations } from '../background/content/consensus.ts';
import { withOwnOrigin, withoutOwnOrigin } from './own-origin.ts';

/** What the runs of one build taught. */
export interface BuildRules {
  readonly learnt: readonly EndpointRule[];
  /** Where the build's page is in the end: its origin is what differs between endpoints of the builds. */
  readonly pageUrl: string;
}

/** Lessons for each build. */
export interface SharedRules {
  readonly base: readonly EndpointRule[];
  readonly candidate: readonly EndpointRule[];
}

/** A rule with its endpoint as both builds have it. */
interface Rule extends EndpointRule {
  readonly fixed: Readonly<Record<string, string>>;
}

/** The same question in both builds; a build that has nothing to say of it is absent. */
interface Pair {
  readonly base?: Rule;
  readonly candidate?: Rule;
}

const CONFIDENCES: readonly Confidence[] = ['possible', 'likely', 'certain'];
const IMPACTS: readonly VisualImpact[] = ['unknown', 'none', 'first-content', 'continuous'];

/**
 * The same rules for both builds: an endpoint is background in both or in none, with the same part of it content. Each
 * build gets all rules, at its own origin. Where they contradict each other, content wins, for leaving out what a page
 * needs is the worse mistake: content over background, then the larger part that is content. Where one build has nothing
 * to say of an endpoint, the other's rule holds for it too, even if it asked only once and nothing looked odd: else
 * the same request would count in one build and not in the other. What was shown of one build's own page holds for it alone
 * (core/changes/contested.ts). A swap of the builds swaps the answers.
 */
export function shareRules(base: BuildRules, candidate: BuildRules): SharedRules {
  const merged = pairsOf(lessonsOf(base), lessonsOf(candidate)).map((pair) => {
    const { base: ours, candidate: theirs } = pair;
    if (ours?.ofBuild || theirs?.ofBuild) return pair;
    return ours && theirs
      ? merge(ours, theirs)
      : { base: ours ?? fromOther(theirs, 'candidate'), candidate: theirs ?? fromOther(ours, 'base') };
  });
  return {
    base: ordered(merged.flatMap((each) => each.base ?? []).map((rule) => at(rule, base.pageUrl))),
    candidate: ordered(merged.flatMap((each) => each.candidate ?? []).map((rule) => at(rule, candidate.pageUrl))),
  };
}

/** Lessons of a page that has moved to another origin since. */
export function moveRules(learnt: readonly EndpointRule[], from: string, to: string): readonly EndpointRule[] {
  return learnt.map((rule) => ({ ...rule, endpoint: movedTo(to, rule.endpoint, from) }));
}

/** What a run observed, as it would have been at the origin of another page: so that the runs of both builds can vote on one endpoint. */
export function moveObservations(
  { observations, answered }: RunObservations,
  from: string,
  to: string,
): RunObservations {
  const moved = (endpoint: string): string => movedTo(to, endpoint, from);
  return {
    observations: observations.map((each) => ({
      ...each,
      endpoint: { ...each.endpoint, key: moved(each.endpoint.key), label: moved(each.endpoint.label) },
    })),
    answered: new Map([...answered].map(([key, plain]) => [moved(key), plain])),
  };
}

function movedTo(to: string, endpoint: string, from: string): string {
  return withOwnOrigin(withoutOwnOrigin(endpoint, from), to);
}

function lessonsOf({ learnt, pageUrl }: BuildRules): readonly Rule[] {
  return learnt.map((rule) => ({
    ...rule,
    endpoint: withoutOwnOrigin(rule.endpoint, pageUrl),
    fixed: rule.fixed ?? {},
  }));
}

function at(rule: Rule, pageUrl: string): EndpointRule {
  const { fixed, ...rest } = rule;
  const endpoint = withOwnOrigin(rule.endpoint, pageUrl);
  return { ...rest, endpoint, ...(Object.keys(fixed).length > 0 && { fixed }) };
}

/**
 * The same endpoint with the same values; then, of what is left, the same endpoint with the same names, where there is
 * one in each build: a value may be the build's own (`?build=42`).
 */
function pairsOf(base: readonly Rule[], candidate: readonly Rule[]): readonly Pair[] {
  const exact = pairBy(base, candidate, ({ endpoint, fixed }) => JSON.stringify([endpoint, sorted(fixed)]));
  const left = exact.filter((pair) => !pair.base || !pair.candidate);
  const byNames = pairBy(
    left.flatMap((pair) => pair.base ?? []),
    left.flatMap((pair) => pair.candidate ?? []),
    ({ endpoint, fixed }) => JSON.stringify([endpoint, sorted(fixed).map(([name]) => name)]),
  );
  return [...exact.filter((pair) => pair.base && pair.candidate), ...byNames];
}

function pairBy(base: readonly Rule[], candidate: readonly Rule[], keyOf: (rule: Rule) => string): readonly Pair[] {
  const keys = new Set([...base, ...candidate].map(keyOf));
  return [...keys].flatMap((key): readonly Pair[] => {
    const ours = base.filter((rule) => keyOf(rule) === key);
    const theirs = candidate.filter((rule) => keyOf(rule) === key);
    const [first] = ours;
    const [second] = theirs;
    if (first && second && ours.length === 1 && theirs.length === 1) return [{ base: first, candidate: second }];
    return [...ours.map((rule) => ({ base: rule })), ...theirs.map((rule) => ({ candidate: rule }))];
  });
}

function sorted(fixed: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(fixed).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** One rule out of two; what each build's questions look like stays its own. */
function merge(base: Rule, candidate: Rule): Required<Pair> {
  const rule = ruleOf(base, candidate);
  const withRule = ({ endpoint, fixed, content: own = [] }: Rule): Rule => {
    // What fills a place in one build only repaints it in the other, whose document shows it at once.
    const updates = own.filter(({ counts }) => counts === 0);
    const content = rule.content?.filter(({ shape }) => !updates.some((each) => each.shape === shape));
    return { ...rule, endpoint, fixed, ...(content && { content: [...content, ...updates] }) };
  };
  return { base: withRule(base), candidate: withRule(candidate) };
}

/** What is content in either build; of what is alike in both, what the slower one needs. */
function contentOf(rules: readonly Rule[]): readonly ContentKind[] {
  const kinds = rules.flatMap(({ content = [] }) => content.filter(({ counts }) => counts !== 0));
  const alike = Map.groupBy(kinds, ({ shape, bytes }) => (bytes === undefined ? (shape ?? '') : 'result'));
  // Where a job has a result, it is done with that, whatever the number of its answers.
  if (alike.has('result')) alike.delete('');
  const inOrder = [...alike].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.flatMap(([, own]) => own.toSorted(byNeed)[0] ?? []);
}

/** All before those about something new, these before a count, and a larger one before a smaller; the later one first. */
function byNeed(a: ContentKind, b: ContentKind): number {
  const isMost = (most: ContentKind['counts']): number => Number(b.counts === most) - Number(a.counts === most);
  return isMost('all') || isMost('places') || Number(b.counts) - Number(a.counts) || later(a, b);
}

const later = (a: ContentKind, b: ContentKind): number =>
  (b.by ?? 0) - (a.by ?? 0) || (b.bytes ?? 0) - (a.bytes ?? 0) || ((a.about ?? '') < (b.about ?? '') ? -1 : 1);

function ruleOf(base: Rule, candidate: Rule): Omit<EndpointRule, 'endpoint' | 'fixed'> {
  const both = [base, candidate];
  const content = both.filter(({ kind }) => kind === undefined);
  // Which of the two is reported must not depend on which build is called the base.
  const [first] = [...(content.length > 0 ? content : both)].sort(byWeight);
  const { kind, reason, confidence } = first ?? base;
  const impact = IMPACTS.findLast((each) => both.some((rule) => rule.impact === each));
  const seen = { reason, impact };
  if (content.length > 0) return { ...seen, confidence };
  const agree = base.kind === candidate.kind;
  return {
    ...seen,
    ...(kind !== undefined && { kind }),
    ...(both.some(({ content: known }) => known) && { content: contentOf(both) }),
    // Small in both builds, or in neither: the headline is the same figure of both.
    ...(both.every(({ small }) => small) && { small: true }),
    confidence: agree
      ? confidence
      : (CONFIDENCES.find((each) => both.some((it) => it.confidence === each)) ?? confidence),
  };
}

/** The surer one first, then any order that is always the same. */
function byWeight(a: Rule, b: Rule): number {
  const surer = CONFIDENCES.indexOf(b.confidence) - CONFIDENCES.indexOf(a.confidence);
  if (surer !== 0) return surer;
  const [left, right] = [a, b].map(({ kind = '', reason }) => `${kind} ${JSON.stringify(reason)}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function fromOther(rule: Rule | undefined, build: Build): Rule | undefined {
  if (!rule) return undefined;
  const { reason } = rule;
  if (reason.code === 'in-build' && reason.build === build) return rule;
  return { ...rule, reason: { code: 'in-build', reason, build } };
}

/**
 * Later rules overrule earlier ones, so both builds need the same order: the general before the particular, and
 * content last.
 */
function ordered(rules: readonly EndpointRule[]): readonly EndpointRule[] {
  const rank = ({ kind, fixed }: EndpointRule): number => (kind === undefined ? 2 : 0) + (fixed ? 1 : 0);
  return rules
    .map((rule, i) => ({ rule, i }))
    .sort((a, b) => rank(a.rule) - rank(b.rule) || a.i - b.i)
    .map(({ rule }) => rule);
}
