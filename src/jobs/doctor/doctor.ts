import { findBrowser } from '../../browser/install/find.ts';
import { openChromeLab } from '../../browser/lab.ts';
import type { DoctorFinding, DoctorResult, HostFacts, SelfComparison } from '../../model/host/doctor.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { ResolvedBrowser, ResolvedCompare, ResolvedDoctor } from '../../settings/resolved.ts';
import { readHostFacts } from '../../shell/host/facts.ts';
import { adviseOn, adviseOnBrowser, adviseOnSelfComparison } from '../../wording/host/advice.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import type { JobHooks } from '../engine/job.ts';
import { browserOf } from '../engine/labs.ts';
import { noted } from '../engine/progress-events.ts';
import { version } from '../engine/version.ts';

/** What a caller may hook into. */
export interface DoctorHooks extends JobHooks {
  /** Looks at the machine; the real one when absent. */
  readFacts?(signal: AbortSignal | undefined): Promise<HostFacts>;
}

/**
 * Compares a page with itself.
 *
 * Rejects with a `QuiesceError` when nothing could be measured.
 */
export type CompareWithItself = (settings: ResolvedCompare, hooks: JobHooks) => Promise<SelfComparison>;

/** What an examination leaves behind. */
export interface DoctorOutcome {
  readonly result: DoctorResult;
  readonly facts: HostFacts;
  readonly findings: readonly DoctorFinding[];
  /** The exit code of the command line: 0 fit · 4 unfit · 3 no browser, or nothing to compare. */
  readonly exit: number;
}

/**
 * Is this machine fit to measure? Looks at it for about two seconds, starts the browser once, and on request compares a
 * page with itself. What cannot be known is a finding, not an error.
 *
 * Rejects with `interrupted` when the signal aborts.
 */
export async function doctor(
  settings: ResolvedDoctor,
  hooks: DoctorHooks,
  compareWithItself: CompareWithItself,
): Promise<DoctorOutcome> {
  const startedAt = new Date();
  const { signal } = hooks;
  try {
    hooks.onProgress?.(noted({ code: 'watching-machine' }));
    // Before the browser is started: what that leaves behind is not the machine's.
    const facts = await (hooks.readFacts ?? ((stop) => readHostFacts({ signal: stop })))(signal);
    hooks.onProgress?.(noted({ code: 'starting-browser' }));
    const browser = await examineBrowser(settings.browser, hooks);
    signal?.throwIfAborted();
    const self =
      settings.self === undefined || browser.exit !== EXIT.ok
        ? undefined
        : await examineItself(settings.self, hooks, compareWithItself);
    signal?.throwIfAborted();
    const findings = [...browser.findings, ...adviseOn(facts, browser.result.elsewhere), ...(self?.findings ?? [])];
    const unfit = findings.some(({ level }) => level === 'problem');
    const exit = [browser.exit, self?.exit ?? EXIT.ok].find((each) => each !== EXIT.ok);
    return {
      result: {
        version: 1,
        kind: 'doctor',
        tool: { name: 'quiesce', version: version() },
        browser: browser.result,
        startedAt: startedAt.toISOString(),
        settings: settings.stored,
        verdict: unfit ? 'unfit' : 'fit',
        facts,
        findings,
        ...(self?.comparison && { selfComparison: self.comparison }),
      },
      facts,
      findings,
      exit: exit ?? (unfit ? EXIT.undecided : EXIT.ok),
    };
  } catch (error) {
    if (signal?.aborted === true) throw new QuiesceError('interrupted', { nothingMeasured: true }, { cause: error });
    throw error;
  }
}

interface BrowserExamination {
  readonly findings: readonly DoctorFinding[];
  readonly result: DoctorResult['browser'];
  readonly exit: number;
}

async function examineBrowser(settings: ResolvedBrowser, hooks: DoctorHooks): Promise<BrowserExamination> {
  let lab: Lab | undefined;
  try {
    lab = await (hooks.openLab ?? openChrome)(settings);
    return {
      findings: adviseOnBrowser(lab, settings.browserWs !== undefined),
      result: browserOf(lab),
      exit: EXIT.ok,
    };
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
    return {
      findings: [{ code: 'browser', level: 'problem', what: error.message }],
      result: { product: 'none' },
      exit: error.exit,
    };
  } finally {
    await lab?.close();
  }
}

async function openChrome(settings: ResolvedBrowser): Promise<Lab> {
  const found = settings.browserWs === undefined ? await findBrowser(settings.browser, settings.env) : undefined;
  return openChromeLab(settings, found?.path);
}

interface SelfExamination {
  readonly comparison?: SelfComparison;
  readonly findings: readonly DoctorFinding[];
  readonly exit: number;
}

async function examineItself(
  settings: ResolvedCompare,
  hooks: DoctorHooks,
  compareWithItself: CompareWithItself,
): Promise<SelfExamination> {
  try {
    const { signal, onProgress, openLab } = hooks;
    const comparison = await compareWithItself(settings, { signal, onProgress, openLab });
    return { comparison, findings: adviseOnSelfComparison(comparison), exit: EXIT.ok };
  } catch (error) {
    // What was found out about the machine is worth knowing all the same.
    if (!(error instanceof QuiesceError)) throw error;
    return {
      findings: [{ code: 'self-comparison', level: 'problem', what: error.message }],
      exit: error.exit,
    };
  }
}
