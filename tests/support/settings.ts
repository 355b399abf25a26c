import { expect } from 'vitest';
import type { OptionsOf } from '../../src/settings/options.ts';
import type { CompareOptions } from './jobs.ts';
import { POLICY } from './scripted.ts';

type Common = Pick<OptionsOf<'audit'>, keyof OptionsOf<'audit'> & keyof OptionsOf<'compare'>>;

const { quietWindow, maxInflight, timeout, background, foreground } = POLICY;

/** What jobs are told when a test says nothing else. */
export const COMMON: Common = {
  ...{ quietWindow, maxInflight, timeout, background, foreground },
  sandbox: true,
  browserArg: [],
  evidence: false,
  trace: false,
  sourceMaps: false,
  ablation: false,
  format: ['html', 'json', 'har'],
  harContent: false,
  harSecrets: false,
};

/** The same for comparisons, which need two targets and a folder besides. */
export const COMPARING = {
  ...COMMON,
  minEffect: '5%,10ms',
  alpha: 0.05,
  gate: ['page-complete'],
  strict: false,
  seed: 7,
  resume: false,
} satisfies Partial<CompareOptions>;

/** The one line with which settings are refused. */
export const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error & { exit?: number }) => {
      expect(error.name, error.stack).toBe('QuiesceError');
      expect(error.exit).toBe(2);
      expect(error.message).not.toMatch(/\n/);
      return error.message;
    },
  );
