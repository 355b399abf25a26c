import { adviseOn, adviseOnSelfComparison } from '../core/host/advice.ts';
import { EXIT, UsageError } from '../core/messages.ts';
import type { DoctorFinding, DoctorResult, DoctorSettings, HostFacts, SelfComparison } from '../model/doctor.ts';
import type { Lab } from '../model/lab.ts';
import type { Progress } from '../model/progress.ts';
import { findBrowser } from '../shell/browser/find.ts';
import { openChromeLab } from '../shell/chrome/lab.ts';
import { readHostFacts } from '../shell/host/facts.ts';
import { browserOf } from './job.ts';
import { withoutSecrets } from './load-options.ts';
import { version } from './version.ts';

export type { DoctorSettings } from '../model/doctor.ts';

/** What a caller may hook into. */
export interface DoctorHooks {
  /** Ends the examination; nothing is kept. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
  /** Opens the place where pages are loaded; Chrome when absent. */
  openLab?(settings: DoctorSettings): Promise<Lab>;
  /** Looks at the machine; the real one when absent. */
  readFacts?(signal: AbortSignal | undefined): Promise<HostFacts>;
}

/**
 * Compares a page with itself.
 *
 * Rejects with a `UsageError` when nothing could be measured.
 */
export type CompareWithItself = (url: string, settings: DoctorSettings, hooks: DoctorHooks) => Promise<SelfComparison>;

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
  settings: DoctorSettings,
  hooks: DoctorHooks,
  compareWithItself: CompareWithItself,
): Promise<DoctorOutcome> {
  const startedAt = new Date();
  const { signal } = hooks;
  const tell = (message: string): void => hooks.onProgress?.({ kind: 'comparison-note', message });
  try {
    tell('Looking at the machine for two seconds.');
    // Before the browser is started: what that leaves behind is not the machine's.
    const facts = await (hooks.readFacts ?? ((stop) => readHostFacts({ ...(stop && { signal: stop }) })))(signal);
    tell('Starting the browser.');
    const browser = await examineBrowser(settings, hooks);
    signal?.throwIfAborted();
    const self =
      settings.aa === undefined || browser.exit !== EXIT.ok
        ? undefined
        : await examineItself(settings.aa, settings, hooks, compareWithItself);
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
        settings: withoutSecrets(settings),
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
    if (signal?.aborted === true)
      throw new UsageError('interrupted', { detail: 'Nothing was found out' }, { cause: error });
    throw error;
  }
}

interface BrowserExamination {
  readonly findings: readonly DoctorFinding[];
  readonly result: DoctorResult['browser'];
  readonly exit: number;
}

async function examineBrowser(settings: DoctorSettings, hooks: DoctorHooks): Promise<BrowserExamination> {
  let lab: Lab | undefined;
  try {
    lab = await (hooks.openLab ?? openChrome)(settings);
    const { product, sandbox, path, notes = [] } = lab;
    const where = path === undefined ? '' : ` (${path})`;
    const how = settings.browserWs === undefined ? 'starts' : 'answers';
    const inside = sandbox === undefined ? '' : `, with its sandbox ${sandbox ? 'on' : 'off'}`;
    return {
      findings: [
        { code: 'browser', level: 'ok', what: `${product}${where} ${how}${inside}.` },
        ...notes.map((what): DoctorFinding => ({ code: 'browser', level: 'warning', what })),
      ],
      result: browserOf(lab),
      exit: EXIT.ok,
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      findings: [{ code: 'browser', level: 'problem', what: error.message }],
      result: { product: 'none' },
      exit: error.exit,
    };
  } finally {
    await lab?.close();
  }
}

async function openChrome(settings: DoctorSettings): Promise<Lab> {
  const found = settings.browserWs === undefined ? await findBrowser(settings.browser, process.env) : undefined;
  return openChromeLab(settings, found?.path);
}

interface SelfExamination {
  readonly comparison?: SelfComparison;
  readonly findings: readonly DoctorFinding[];
  readonly exit: number;
}

async function examineItself(
  url: string,
  settings: DoctorSettings,
  hooks: DoctorHooks,
  compareWithItself: CompareWithItself,
): Promise<SelfExamination> {
  try {
    const comparison = await compareWithItself(url, settings, hooks);
    return { comparison, findings: adviseOnSelfComparison(comparison), exit: EXIT.ok };
  } catch (error) {
    // What was found out about the machine is worth telling all the same.
    if (!(error instanceof UsageError)) throw error;
    return {
      findings: [{ code: 'self-comparison', level: 'problem', what: error.message }],
      exit: error.exit,
    };
  }
}
