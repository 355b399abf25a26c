import { it } from 'vitest';
import type { HostComparisonFacts, StopReason } from '../../src/model/compare/comparison.ts';
import type { SelfComparison } from '../../src/model/host/doctor.ts';
import { hostComparisonInWords } from '../../src/wording/compare/host-comparison.ts';
import { stopSentence } from '../../src/wording/completion/stopping.ts';
import { adviseOn, adviseOnSelfComparison } from '../../src/wording/host/advice.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { factsOf } from '../support/facts.ts';

const { load: _load, ...silent } = factsOf({ processors: { count: 4, available: 4 }, idle: { watchedFor: 1_000 } });
const HOSTS = {
  'nothing is wrong': factsOf(),
  'everything is wrong': factsOf({
    processors: { count: 2, available: 1, limit: 0.5, governors: ['powersave'], turbo: true },
    load: [9, 9, 9],
    memory: { total: 1e9, available: 1e8 },
    idle: {
      ...{ watchedFor: 1_000, busy: 1, steal: 0.5, pressure: { memory: 1, io: 0 } },
      greediest: [
        { name: 'webpack', processors: 1.96 },
        { name: 'sshd', processors: 0.06 },
      ],
    },
    microBenchmark: [10, 20, 30, 40, 50],
    power: 'battery',
  }),
  'waiting for a disk, nobody is named': factsOf({
    power: 'mains',
    idle: { watchedFor: 1_000, busy: 0.5, pressure: { memory: 0, io: 1 }, greediest: [] },
  }),
  'the system tells nothing': { ...silent, microBenchmark: [] },
};

const SELF: SelfComparison = {
  ...{ url: 'https://example.com/', decision: 'same', sentence: 'No change larger than 5%.', pairs: 16 },
  ...{ smallestChange: 0.031, pairsForFivePercent: 10 },
};
const { smallestChange: _smallest, pairsForFivePercent: _pairs, ...bare } = SELF;
const linesOf = (findings: ReturnType<typeof adviseOn>) =>
  findings.map(
    ({ code, level, what, advice }) => `${level} ${code}: ${what}${advice === undefined ? '' : ` → ${advice}`}`,
  );

const FIT: HostComparisonFacts = { verdict: 'fit', unfitRuns: 0, runs: 24, machines: 1 };
const control = { relative: 0.041, low: 0.02, high: 0.06, level: 0.99 };
const COMPARED = [
  FIT,
  { ...FIT, control },
  { ...FIT, control, unfitRuns: 2 },
  { ...FIT, machines: 3, control, unfitRuns: 2 },
  { ...FIT, verdict: 'unfit', unfitRuns: 20 },
  { ...FIT, verdict: 'unfit', unfitRuns: 20, machines: 3 },
  { ...FIT, verdict: 'differs', control },
  { ...FIT, verdict: 'differs', machines: 3, control: { ...control, relative: -0.041 } },
  { ...FIT, verdict: 'unknown' },
  { ...FIT, verdict: 'unknown', machines: 3 },
  { ...FIT, verdict: 'unknown', driverBusyIn: 0 },
  { ...FIT, verdict: 'unknown', driverBusyIn: 4 },
] as unknown as readonly HostComparisonFacts[];

const STOPS: Readonly<Record<StopReason, true>> = {
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
};

it('what is said of machines, and why a comparison ended, is approved', () =>
  expectApproved(
    'wording/hosts',
    outlined({
      ...Object.fromEntries(Object.entries(HOSTS).map(([name, facts]) => [name, linesOf(adviseOn(facts))])),
      'the browser is on another machine': linesOf(adviseOn(factsOf(), true)).slice(0, 1),
      'a page compared with itself': (['same', 'unsure', 'slower', 'faster', 'invalid'] as const).flatMap((decision) =>
        linesOf(adviseOnSelfComparison({ ...SELF, decision })).slice(0, 1),
      ),
      'what the machine resolves': [SELF, bare].flatMap((self) => linesOf(adviseOnSelfComparison(self)).slice(1)),
      'the machine of both builds': COMPARED.map((facts) => hostComparisonInWords(facts).sentence),
      'why it ended': [
        ...Object.keys(STOPS).map((reason) => stopSentence(reason as StopReason, 24, 40)),
        stopSentence('decided', 40, 40),
        stopSentence('decided', 24, 40, false),
      ],
    }),
  ));
