import type { Protocol } from 'puppeteer-core';
import { cutTo } from '../../core/text/cut-to.ts';
import { defined } from '../../core/text/defined.ts';
import type { PolicyViolation, ScriptError } from '../../model/health.ts';
import type { Ms } from '../../model/units.ts';
import type { BeforeStart } from './targets.ts';

/** Longer messages are cut. */
const MAX_MESSAGE_LENGTH = 300;

/** Has the browser report errors that no script catches. */
export const reportErrors: BeforeStart = (session, kind) => {
  if (kind === 'page') session.send('Runtime.enable').catch(() => undefined);
};

/** Has the browser report what the page's own policy refuses. That makes the page slower: not for timed runs. */
export const reportViolations: BeforeStart = (session, kind) => {
  // An old browser may not know it.
  if (kind === 'page') session.send('Audits.enable').catch(() => undefined);
};

/** An uncaught error as a recording holds it. */
export function scriptErrorOf(
  { exception, text, url, lineNumber, stackTrace }: Protocol.Runtime.ExceptionDetails,
  at: Ms,
): ScriptError {
  // What was thrown need not be an error: of a value there is only its text.
  const thrown = exception?.description ?? (exception?.value === undefined ? undefined : String(exception.value));
  const [frame] = stackTrace?.callFrames ?? [];
  const [firstLine = ''] = (thrown ?? text).trim().split('\n');
  const script = [url, frame?.url].find((each) => each !== undefined && each !== '');
  const line = script === undefined ? undefined : script === url ? lineNumber : frame?.lineNumber;
  return {
    at,
    message: cutTo(firstLine, MAX_MESSAGE_LENGTH),
    ...defined({ url: script, line: line === undefined ? undefined : line + 1 }),
  };
}

/** What was refused within the document; requests that were refused fail, and are known from that. */
export function violationOf({ details }: Protocol.Audits.InspectorIssue): PolicyViolation | undefined {
  const issue = details.contentSecurityPolicyIssueDetails;
  if (!issue || issue.isReportOnly || issue.contentSecurityPolicyViolationType !== 'kInlineViolation') return undefined;
  return { directive: issue.violatedDirective };
}
