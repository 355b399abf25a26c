import type { AnalyzeHooks, AnalyzeOutcome, AnalyzeSettings } from '../app/analyze.ts';
import type { AuditHooks, AuditOutcome } from '../app/audit.ts';
import type { Installation, InstallOptions } from '../app/browser.ts';
import type { CompareHooks, CompareOutcome } from '../app/compare.ts';
import type { DoctorHooks, DoctorOutcome } from '../app/doctor.ts';
import type { GithubHooks, GithubOutcome } from '../app/github.ts';
import type { Initialised } from '../app/init.ts';
import type { MergeHooks, MergeOutcome } from '../app/merge.ts';
import type { ReportHooks, ReportOutcome, ReportSettings } from '../app/report-again.ts';
import type { TrendHooks, TrendOutcome } from '../app/trend.ts';
import type { DoctorResult, DoctorSettings } from '../model/doctor.ts';
import type { AuditReport, CompareReport } from '../model/report.ts';
import type { AuditSettings, CompareSettings, GithubSettings, MergeSettings } from '../model/settings.ts';
import type { TrendResult, TrendSettings } from '../model/trend.ts';

/** Where text goes. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Columns of a terminal; of none, and of one that does not know (it says 0), the fallback. */
export function widthOf(output: Output, fallback: number): number {
  return output.columns !== undefined && output.columns > 0 ? output.columns : fallback;
}

/** The jobs behind the commands; loaded when they are needed, so that `--help` stays quick. */
export interface Jobs {
  audit(settings: AuditSettings, hooks: AuditHooks): Promise<AuditOutcome>;
  compare(settings: CompareSettings, hooks: CompareHooks): Promise<CompareOutcome>;
  analyze(settings: AnalyzeSettings, hooks: AnalyzeHooks): Promise<AnalyzeOutcome>;
  renderTerminal(report: AuditReport | CompareReport, options: { color: boolean; width: number }): Promise<string>;
  trend(settings: TrendSettings, hooks: TrendHooks): Promise<TrendOutcome>;
  renderTrend(result: TrendResult, options: { color: boolean; width: number }): Promise<string>;
  report(settings: ReportSettings, hooks: ReportHooks): Promise<ReportOutcome>;
  merge(settings: MergeSettings, hooks: MergeHooks): Promise<MergeOutcome>;
  github(settings: GithubSettings, hooks: GithubHooks): Promise<GithubOutcome>;
  doctor(settings: DoctorSettings, hooks: DoctorHooks): Promise<DoctorOutcome>;
  renderDoctor(result: DoctorResult, options: { color: boolean; width: number }): Promise<string>;
  installBrowser(options: InstallOptions): Promise<Installation>;
  init(folder: string, options: { readonly force: boolean }): Promise<Initialised>;
}

/** Everything outside the command line, so that a test can stand in for it. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly isRoot: boolean;
  /** Ctrl-C and friends: `process`, or an emitter of a test. */
  readonly signals: {
    on(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
    off(name: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  };
  /** Ends at once. */
  exit(code: number): void;
  readonly jobs: Jobs;
}

/** The jobs of this package. */
export const JOBS: Jobs = {
  async audit(settings, hooks) {
    return (await import('../app/audit.ts')).audit(settings, hooks);
  },
  async compare(settings, hooks) {
    return (await import('../app/compare.ts')).compare(settings, hooks);
  },
  async analyze(settings, hooks) {
    return (await import('../app/analyze.ts')).analyze(settings, hooks);
  },
  async renderTerminal(report, options) {
    if (!isComparison(report)) return (await import('../report/terminal/index.ts')).renderTerminal(report, options);
    return (await import('../report/terminal/compare.ts')).renderComparison(report, options);
  },
  async trend(settings, hooks) {
    return (await import('../app/trend.ts')).trend(settings, hooks);
  },
  async renderTrend(result, options) {
    return (await import('../report/terminal/trend.ts')).renderTrend(result, options);
  },
  async report(settings, hooks) {
    return (await import('../app/report-again.ts')).report(settings, hooks);
  },
  async merge(settings, hooks) {
    return (await import('../app/merge.ts')).merge(settings, hooks);
  },
  async github(settings, hooks) {
    return (await import('../app/github.ts')).github(settings, hooks);
  },
  async doctor(settings, hooks) {
    const [{ doctor }, { compareItself }] = await Promise.all([
      import('../app/doctor.ts'),
      import('../app/self-comparison.ts'),
    ]);
    return doctor(settings, hooks, compareItself);
  },
  async renderDoctor(result, options) {
    return (await import('../report/terminal/doctor.ts')).renderDoctor(result, options);
  },
  async installBrowser(options) {
    return (await import('../app/browser.ts')).installBrowser(options);
  },
  async init(folder, options) {
    return (await import('../app/init.ts')).init(folder, options);
  },
};

function isComparison(report: AuditReport | CompareReport): report is CompareReport {
  return report.result.kind === 'compare';
}
