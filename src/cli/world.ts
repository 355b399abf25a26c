import type { AnalyzeHooks, AnalyzeOutcome } from '../jobs/analyze/analyze.ts';
import type { AuditHooks, AuditOutcome } from '../jobs/audit/audit.ts';
import type { Installation, InstallOptions } from '../jobs/browser/browser.ts';
import type { CapacityHooks, CapacityOutcome } from '../jobs/capacity/capacity.ts';
import type { CompareHooks, CompareOutcome } from '../jobs/compare/compare.ts';
import type { DoctorHooks, DoctorOutcome } from '../jobs/doctor/doctor.ts';
import type { GithubHooks, GithubOutcome } from '../jobs/github/github.ts';
import type { Initialised } from '../jobs/init/init.ts';
import type { MergeHooks, MergeOutcome } from '../jobs/merge/merge.ts';
import type { ReportHooks, ReportOutcome } from '../jobs/report/report.ts';
import type { TrendHooks, TrendOutcome } from '../jobs/trend/trend.ts';
import type { CapacityResult } from '../model/capacity.ts';
import type { DoctorResult } from '../model/doctor.ts';
import type { AuditReport, CompareReport } from '../model/report.ts';
import type { TrendResult } from '../model/trend.ts';
import type {
  ResolvedAnalyze,
  ResolvedAudit,
  ResolvedCapacity,
  ResolvedCompare,
  ResolvedDoctor,
  ResolvedGithub,
  ResolvedMerge,
  ResolvedReport,
  ResolvedTrend,
} from '../settings/resolved.ts';

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
  audit(settings: ResolvedAudit, hooks: AuditHooks): Promise<AuditOutcome>;
  compare(settings: ResolvedCompare, hooks: CompareHooks): Promise<CompareOutcome>;
  analyze(settings: ResolvedAnalyze, hooks: AnalyzeHooks): Promise<AnalyzeOutcome>;
  renderTerminal(report: AuditReport | CompareReport, options: { color: boolean; width: number }): Promise<string>;
  capacity(settings: ResolvedCapacity, hooks: CapacityHooks): Promise<CapacityOutcome>;
  renderCapacity(result: CapacityResult, options: { color: boolean; width: number }): Promise<string>;
  trend(settings: ResolvedTrend, hooks: TrendHooks): Promise<TrendOutcome>;
  renderTrend(result: TrendResult, options: { color: boolean; width: number }): Promise<string>;
  report(settings: ResolvedReport, hooks: ReportHooks): Promise<ReportOutcome>;
  merge(settings: ResolvedMerge, hooks: MergeHooks): Promise<MergeOutcome>;
  github(settings: ResolvedGithub, hooks: GithubHooks): Promise<GithubOutcome>;
  doctor(settings: ResolvedDoctor, hooks: DoctorHooks): Promise<DoctorOutcome>;
  renderDoctor(result: DoctorResult, options: { color: boolean; width: number }): Promise<string>;
  installBrowser(options: InstallOptions): Promise<Installation>;
  init(folder: string, options: { readonly force: boolean }): Promise<Initialised>;
}

/** Everything outside the command line, so that a test can stand in for it. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How this program was started: Node.js and its script. */
  readonly program: readonly string[];
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
  /** Opens a file with the program that the system has for it. */
  openFile(file: string): Promise<void>;
  readonly jobs: Jobs;
}

/** The jobs of this package. */
export const JOBS: Jobs = {
  async audit(settings, hooks) {
    return (await import('../jobs/audit/audit.ts')).audit(settings, hooks);
  },
  async compare(settings, hooks) {
    return (await import('../jobs/compare/compare.ts')).compare(settings, hooks);
  },
  async analyze(settings, hooks) {
    return (await import('../jobs/analyze/analyze.ts')).analyze(settings, hooks);
  },
  async renderTerminal(report, options) {
    if (!isComparison(report)) return (await import('../reporters/terminal/index.ts')).renderTerminal(report, options);
    return (await import('../reporters/terminal/compare.ts')).renderComparison(report, options);
  },
  async capacity(settings, hooks) {
    return (await import('../jobs/capacity/capacity.ts')).capacity(settings, hooks);
  },
  async renderCapacity(result, options) {
    return (await import('../reporters/terminal/capacity.ts')).renderCapacity(result, options);
  },
  async trend(settings, hooks) {
    return (await import('../jobs/trend/trend.ts')).trend(settings, hooks);
  },
  async renderTrend(result, options) {
    return (await import('../reporters/terminal/trend.ts')).renderTrend(result, options);
  },
  async report(settings, hooks) {
    return (await import('../jobs/report/report.ts')).report(settings, hooks);
  },
  async merge(settings, hooks) {
    return (await import('../jobs/merge/merge.ts')).merge(settings, hooks);
  },
  async github(settings, hooks) {
    return (await import('../jobs/github/github.ts')).github(settings, hooks);
  },
  async doctor(settings, hooks) {
    const [{ doctor }, { compareItself }] = await Promise.all([
      import('../jobs/doctor/doctor.ts'),
      import('../jobs/doctor/self-comparison.ts'),
    ]);
    return doctor(settings, hooks, compareItself);
  },
  async renderDoctor(result, options) {
    return (await import('../reporters/terminal/doctor.ts')).renderDoctor(result, options);
  },
  async installBrowser(options) {
    return (await import('../jobs/browser/browser.ts')).installBrowser(options);
  },
  async init(folder, options) {
    return (await import('../jobs/init/init.ts')).init(folder, options);
  },
};

function isComparison(report: AuditReport | CompareReport): report is CompareReport {
  return report.result.kind === 'compare';
}
