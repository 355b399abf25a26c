import { expect, it } from 'vitest';
import type { RequestReason } from '../../src/model/request-reason.ts';
import { requestReasonInWords } from '../../src/wording/request-reasons.ts';

const PAGE = 'https://shop.example/';
const page = { url: PAGE, isPage: true };
const script = { url: `${PAGE}assets/app.js?v=2`, isPage: false };
const list = { url: `${PAGE}api/list?q=1`, isPage: false };

const REASONS: {
  readonly [C in RequestReason['code']]: readonly [Extract<RequestReason, { readonly code: C }>, string];
} = {
  navigation: [{ code: 'navigation' }, 'the start of the navigation'],
  'preflight-answered': [{ code: 'preflight-answered' }, 'sent after its preflight'],
  redirected: [{ code: 'redirected' }, 'redirected'],
  replaced: [{ code: 'replaced', by: { url: `${PAGE}start`, isPage: false } }, 'replaced /start'],
  parser: [{ code: 'parser', by: page, line: 7 }, 'found by the parser in the page, line 7'],
  preload: [{ code: 'preload', by: page, line: 4 }, 'preloaded by the page, line 4'],
  file: [{ code: 'file', by: script, line: 12 }, 'requested by app.js:12'],
  'inline-script': [{ code: 'inline-script', by: page, line: 4 }, 'requested by a script in the page, line 4'],
  after: [{ code: 'after', by: list }, 'requested after /api/list finished'],
};

it.each(Object.entries(REASONS))('%s', (_, [reason, text]) => {
  expect(requestReasonInWords(reason, PAGE)).toBe(text);
});

it('says what had to come or fail first, and that it is a preflight', () => {
  const [file] = REASONS.file;
  const came = { ...list, failed: false };
  expect(requestReasonInWords({ ...file, awaited: came }, PAGE)).toBe(
    'requested by app.js:12 after /api/list finished',
  );
  expect(requestReasonInWords({ ...file, awaited: { ...came, failed: true } }, PAGE)).toBe(
    'requested by app.js:12 after /api/list failed',
  );
  expect(requestReasonInWords({ ...file, preflight: true }, PAGE)).toBe(
    'a preflight, which asks the server for permission (CORS); requested by app.js:12',
  );
});

it('leaves out what is not known', () => {
  expect(requestReasonInWords({ code: 'parser' }, PAGE)).toBe('found by the parser');
  expect(requestReasonInWords({ code: 'file', by: script }, PAGE)).toBe('requested by app.js');
});
