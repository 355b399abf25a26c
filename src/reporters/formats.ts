import type { CapacityResult } from '../model/capacity.ts';
import type { AuditReport, ComparePagesReport, CompareReport, WholeTarget } from '../model/result/report.ts';
import type { Settings } from '../model/result/result.ts';
import type { TrendResult } from '../model/trend.ts';

/** How the results of jobs are written down in one format. */
export interface Writers {
  /**
   * Audits and analyses, in pieces, target by target: of a thousand pages a report holds what tables show, and memory one
   * page.
   *
   * @param whole gives a target of the report with all its runs; their waterfalls and pictures it need not have
   */
  audit(report: AuditReport, whole: WholeTarget): Iterable<string>;
  compare(report: CompareReport): string;
  /** Comparisons of several pages. */
  comparePages(report: ComparePagesReport): string;
}

/** A format that is one file for the whole job. */
interface Format<Code> {
  /** Name of the file in the results folder. */
  readonly file: string;
  /** What it is good for. */
  readonly describe: string;
  /** Its code, which is read when it is needed. */
  load(): Promise<Code>;
}

/**
 * Every format in which a result can be written. Settings, help and the downloads of the report follow from this list: a
 * new one is a file and a row.
 */
const FORMATS = {
  html: {
    file: 'index.html',
    describe: 'one self-contained page with the verdict, the metrics and the waterfall',
    async load() {
      const [{ renderHtml }, { renderComparisonHtml }, { renderComparedPagesHtml }] = await Promise.all([
        import('./html/index.tsx'),
        import('./html/compare/compare.tsx'),
        import('./html/compare/compared-pages.tsx'),
      ]);
      return {
        audit: (report) => [renderHtml(report)],
        compare: renderComparisonHtml,
        comparePages: renderComparedPagesHtml,
      };
    },
  },
  json: {
    file: 'result.json',
    describe: 'everything that was measured, for scripts',
    async load() {
      const { renderAuditJson, renderComparisonJson } = await import('./json.ts');
      return { audit: renderAuditJson, compare: renderComparisonJson, comparePages: renderComparisonJson };
    },
  },
  junit: {
    file: 'junit.xml',
    describe: 'what a CI system shows as test results',
    async load() {
      const { renderAuditJunit, renderComparisonJunit, renderComparedPagesJunit } = await import('./junit.ts');
      return {
        audit: (report, whole) => [renderAuditJunit(report, whole)],
        compare: renderComparisonJunit,
        comparePages: renderComparedPagesJunit,
      };
    },
  },
  md: {
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    async load() {
      const [{ renderAuditMarkdown }, { renderComparisonMarkdown, renderComparedPagesMarkdown }] = await Promise.all([
        import('./markdown/audit.ts'),
        import('./markdown/compare.ts'),
      ]);
      return {
        audit: (report, whole) => [renderAuditMarkdown(report, whole)],
        compare: renderComparisonMarkdown,
        comparePages: renderComparedPagesMarkdown,
      };
    },
  },
  csv: {
    file: 'result.csv',
    describe: 'every run with its metrics as a row of a table',
    async load() {
      const { renderAuditCsv, renderComparisonCsv, renderComparedPagesCsv } = await import('./csv.ts');
      return { audit: renderAuditCsv, compare: renderComparisonCsv, comparePages: renderComparedPagesCsv };
    },
  },
} as const satisfies Readonly<Record<string, Format<Writers>>>;

/** No reporter's: one is written for each run, from its recording. */
export const HAR = { format: 'har', file: 'run-<i>.har', describe: 'every request of a run' } as const;

/** The formats in which a trend can be written. */
const TREND_FORMATS = {
  html: {
    file: 'index.html',
    describe: 'one self-contained page with the curves and their changes',
    load: async () => (await import('./html/trend/trend.tsx')).renderTrendHtml,
  },
  json: {
    file: 'trend.json',
    describe: 'every figure, and what was left out, for scripts',
    load: async () => (result) => `${JSON.stringify(result, null, 2)}\n`,
  },
  md: {
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    load: async () => (await import('./markdown/trend.ts')).renderTrendMarkdown,
  },
  csv: {
    file: 'trend.csv',
    describe: 'every figure of every result as a row of a table',
    load: async () => (await import('./trend-csv.ts')).renderTrendCsv,
  },
} as const satisfies Readonly<Record<string, Format<(result: TrendResult) => string>>>;

/** The formats in which the capacity of a server can be written. */
const CAPACITY_FORMATS = {
  html: {
    file: 'index.html',
    describe: 'one self-contained page with the curves and the limit',
    load: async () => (await import('./html/capacity/capacity.tsx')).renderCapacityHtml,
  },
  json: {
    file: 'result.json',
    describe: 'everything that was measured, for scripts',
    load: async () => (result) => `${JSON.stringify(result, null, 2)}\n`,
  },
  md: {
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    load: async () => (await import('./markdown/capacity.ts')).renderCapacityMarkdown,
  },
  csv: {
    file: 'result.csv',
    describe: 'every level as a row of a table',
    load: async () => (await import('./capacity-csv.ts')).renderCapacityCsv,
  },
} as const satisfies Readonly<Record<string, Format<(result: CapacityResult) => string>>>;

/** The formats that are one file for the whole job. */
export type FileFormat = keyof typeof FORMATS;
/** What audits and comparisons can write. */
export type ReportFormat = FileFormat | typeof HAR.format;
export type TrendFormat = keyof typeof TREND_FORMATS;
export type CapacityFormat = keyof typeof CAPACITY_FORMATS;

/** The formats that are one file for the whole job, in the order in which they are written. */
export const fileFormats = rows<FileFormat, Format<Writers>>(FORMATS);
/** The files that are written with an HTML report of these settings. */
export function otherFilesOf({ format: given }: Settings): AuditReport['files'] {
  const formats: readonly unknown[] = Array.isArray(given) ? given : ['json'];
  return fileFormats
    .filter(({ format }) => format !== 'html' && formats.includes(format))
    .map(({ file, describe }) => ({ file, describe }));
}
/** What audits and comparisons can write: HARs as well. */
export const reportFormats = [...fileFormats, HAR];
export const trendFormats = rows<TrendFormat, Format<(result: TrendResult) => string>>(TREND_FORMATS);

export const capacityFormats = rows<CapacityFormat, Format<(result: CapacityResult) => string>>(CAPACITY_FORMATS);

function rows<Name extends string, Row>(formats: Readonly<Record<Name, Row>>) {
  return (Object.entries(formats) as [Name, Row][]).map(([format, row]) => ({ format, ...row }));
}
