import type { DoctorHooks } from '../jobs/doctor/doctor.ts';
import type { ProblemMessage } from '../model/result/problem-message.ts';
import type { AuditReport, ComparePagesReport, CompareReport } from '../model/result/report.ts';
import type { TerminalOptions } from '../reporters/terminal/screen.ts';
import type { ResolvedDoctor } from '../settings/resolved.ts';
import type { Output, Stream } from './output.ts';

/** Columns of a terminal; of none, and of one that does not know (it says 0), the fallback. */
export function widthOf(output: Stream, fallback: number): number {
  return output.columns !== undefined && output.columns > 0 ? output.columns : fallback;
}

/** What ends a job: Ctrl-C, a request of the system, the end of the terminal, an error that nothing caught. */
export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'crash';

/** Everything outside the command line, so that a test can stand in for it. `Out`: how text is written. */
export interface World<Out extends Stream = Output> {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How this program was started: Node.js and its script. */
  readonly program: readonly string[];
  readonly stdout: Out;
  readonly stderr: Out;
  readonly isRoot: boolean;
  /** False where no configuration file is read. */
  readonly readsConfig?: boolean;
  /** `process`, or an emitter of a test. */
  readonly signals: {
    on(name: SignalName, listener: () => void): unknown;
    off(name: SignalName, listener: () => void): unknown;
  };
  /** Ends at once. */
  exit(code: number): void;
  /** Sends what went wrong to the parent process; absent without a channel. */
  notifyParent?(message: ProblemMessage): void;
  /** Opens a file with the program that the system has for it. */
  openFile(file: string): Promise<void>;
  readonly jobs: Jobs;
}

/** A function whose code is loaded when it is called, so that `--help` stays quick. Commands give it every argument. */
const lazy =
  <Args extends unknown[], Returned>(load: () => Promise<(...args: Args) => Returned>) =>
  async (...args: Required<Args>): Promise<Awaited<Returned>> =>
    await (await load())(...args);

/** The jobs behind the commands, and what shows their results on a terminal. */
export const JOBS = {
  audit: lazy(async () => (await import('../jobs/audit/audit.ts')).audit),
  compare: lazy(async () => (await import('../jobs/compare/compare-builds.ts')).compareBuilds),
  analyze: lazy(async () => (await import('../jobs/analyze/analyze.ts')).analyze),
  capacity: lazy(async () => (await import('../jobs/capacity/capacity.ts')).capacity),
  trend: lazy(async () => (await import('../jobs/trend/trend.ts')).trend),
  report: lazy(async () => (await import('../jobs/report/report.ts')).report),
  merge: lazy(async () => (await import('../jobs/merge/merge.ts')).merge),
  github: lazy(async () => (await import('../jobs/github/github.ts')).github),
  doctor: lazy(async () => {
    const { doctor } = await import('../jobs/doctor/doctor.ts');
    const { compareItself } = await import('../jobs/doctor/self-comparison.ts');
    return (settings: ResolvedDoctor, hooks: DoctorHooks) => doctor(settings, hooks, compareItself);
  }),
  installBrowser: lazy(async () => (await import('../jobs/browser/browser.ts')).installBrowser),
  init: lazy(async () => (await import('../jobs/init/init.ts')).init),
  renderTerminal: lazy(async () => {
    const { renderTerminal } = await import('../reporters/terminal/index.ts');
    const { renderComparedPages, renderComparison } = await import('../reporters/terminal/compare.ts');
    return (report: AuditReport | ComparePagesReport | CompareReport, options: TerminalOptions) => {
      if ('compared' in report) return renderComparedPages(report, options);
      return 'base' in report ? renderComparison(report, options) : renderTerminal(report, options);
    };
  }),
  renderCapacity: lazy(async () => (await import('../reporters/terminal/capacity.ts')).renderCapacity),
  renderTrend: lazy(async () => (await import('../reporters/terminal/trend.ts')).renderTrend),
  renderDoctor: lazy(async () => (await import('../reporters/terminal/doctor.ts')).renderDoctor),
};

/** The same, or what stands in for it in a test. */
export type Jobs = typeof JOBS;
