import { EventEmitter } from 'node:events';
import type { Output, Stream } from '../../src/cli/output.ts';
import type { Jobs, World } from '../../src/cli/world.ts';
import type { AnalyzeOutcome } from '../../src/jobs/analyze/analyze.ts';
import type { AuditOutcome } from '../../src/jobs/audit/audit.ts';
import type { CompareOutcome } from '../../src/jobs/compare/compare.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import { comparisonReport } from '../reporters/comparison.ts';

/** A world of the command line that keeps what was written. */
export interface FakeWorld extends World {
  readonly signals: EventEmitter;
  readonly written: { stdout: string; stderr: string; exits: number[]; opened: string[] };
}

export const RESULT: AuditResult = {
  version: 1,
  kind: 'audit',
  tool: { name: 'quiesce', version: '0.0.0' },
  browser: { product: 'Fake/1' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: {},
  targets: [],
};

/** What a job hands back, `over` changed. */
export function outcome(over: Partial<AuditOutcome> = {}): AuditOutcome {
  return {
    result: RESULT,
    report: { result: RESULT, columns: [], targets: [], files: [] },
    out: 'reports/fake',
    files: ['reports/fake/index.html', 'reports/fake/result.json'],
    exit: 0,
    problems: [],
    ...over,
  };
}

/** What an analysis hands back, `over` changed. */
export function analysis(over: Partial<AnalyzeOutcome> = {}): AnalyzeOutcome {
  const result: AuditResult = { ...RESULT, kind: 'analysis' };
  return { ...outcome({ result, report: { result, columns: [], targets: [], files: [] } }), warnings: [], ...over };
}

/** What a comparison hands back, `over` changed. */
export function comparison(over: Partial<CompareOutcome> = {}): CompareOutcome {
  const report = comparisonReport();
  const { report: _audit, result: _result, ...common } = outcome();
  return { ...common, result: report.result, report, ...over };
}

/** What a command writes, as it wrote it: `main` cleans it, which wraps this. */
const asWritten = (stream: Stream): Output => ({
  ...stream,
  line: (text) => stream.write(`${text}\n`),
  control: (sequence, text = '') => stream.write(sequence + text),
});

export function fakeWorld(
  over: Partial<Omit<World<Stream>, 'jobs' | 'signals'>> & { jobs?: Partial<Jobs> } = {},
): FakeWorld {
  const written = { stdout: '', stderr: '', exits: [] as number[], opened: [] as string[] };
  const {
    jobs,
    stdout = { write: (text: string) => (written.stdout += text) },
    stderr = { write: (text: string) => (written.stderr += text) },
    ...rest
  } = over;
  return {
    env: {},
    cwd: '/nowhere',
    program: ['quiesce'],
    isRoot: false,
    signals: new EventEmitter(),
    exit: (code: number) => written.exits.push(code),
    openFile: async (file: string) => void written.opened.push(file),
    ...rest,
    stdout: asWritten(stdout),
    stderr: asWritten(stderr),
    written,
    jobs: {
      audit: async () => outcome(),
      compare: async () => comparison(),
      analyze: async () => analysis(),
      renderTerminal: async (_report, { color, width }) => `TABLE color=${color} width=${width}\n`,
      doctor: async () => {
        throw new Error('nobody is ill');
      },
      capacity: async () => {
        throw new Error('no server');
      },
      renderCapacity: async () => 'CAPACITY\n',
      trend: async () => {
        throw new Error('nothing is stored');
      },
      renderTrend: async () => 'TREND\n',
      report: async () => ({ ...outcome(), warnings: [] }),
      merge: async () => ({ ...outcome(), warnings: [] }),
      github: async () => {
        throw new Error('nobody is on GitHub');
      },
      renderDoctor: async () => 'DOCTOR\n',
      init: async (folder) => ({ file: `${folder}/quiesce.config.yaml`, builds: [] }),
      installBrowser: async () => ({ path: '/cache/chrome', version: '1.2.3.4', already: false }),
      ...jobs,
    },
  };
}
