import { expect, it } from 'vitest';
import {
  type Details,
  exitFor,
  MESSAGE_CODES,
  type MessageCode,
  messageFor,
} from '../../../src/wording/messages/messages.ts';
import { loadFailure } from '../../../src/wording/result/failure.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const url = 'https://e.test/';
/** Whatever a row may speak of. */
const ALL: Details = {
  url,
  detail: '<detail>',
  path: '<path>',
  option: '--<option>',
  step: '<step>',
  suggestion: '<suggestion>',
  timeout: 60_000,
  status: 404,
  line: 3,
  column: 7,
  cause: 'unknown',
  shortage: { isReached: true },
  loads: 6,
  pid: 4711,
  pull: 12,
  part: '<part>',
  hasFiles: true,
  nothingMeasured: true,
  buildFailure: { how: 'exit code 1', freshCheckout: true },
};

/** What else rows say, where something is not known or is something in particular. */
const OTHERWISE: Partial<Record<MessageCode, readonly { readonly [K in keyof Details]: Details[K] | undefined }[]>> = {
  'http-error': [{ status: undefined }, { status: 401 }, { status: 503 }],
  'navigation-failed': [{ detail: 'net::ERR_UNSAFE_PORT' }],
  'no-answer': [{ timeout: 1_540 }],
  'script-failed': [{ url: undefined }],
  'browser-start-failed': (['library-missing', 'sandbox', 'open-files', 'temporary-folder'] as const).map((cause) => ({
    cause,
  })),
  'browser-died': [{ shortage: undefined }, { shortage: { isReached: false, limit: 100 } }],
  'never-complete': [{ step: undefined }],
  'git-no-work-tree': [{ detail: 'detected dubious ownership' }],
  'build-command-failed': [{ buildFailure: { how: 'SIGKILL', freshCheckout: false } }],
  'metric-unknown': [{ option: undefined }],
  'gate-without-step': [{ suggestion: undefined }],
  'resume-broken': [{ detail: undefined }],
  'build-never-complete': [{ timeout: undefined }],
  'capacity-http2': [{ url: 'http://e.test/' }],
  'result-broken': [{ detail: undefined }],
  'write-failed': [{ hasFiles: undefined }],
  interrupted: [{ nothingMeasured: undefined, path: undefined }],
  'target-not-url': [{ suggestion: undefined }],
  'option-unknown': [{ suggestion: undefined }],
  'option-misplaced': [{ suggestion: undefined }],
  'completion-unknown': [{ detail: '' }],
  'command-unknown': [{ suggestion: undefined }],
};

const say = messageFor as (code: MessageCode, details: Details) => string;

it('everything that can go wrong has one line, and its exit code', async () => {
  const all = MESSAGE_CODES.map((code) => [
    `${code} (exit ${exitFor(code)})`,
    [{}, ...(OTHERWISE[code] ?? [])].map((details) => say(code, { ...ALL, ...details } as Details)),
  ]);
  await expectApproved('wording/messages', outlined(Object.fromEntries(all)));
});

it('what a page or a server says of itself stays on its line', () => {
  expect(messageFor('config-invalid', { path: 'a', detail: 'b\n\u001b[31mc' })).toBe('a: b [31mc.');
});

it('says what came instead of a page', async () => {
  const came = [
    { code: 'redirect-loop', url, replaced: 20 },
    { code: 'not-a-page', url, isDownload: true },
    { code: 'truncated', url, status: 200 },
    { code: 'connection-failed', url },
  ] as const;
  await expectApproved(
    'wording/load-failures',
    outlined(Object.fromEntries(came.map((fault) => [JSON.stringify(fault), loadFailure(fault).message]))),
  );
});
