import { isCounted, isTimed } from '../core/counted-runs.ts';
import { withoutQueryAndHash } from '../core/requests/address-parts.ts';
import type { FailedRequest } from '../model/health.ts';
import type { Finding, RunResult, TargetResult } from '../model/result/result.ts';

/** Something because of which a page does not work, or did not load as a whole. */
export interface Fault {
  readonly finding: Finding;
  /** Of requests: those that it is about. */
  readonly failed: readonly FailedRequest[];
  /** The page does not work because of it. Otherwise it only loaded without something. */
  readonly isBroken: boolean;
  /** How many of the timed runs show it, of how many; none where only the untimed run does. */
  readonly runs: number;
  readonly of: number;
}

/** The findings that are about the page's own health; what other sites failed to send is not its fault. */
const OWN: ReadonlySet<string> = new Set([
  'stopped-answering',
  'blank-page',
  'login-page',
  'error-page',
  'error-shown',
  'script-error',
  'blocked-by-policy',
  'broken-request',
]);

/**
 * What is wrong with a page, what breaks it first: from the runs that count and the one that filmed it. Of a request that
 * failed, the filmed run knows best whether the page copes with that.
 */
export function faultsOf({ runs }: Pick<TargetResult, 'runs'>): readonly Fault[] {
  const counted = runs.filter(isCounted);
  const filmed = runs.filter(({ role, ok }) => role === 'evidence' && ok);
  const coped = copedWith(filmed);
  const faults = new Map<string, Fault>();
  for (const run of [...counted, ...filmed]) {
    const seen = new Set<string>();
    for (const finding of (run.findings ?? []).filter(({ code }) => OWN.has(code))) {
      const fault = faultOf(finding, coped);
      const key = keyOf(finding);
      if (fault === undefined || seen.has(key)) continue;
      seen.add(key);
      const known = faults.get(key);
      const runsWithIt = (known?.runs ?? 0) + (isTimed(run) ? 1 : 0);
      faults.set(key, {
        ...(known ?? fault),
        isBroken: fault.isBroken || known?.isBroken === true,
        runs: runsWithIt,
        of: counted.length,
      });
    }
  }
  return [...faults.values()].toSorted((a, b) => Number(b.isBroken) - Number(a.isBroken));
}

/** Does the page not work, in at least one of the runs that were looked at? */
export function isBroken(target: Pick<TargetResult, 'runs'>): boolean {
  return faultsOf(target).some((fault) => fault.isBroken);
}

/** Was what came an error instead of the page, in every run? After an untimed run that got one, no other is tried. */
export function isErrorDocument({ runs }: Pick<TargetResult, 'runs'>): boolean {
  return runs.length > 0 && runs.every(({ failure }) => failure?.code === 'http-error');
}

/** Two runs differ in figures and in where a script was: what went wrong stays the same. */
const keyOf = ({ code, urls }: Finding): string =>
  code === 'broken-request' || code.startsWith('error-') ? code : JSON.stringify([code, urls]);

/** Addresses of failed requests that the page copes with, as the filmed run shows. */
function copedWith(filmed: readonly RunResult[]): ReadonlySet<string> {
  const failed = filmed.flatMap(({ findings = [] }) => findings.flatMap(failedOf));
  return new Set(failed.filter(({ isNeeded }) => !isNeeded).map(({ url }) => withoutQueryAndHash(url)));
}

function faultOf(finding: Finding, coped: ReadonlySet<string>): Fault | undefined {
  const failed = failedOf(finding).map((each) => ({
    ...each,
    isNeeded: each.isNeeded && !coped.has(withoutQueryAndHash(each.url)),
  }));
  const { facts } = finding;
  // Earlier versions did not say what failed, and in which way.
  if (facts === undefined || !('isBroken' in facts)) return undefined;
  const broken = failed.length > 0 ? failed.some(({ isNeeded }) => isNeeded) : facts.isBroken === true;
  return { finding, failed, isBroken: broken, runs: 0, of: 0 };
}

const failedOf = ({ code, facts }: Finding): readonly FailedRequest[] =>
  code === 'broken-request' && facts !== undefined && 'failed' in facts ? (facts.failed ?? []) : [];

/** An address without what differs from load to load. */
