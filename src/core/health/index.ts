import type { Visit } from '../../model/network/visit.ts';
import type { Check, CheckedFact } from './check.ts';
import { failedRequests } from './failed-requests.ts';
import { loginPage } from './login-page.ts';
import { policyViolations } from './policy-violations.ts';
import { scriptErrors } from './script-errors.ts';
import { shownErrors } from './shown.ts';

/** Everything by which a page shows that it does not work; what a reader sees stands first. */
const CHECKS: readonly Check[] = [shownErrors, loginPage, scriptErrors, policyViolations, failedRequests];

/** What went wrong in the page itself. */
export function healthOf(visit: Visit): readonly CheckedFact[] {
  return CHECKS.flatMap((check) => check(visit));
}
