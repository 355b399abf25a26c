import { expect, it } from 'vitest';
import { KINDS } from '../../src/model/background/kinds.ts';
import type { StopReason } from '../../src/model/compare/comparison.ts';
import type { MilestoneName, RowOutcome, WaterfallFacts, WaterfallRowFacts } from '../../src/model/result/report.ts';
import type { Finding } from '../../src/model/result/result.ts';
import { nounsOf } from '../../src/wording/background/advice.ts';
import { healthLine } from '../../src/wording/health.ts';
import { interactionSentence } from '../../src/wording/interactions.ts';
import { whyBlocksShort, whyPagesShort } from '../../src/wording/shards/endings.ts';
import { waterfallInWords } from '../../src/wording/waterfall.ts';
import { withFindings } from '../reporters/broken-example.ts';
import { CLICK } from '../reporters/interaction-example.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../support/approved.ts';

/** All of a kind: one that is missing does not compile. */
const namesOf = <K extends string>(all: Readonly<Record<K, true>>) => Object.keys(all) as K[];

const OUTCOMES: Samples<RowOutcome> = {
  'previous-document': [{}],
  open: [{}],
  unanswered: [{}],
  redirected: [{}, { to: 'https://x/b' }],
  canceled: [{}, { error: 'net::ERR_ABORTED' }],
  failed: [{}, { error: 'net::ERR_FAILED' }],
  lost: [{}],
  blocked: [{}],
};
const CACHES = namesOf<NonNullable<WaterfallRowFacts['fromCache']>>({
  memory: true,
  disk: true,
  prefetch: true,
  'service-worker': true,
});
const MILESTONES = namesOf<MilestoneName>({
  'first-contentful-paint': true,
  'largest-contentful-paint': true,
  'dom-content-loaded': true,
  load: true,
  'complete-on': true,
  'action-end': true,
  'page-complete': true,
});
const STOPS = namesOf<StopReason>({
  decided: true,
  failed: true,
  'max-pairs': true,
  'out-of-time': true,
  interrupted: true,
  'too-many-failures': true,
  'not-measurable': true,
  blank: true,
  broken: true,
  share: true,
  'shards-missing': true,
});
const EVENTS = [
  ...['click', 'auxclick', 'contextmenu', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'],
  ...['touchstart', 'touchend', 'keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'drop'],
];

const BROKEN: Readonly<Record<string, Finding['facts'] & object>> = {
  'stopped-answering': { silent: 9_000, isBroken: true },
  'blank-page': { isBroken: true },
  'error-page': { text: 'Bad gateway', isBroken: true },
  'error-shown': { text: 'No stock', isBroken: true },
  'blocked-by-policy': { directive: 'script-src', times: 2, isBroken: true },
  'script-error': {
    message: 'x is not a function',
    errors: 1,
    url: 'https://shop.example/a.js',
    line: 7,
    isBroken: true,
  },
  'a script error elsewhere': { message: 'Script error.', errors: 1, isBroken: false },
};

const row = (over: Partial<WaterfallRowFacts>): WaterfallRowFacts => ({
  id: '1',
  method: 'GET',
  url: 'https://x/a',
  type: 'fetch',
  startedAt: 0,
  endsAt: 1,
  open: false,
  failed: false,
  phases: [],
  chunks: [],
  contentSize: 0,
  ...over,
});
const inWaterfall = (over: Partial<WaterfallFacts>) =>
  waterfallInWords({ run: 1, rows: [], milestones: [], observedUntil: 9, ...over });
const healthOf = (code: string, facts: Finding['facts'] & object) => {
  const [target] = withFindings([{ code, message: '', urls: [], facts }]).result.targets;
  return target && healthLine(target)?.sentence;
};
const each = <K extends string>(names: readonly K[], say: (name: K) => string | undefined) =>
  Object.fromEntries(names.map((name) => [name, say(name)]));

it('names that stand in tables are approved', async () => {
  expect(healthLine({ runs: [], url: 'https://x/' })).toBeUndefined();
  await expectApproved(
    'wording/tables',
    outlined({
      'a row of a waterfall ended': wordsOf(
        OUTCOMES,
        (outcome) => `${inWaterfall({ rows: [row({ outcome })] }).rows[0]?.outcome}`,
      ),
      'a row of a waterfall came from': each(
        CACHES,
        (fromCache) => inWaterfall({ rows: [row({ fromCache })] }).rows[0]?.fromCache,
      ),
      'a milestone': each(MILESTONES, (name) => inWaterfall({ milestones: [{ name, at: 1 }] }).milestones[0]?.label),
      'a shard of a comparison': each(STOPS, (reason) => whyBlocksShort(reason, 2, 5)),
      'a shard of an audit': [whyPagesShort(true, 0, 3), whyPagesShort(true, 3, 3), whyPagesShort(false, 1, 3)],
      'one and many in the background': each(Object.keys(KINDS) as (keyof typeof KINDS)[], (kind) =>
        nounsOf(kind).join(', '),
      ),
      'an interaction': each(EVENTS, (type) => interactionSentence({ ...CLICK, type, scripts: [] }).split(' took ')[0]),
      'the health of a page': Object.fromEntries(
        Object.entries(BROKEN).map(([name, facts]) => [
          name,
          healthOf(name.startsWith('a ') ? 'script-error' : name, facts),
        ]),
      ),
    }),
  );
});
