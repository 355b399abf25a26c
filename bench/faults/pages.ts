/** Pages that fight back, and the page after them. */
import { setTimeout as settle } from 'node:timers/promises';
import { mustHold, run } from './command.ts';
import { BY_CHANCE, type Fault } from './fault.ts';
import { HOSTILE_PATHS, PICTURE_MS, startHostileSite } from './site.ts';

/** Of a load of these pages, s. */
export const TIMEOUT_S = 8;
const RUNS = 1;
/** Every job ends within so many time-outs: (runs + 4), and the start of the browser. */
export const BOUND_S = (RUNS + 4) * TIMEOUT_S + 5;
/** When an ordinary page may be called complete, ms: not before its picture came. */
export const TRUTH = { from: PICTURE_MS - 20, to: PICTURE_MS + 600 };

export const AUDIT: readonly string[] = [
  ...['--runs', `${RUNS}`, '--timeout', `${TIMEOUT_S * 1000}`, '--out', '{out}', '--format', 'html,json,har'],
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** Every page of the hostile site, audited together with an ordinary page, which must come out right. */
export const pages: readonly Fault[] = HOSTILE_PATHS.map(
  (path): Fault => ({
    group: 'page',
    name: path.slice(1),
    times: 1,
    must: 'ends in time; the page after it is right',
    async inject() {
      const site = await startHostileSite();
      try {
        const args = ['audit', site.origin + path, `${site.origin}/plain`, ...AUDIT];
        return await run({ args }, (ran) => {
          const held = mustHold(ran, { within: 2 * BOUND_S });
          const after =
            typeof ran.result === 'object'
              ? ran.result.targets[1]?.runs.find(({ role }) => role === 'timed')
              : undefined;
          const at = after?.pageComplete?.state === 'complete' ? after.pageComplete.at : undefined;
          const isRight = at !== undefined && at >= TRUTH.from && (at <= TRUTH.to || after?.host?.verdict !== 'fit');
          return isRight
            ? held
            : { ...held, violations: [...held.violations, `the page after it: ${at?.toFixed(0) ?? 'no answer'}`] };
        });
      } finally {
        await site.close();
      }
    },
  }),
);

export const network: readonly Fault[] = [
  {
    group: 'network',
    name: 'every tenth connection is cut',
    times: BY_CHANCE,
    must: 'right, or not measured',
    async inject(random) {
      const site = await startHostileSite();
      site.dropEvery = 8 + Math.floor(random() * 5);
      try {
        return await run({ args: ['audit', `${site.origin}/plain`, ...AUDIT] }, (ran) =>
          mustHold(ran, { within: BOUND_S, truth: TRUTH }),
        );
      } finally {
        await site.close();
      }
    },
  },
  {
    group: 'network',
    name: 'the server goes, and comes back',
    times: BY_CHANCE,
    must: 'right, or not measured',
    async inject(random) {
      const site = await startHostileSite();
      const offAfter = 500 + random() * 6_000;
      try {
        const during = async (): Promise<void> => {
          await settle(offAfter);
          await site.power(false);
          await settle(1_000);
          await site.power(true);
        };
        return await run({ args: ['audit', `${site.origin}/plain`, ...AUDIT], during }, (ran) =>
          mustHold(ran, { within: BOUND_S, truth: TRUTH }),
        );
      } finally {
        await site.close();
      }
    },
  },
];
