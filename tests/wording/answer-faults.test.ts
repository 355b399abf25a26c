import { expect, it } from 'vitest';
import type { GithubFault, PullFault, ServerFault } from '../../src/model/answer-fault.ts';
import { githubFaultInWords, pullFaultInWords, serverFaultInWords } from '../../src/wording/answer-faults.ts';

it.each<[GithubFault, string]>([
  [{ code: 'no-api-url' }, 'GITHUB_API_URL is not an http:// or https:// address'],
  [{ code: 'other-origin' }, 'it leads to another address'],
  [{ code: 'limited' }, 'too many requests'],
  [{ code: 'late' }, 'no answer in time'],
  [{ code: 'broken' }, 'the connection broke'],
  [{ code: 'list-unreadable' }, 'its list of comments cannot be read'],
  [{ code: 'answer-unreadable' }, 'its answer cannot be read'],
  [{ code: 'too-long' }, 'its answer is too long'],
  [{ code: 'not-shown' }, 'it does not show what was written'],
  [{ code: 'lost', error: 'ECONNRESET' }, 'ECONNRESET'],
  [{ code: 'status', status: 500, message: '' }, 'HTTP 500'],
  [{ code: 'status', status: 401, message: 'Bad credentials' }, 'HTTP 401, Bad credentials'],
])('GitHub: %j', (fault, text) => {
  expect(githubFaultInWords(fault)).toBe(text);
});

it.each<[PullFault, string]>([
  [{ code: 'other-event', event: 'push' }, 'the event "push" is not that of a pull request'],
  [{ code: 'branch-gone' }, 'the branch that was measured is gone'],
  [{ code: 'no-such-head' }, 'no open pull request has the commit that was measured as its head'],
])('a pull request: %j', (fault, text) => {
  expect(pullFaultInWords(fault)).toBe(text);
});

it.each<[ServerFault, string]>([
  [{ code: 'refused' }, 'nothing listens there'],
  [{ code: 'slow' }, 'it is slow to answer'],
  [{ code: 'status', status: 503 }, 'HTTP 503'],
  [{ code: 'failed', error: 'ECONNRESET' }, 'ECONNRESET'],
])('a server: %j', (fault, text) => {
  expect(serverFaultInWords(fault)).toBe(text);
});
