import { lighthouseReport } from '../../browser/lighthouse.ts';
import type { Redactor } from '../../core/har/redact.ts';
import { isRetryable } from '../../core/lighthouse/retryable.ts';
import { lighthouseVersion, middleRun, readLighthouse, summarizeLighthouse } from '../../core/lighthouse/summary.ts';
import { lighthouseWait } from '../../core/lighthouse/wait.ts';
import type { LighthouseResult, LighthouseRun } from '../../model/lighthouse/lighthouse.ts';
import type { LighthouseRequest } from '../../model/lighthouse/request.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Failure } from '../../model/result/failure.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { isDevelopment } from '../../result/findings.ts';
import type { LoadOptions } from '../../settings/resolved.ts';
import { lighthouseRunInWords, secondAttemptInWords } from '../../wording/lighthouse/run.ts';
import { lighthouseWaitSentence } from '../../wording/lighthouse/wait.ts';
import { failure } from '../../wording/result/failure.ts';
import type { OpenScript } from './script.ts';

/** What Lighthouse needs of the page that it is run on. */
export interface LighthouseOptions {
  /** The page as it was measured. */
  readonly target: TargetResult;
  readonly options: LoadOptions;
  readonly script?: OpenScript;
  readonly build?: 'base' | 'candidate';
  /** URL patterns of what the ablation run held; none when there was no such run. */
  readonly held: readonly string[];
  /** Prefix of file names. */
  readonly prefix: string;
  readonly redact: Redactor;
  readonly signal: AbortSignal;
  lab(): Promise<Lab>;
  write(name: string, content: string): Promise<unknown>;
}

/** Lighthouse on one page, run by run. */
export interface LighthouseSeries {
  /** Runs it once more; undefined when the user ended it. A run that fails is a run, too. */
  run(): Promise<LighthouseRun | undefined>;
  /** Writes its own report of the run in the middle, and gives what all say; undefined when there was none. */
  conclude(): Promise<LighthouseResult | undefined>;
}

/** How long Lighthouse is to wait is set once, by what is known of the page when the series begins. */
export function lighthouseSeries(given: LighthouseOptions): LighthouseSeries {
  const { target, options, script, build, held, prefix, redact, signal } = given;
  const wait = lighthouseWait(target, held);
  const waited = { ...wait, sentence: lighthouseWaitSentence(wait) };
  const runs: LighthouseRun[] = [];
  const results = new Map<number, object>();
  const request = (index: number): LighthouseRequest => ({
    url: target.url,
    ...options,
    ...(script && {
      script: script.forLoad({ url: target.url, run: index, role: 'discarded', build }, false),
    }),
    block: waited.strategy === 'blocked' ? held : [],
    firstVisit: FIRST_VISIT_MS,
    cap: waited.cap,
  });
  return {
    async run() {
      const index = runs.length + 1;
      const first = await attempt(index);
      const again = first && isRetryable(first) ? await attempt(index) : undefined;
      const run = first && again ? secondAttemptInWords(first, again) : first;
      if (run) runs.push(run);
      return run;
    },
    async conclude() {
      if (runs.length === 0) return undefined;
      return summarizeLighthouse(runs, {
        waited,
        ...(await stored(middleRun(runs))),
        ...pageCompleteOf(target),
      });
    },
  };

  /** One run of Lighthouse; undefined when the user ended it. */
  async function attempt(index: number): Promise<LighthouseRun | undefined> {
    const asked = request(index);
    try {
      const { lighthouse } = await given.lab();
      if (!lighthouse)
        return failedRun(index, failure('lighthouse-failed', { url: asked.url, detail: 'it needs Chrome' }));
      const outcome = await lighthouse(asked, signal);
      if (!outcome.ok) return failedRun(index, outcome.failure);
      const lhr = withoutPrivate(outcome.lhr, redact);
      const run = lighthouseRunInWords(
        readLighthouse(lhr, {
          ...asked,
          index,
          wallTime: outcome.wallTime,
          isDevelopment: isDevelopment(target),
        }),
      );
      if (run.ok && typeof lhr === 'object' && lhr !== null) results.set(index, lhr);
      return run;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async function stored(run: LighthouseRun | undefined): Promise<{ version?: string; report?: string }> {
    const lhr = run && results.get(run.index);
    if (lhr === undefined) return {};
    const report = `${prefix}lighthouse.html`;
    await given.write(report, await lighthouseReport(lhr));
    const version = lighthouseVersion(lhr);
    return { report, version };
  }
}

function failedRun(index: number, why: Failure): LighthouseRun {
  return { index, ok: false, failure: why, categories: {}, metrics: {}, opportunities: [], warnings: [] };
}

/** Long enough for what a page fetches for its caches, and no page keeps Lighthouse from its work. */
const FIRST_VISIT_MS = 10_000;

function pageCompleteOf({ summary }: TargetResult): Pick<LighthouseResult, 'pageComplete'> {
  const median = summary.pageComplete?.median;
  return median === undefined ? {} : { pageComplete: median };
}

/** Every text redacted; pictures, which are most of it, hold none. */
function withoutPrivate(value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return value.startsWith('data:image/') ? value : redact.text(value);
  if (Array.isArray(value)) return value.map((each) => withoutPrivate(each, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutPrivate(each, redact)]));
}
