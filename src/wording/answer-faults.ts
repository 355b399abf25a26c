import type { GithubFault, PullFault, ServerFault } from '../model/answer-fault.ts';

/** What is wrong with GitHub, a clause. */
export function githubFaultInWords(fault: GithubFault): string {
  switch (fault.code) {
    case 'no-api-url':
      return 'GITHUB_API_URL is not an http:// or https:// address';
    case 'other-origin':
      return 'it leads to another address';
    case 'limited':
      return 'too many requests';
    case 'late':
      return 'no answer in time';
    case 'broken':
      return 'the connection broke';
    case 'list-unreadable':
      return 'its list of comments cannot be read';
    case 'answer-unreadable':
      return 'its answer cannot be read';
    case 'too-long':
      return 'its answer is too long';
    case 'not-shown':
      return 'it does not show what was written';
    case 'lost':
      return fault.error;
    case 'status':
      return `HTTP ${fault.status}${fault.message === '' ? '' : `, ${fault.message}`}`;
  }
}

/** Why there is no pull request, a clause. */
export function pullFaultInWords(fault: PullFault): string {
  switch (fault.code) {
    case 'other-event':
      return `the event "${fault.event}" is not that of a pull request`;
    case 'branch-gone':
      return 'the branch that was measured is gone';
    case 'no-such-head':
      return 'no open pull request has the commit that was measured as its head';
  }
}

/** Why a server is not ready, a clause. */
export function serverFaultInWords(fault: ServerFault): string {
  switch (fault.code) {
    case 'refused':
      return 'nothing listens there';
    case 'slow':
      return 'it is slow to answer';
    case 'status':
      return `HTTP ${fault.status}`;
    case 'failed':
      return fault.error;
  }
}
