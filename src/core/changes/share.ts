import type { Confidence, Learnt, VisualImpact } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { withOwnOrigin, withoutOwnOrigin } from './own-origin.ts';

/** What the runs of one build taught. */
export interface BuildLessons {
  readonly learnt: readonly Learnt[];
  /** Where the build's page is in the end: its origin is what differs between endpoints of the builds. */
  readonly pageUrl: string;
}

/** Lessons for each build. */
export interface SharedLessons {
  readonly base: readonly Learnt[];
  readonly candidate: readonly Learnt[];
}

/** A lesson with its endpoint as both builds have it. */
interface Lesson extends Learnt {
  readonly fixed: Readonly<Record<string, string>>;
}

/** The same question in both builds; a build that has nothing to say of it is absent. */
interface Pair {
  readonly base?: Lesson;
  readonly candidate?: Lesson;
}

const CONFIDENCES: readonly Confidence[] = ['possible', 'likely', 'certain'];
const IMPACTS: readonly VisualImpact[] = ['unknown', 'none', 'first-content', 'continuous'];

/**
 * The same rules for both builds: an endpoint is background in both or in none, with the same part of it content. Each
 * build gets all lessons, at its own origin. Where they contradict each other, content wins, for leaving out what a page
 * needs is the worse mistake: content over background, then the larger part that is content. Where one build has nothing
 * to say of an endpoint, the other's lesson holds for it too, even if it asked only once and nothing looked odd: else
 * the same request would count in one build and not in the other. A swap of the builds swaps the answers.
 */
export function shareLessons(base: BuildLessons, candidate: BuildLessons): SharedLessons {
  const merged = pairsOf(lessonsOf(base), lessonsOf(candidate)).map(({ base: ours, candidate: theirs }) =>
    ours && theirs
      ? merge(ours, theirs)
      : { base: ours ?? fromOther(theirs, 'candidate'), candidate: theirs ?? fromOther(ours, 'base') },
  );
  return {
    base: ordered(merged.flatMap((each) => each.base ?? []).map((lesson) => at(lesson, base.pageUrl))),
    candidate: ordered(merged.flatMap((each) => each.candidate ?? []).map((lesson) => at(lesson, candidate.pageUrl))),
  };
}

/** Lessons of a page that has moved to another origin since. */
export function moveLessons(learnt: readonly Learnt[], from: string, to: string): readonly Learnt[] {
  return learnt.map((lesson) => ({ ...lesson, endpoint: movedTo(to, lesson.endpoint, from) }));
}

/** A visit as it would have been at the origin of another page: so that both builds' runs can vote on one endpoint. */
export function visitAt(to: string, visit: Visit, from: string): Visit {
  const { timeline } = visit;
  const requests = timeline.requests.map((request) => ({ ...request, url: movedTo(to, request.url, from) }));
  return { ...visit, timeline: { ...timeline, requests } };
}

function movedTo(to: string, endpoint: string, from: string): string {
  return withOwnOrigin(withoutOwnOrigin(endpoint, from), to);
}

function lessonsOf({ learnt, pageUrl }: BuildLessons): readonly Lesson[] {
  return learnt.map((lesson) => ({
    ...lesson,
    endpoint: withoutOwnOrigin(lesson.endpoint, pageUrl),
    fixed: lesson.fixed ?? {},
  }));
}

function at(lesson: Lesson, pageUrl: string): Learnt {
  const { fixed, ...rest } = lesson;
  const endpoint = withOwnOrigin(lesson.endpoint, pageUrl);
  return { ...rest, endpoint, ...(Object.keys(fixed).length > 0 && { fixed }) };
}

/**
 * The same endpoint with the same values; then, of what is left, the same endpoint with the same names, where there is
 * one in each build: a value may be the build's own (`?build=42`).
 */
function pairsOf(base: readonly Lesson[], candidate: readonly Lesson[]): readonly Pair[] {
  const exact = pairBy(base, candidate, ({ endpoint, fixed }) => JSON.stringify([endpoint, sorted(fixed)]));
  const left = exact.filter((pair) => !pair.base || !pair.candidate);
  const byNames = pairBy(
    left.flatMap((pair) => pair.base ?? []),
    left.flatMap((pair) => pair.candidate ?? []),
    ({ endpoint, fixed }) => JSON.stringify([endpoint, sorted(fixed).map(([name]) => name)]),
  );
  return [...exact.filter((pair) => pair.base && pair.candidate), ...byNames];
}

function pairBy(
  base: readonly Lesson[],
  candidate: readonly Lesson[],
  keyOf: (lesson: Lesson) => string,
): readonly Pair[] {
  const keys = new Set([...base, ...candidate].map(keyOf));
  return [...keys].flatMap((key): readonly Pair[] => {
    const ours = base.filter((lesson) => keyOf(lesson) === key);
    const theirs = candidate.filter((lesson) => keyOf(lesson) === key);
    const [first] = ours;
    const [second] = theirs;
    if (first && second && ours.length === 1 && theirs.length === 1) return [{ base: first, candidate: second }];
    return [...ours.map((lesson) => ({ base: lesson })), ...theirs.map((lesson) => ({ candidate: lesson }))];
  });
}

function sorted(fixed: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(fixed).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** One rule out of two; what each build's questions look like stays its own. */
function merge(base: Lesson, candidate: Lesson): Required<Pair> {
  const rule = ruleOf(base, candidate);
  const withRule = ({ endpoint, fixed }: Lesson): Lesson => ({ ...rule, endpoint, fixed });
  return { base: withRule(base), candidate: withRule(candidate) };
}

function ruleOf(base: Lesson, candidate: Lesson): Omit<Learnt, 'endpoint' | 'fixed'> {
  const both = [base, candidate];
  const content = both.filter(({ kind }) => kind === undefined);
  // Which of the two is told must not depend on which build is called the base.
  const [first] = [...(content.length > 0 ? content : both)].sort(byWeight);
  const { kind, because, confidence } = first ?? base;
  const impact = IMPACTS.findLast((each) => both.some((lesson) => lesson.impact === each));
  const seen = { because, ...(impact !== undefined && { impact }) };
  if (content.length > 0) return { ...seen, confidence };
  const parts = both.flatMap(({ contentParts }) => contentParts ?? []);
  const agree = base.kind === candidate.kind;
  return {
    ...seen,
    ...(kind !== undefined && { kind }),
    ...(parts.length > 0 && { contentParts: Math.max(...parts) }),
    confidence: agree
      ? confidence
      : (CONFIDENCES.find((each) => both.some((it) => it.confidence === each)) ?? confidence),
  };
}

/** The surer one first, then any order that is always the same. */
function byWeight(a: Lesson, b: Lesson): number {
  const surer = CONFIDENCES.indexOf(b.confidence) - CONFIDENCES.indexOf(a.confidence);
  if (surer !== 0) return surer;
  const [left, right] = [a, b].map(({ kind = '', because }) => `${kind} ${because}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

function fromOther(lesson: Lesson | undefined, build: string): Lesson | undefined {
  if (!lesson) return undefined;
  const suffix = ` (seen in the ${build})`;
  return lesson.because.endsWith(suffix) ? lesson : { ...lesson, because: lesson.because + suffix };
}

/**
 * Later lessons overrule earlier ones, so both builds need the same order: the general before the particular, and
 * content last.
 */
function ordered(lessons: readonly Learnt[]): readonly Learnt[] {
  const rank = ({ kind, fixed }: Learnt): number => (kind === undefined ? 2 : 0) + (fixed ? 1 : 0);
  return lessons
    .map((lesson, i) => ({ lesson, i }))
    .sort((a, b) => rank(a.lesson) - rank(b.lesson) || a.i - b.i)
    .map(({ lesson }) => lesson);
}
