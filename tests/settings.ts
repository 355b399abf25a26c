import type { CompareSettings, LoadSettings } from '../src/model/settings.ts';
import { POLICY } from './scripted.ts';

/** What jobs are told when a test says nothing else. */
export const COMMON: LoadSettings = {
  ...POLICY,
  sandbox: true,
  browserArg: [],
  evidence: false,
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
} satisfies Partial<CompareSettings>;
