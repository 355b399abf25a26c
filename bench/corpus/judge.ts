/** Judges the recordings of a page as an audit would have, without a browser. */
import type { CorpusLoad, CorpusPage, CorpusRecording } from '../../fixtures/corpus-file.ts';
import { agree, observeRun } from '../../src/core/background/content/consensus.ts';
import { groupsOf } from '../../src/core/background/groups.ts';
import { impactOf } from '../../src/core/background-facts.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { withRules } from '../../src/core/evidence/filmed-drawing.ts';
import { markDrawing } from '../../src/core/evidence/marked-change.ts';
import { provePage } from '../../src/core/evidence/prove-page.ts';
import { loadWithout, sceneOf } from '../../src/core/evidence/scene.ts';
import type { Likeness, LoadWithout } from '../../src/core/evidence/without.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import type { Policy } from '../../src/model/background/verdict.ts';
import type { Drawing } from '../../src/model/completion/drawing.ts';
import type { Visit } from '../../src/model/network/visit.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { BackgroundEndpoint, Certainty, RunResult } from '../../src/model/result/result.ts';
import type { Ms } from '../../src/model/units.ts';
import { withDoubt } from '../../src/result/doubt/doubt.ts';
import { runInWords } from '../../src/wording/result/run.ts';
import type { Flagged } from '../accuracy/score.ts';

/** What is said of a timed load. */
export interface Judged {
  readonly state: 'complete' | 'unconfirmed' | 'never';
  readonly at?: Ms;
  readonly networkAt?: Ms;
  readonly truth?: Ms;
  /** How sure it is. */
  readonly doubt?: Certainty;
  readonly flagged: readonly (Flagged & Pick<BackgroundEndpoint, 'visualImpact'>)[];
}

/** What is said of the loads of a page on one machine. */
export interface JudgedRecording {
  readonly beside: number;
  readonly timed: readonly Judged[];
  /** Loads without something that the rules asked for, and that nobody recorded. */
  readonly unrecorded: number;
}

/** Judges a page. */
export async function judgePage({ recordings }: CorpusPage): Promise<readonly JudgedRecording[]> {
  return await Promise.all(recordings.map(judgeRecording));
}

async function judgeRecording({ beside, loads }: CorpusRecording): Promise<JudgedRecording> {
  const filmed = loads.find(({ role }) => role === 'evidence');
  const timed = loads.filter(({ role }) => role === 'timed');
  if (!filmed) throw new Error('there is no filmed load');
  const thorough: Policy = { ...DEFAULT_POLICY, thorough: true };
  const scene = sceneOf(visitOf(filmed.recording, thorough), filmed.film, thorough, true);
  const without = recordedWithout(loads);
  const tried = await loadWithout(scene, { policy: DEFAULT_POLICY, load: without.load });
  const { learntPolicy, drawn } = provePage(scene, tried, thorough, false);
  const policy: Policy = { ...DEFAULT_POLICY, ...learntPolicy };
  const marked = timed.map((load) =>
    markDrawing(asLoaded(load, drawn.drawing), filmOf(load, drawn.drawing), policy, drawn.drawing),
  );
  const first = marked.map((recording) => visitOf(recording, policy));
  // What one run saw and another did not is settled over all.
  const proved = learntPolicy.learnt ?? [];
  const rules = agree(first.map(observeRun), proved);
  const settled = rules.length > proved.length ? withRules(policy, rules) : policy;
  const visits = settled === policy ? first : marked.map((recording) => visitOf(recording, settled));
  const runs = withDoubt({
    runs: [
      runOf('evidence', visitOf(drawn.recording, drawn.policy), drawn.policy),
      ...visits.map((visit) => runOf('timed', visit, settled)),
    ],
  });
  return {
    beside,
    timed: visits.map((visit, i) => {
      const doubt = runs[i + 1]?.pageComplete?.doubt;
      return { ...said(visit, settled, timed[i]?.truth), ...(doubt && { doubt }) };
    }),
    unrecorded: without.unrecorded(),
  };
}

const runOf = (role: 'evidence' | 'timed', visit: Visit, policy: Policy): RunResult =>
  ({ index: 0, role, ok: true, ...runInWords(measure(visit, policy), visit.recording.navigation.url) }) as RunResult;

/** The loads without something that were recorded, by what was held back. */
function recordedWithout(loads: readonly CorpusLoad[]): { readonly load: LoadWithout; unrecorded(): number } {
  const keyOf = (patterns: readonly string[] = []): string => JSON.stringify(patterns.toSorted());
  // The last one was watched for longest.
  const recorded = new Map(
    loads.flatMap((load) => (load.role === 'ablation' ? [[keyOf(load.hold), load] as const] : [])),
  );
  let unrecorded = 0;
  return {
    unrecorded: () => unrecorded,
    async load({ patterns, policy }) {
      const load = recorded.get(keyOf(patterns));
      if (!load) {
        unrecorded += 1;
        return undefined;
      }
      return { visit: visitOf(load.recording, policy), ...(load.likeness && { likeness: likenessOf(load.likeness) }) };
    },
  };
}

function likenessOf({ last, late, sameColors = false }: NonNullable<CorpusLoad['likeness']>): Likeness {
  return { last, late: () => late, sameColors: async () => sameColors };
}

/** What an audit records of a timed load that is to draw like this: it is filmed, and its document watched, only where that helps. */
function asLoaded({ recording }: CorpusLoad, { filmed, within }: Drawing): Recording {
  const { domChanges, animations, ...rest } = recording;
  return {
    ...rest,
    marks: filmed !== undefined ? rest.marks : rest.marks.filter(({ name }) => name !== 'content-visible'),
    ...(within !== undefined && domChanges && { domChanges }),
    ...(filmed !== undefined && animations && { animations }),
  };
}

const filmOf = ({ film }: CorpusLoad, { filmed }: Drawing): CorpusLoad['film'] =>
  filmed !== undefined ? film : { steps: [] };

function said(visit: Visit, policy: Policy, truth: Ms | undefined): Judged {
  const { complete } = visit;
  const flagged = groupsOf(visit, policy.learnt).flatMap((group) => {
    const { by, verdict, requests } = group;
    const urls = [...new Set(requests.map(({ url }) => url))];
    return by === undefined ? [{ kind: verdict.kind, urls, visualImpact: impactOf(group, policy) }] : [];
  });
  const state = complete.state === 'pending' ? 'never' : complete.state;
  const at = 'at' in complete ? complete.at : undefined;
  const networkAt = 'networkAt' in complete ? complete.networkAt : undefined;
  return {
    state,
    ...(at !== undefined && { at }),
    ...(networkAt !== undefined && { networkAt }),
    ...(truth !== undefined && { truth }),
    flagged,
  };
}
