import { it } from 'vitest';
import type { RequestReason } from '../../../src/model/background/request-reason.ts';
import { requestReasonInWords } from '../../../src/wording/background/request-reasons.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const PAGE = 'https://shop.example/';
const page = { url: PAGE, isPage: true };
const script = { url: `${PAGE}assets/app.js?v=2`, isPage: false };
const list = { url: `${PAGE}api/list?q=1`, isPage: false };

const REASONS: Samples<RequestReason> = {
  navigation: [{}],
  'preflight-answered': [{}],
  redirected: [{}],
  replaced: [{ by: { url: `${PAGE}start`, isPage: false } }],
  parser: [{ by: page, line: 7 }, {}],
  preload: [{ by: page, line: 4 }],
  file: [
    { by: script, line: 12 },
    { by: script },
    { by: script, line: 12, awaited: { ...list, failed: false } },
    { by: script, line: 12, awaited: { ...list, failed: true } },
    { by: script, line: 12, preflight: true },
  ],
  script: [{ awaited: { ...list, failed: false } }, { timer: true }],
  'inline-script': [
    { by: page, line: 4 },
    { by: page, line: 4, timer: true, awaited: { ...list, failed: false, message: true } },
  ],
  after: [{ by: list }, { by: list, since: 21 }, { by: { ...list, failed: true }, since: 21 }],
};

it('every reason of a request has its words', () =>
  expectApproved(
    'wording/request-reasons',
    outlined(wordsOf(REASONS, (reason) => requestReasonInWords(reason, PAGE))),
  ));
