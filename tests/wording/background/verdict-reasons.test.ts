import { it } from 'vitest';
import type { VerdictReason } from '../../../src/model/background/reason.ts';
import { overrulingInWords, verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const from = { timer: 'setInterval', file: 'app.js', line: 41 };
const film = { times: 9, movingParts: false };

const REASONS: Samples<VerdictReason> = {
  'asked-repeatedly': [
    { times: 11, period: 1_000, deviation: 12, from, size: { bytes: 38, same: true } },
    { times: 3, period: 500, deviation: 0, size: { bytes: 40, same: false } },
    { times: 6, period: 4_000, deviation: 3_000 },
  ],
  'answer-held-back': [{ times: 3, held: 1_600, from: { file: '', line: 7 } }],
  'replaces-itself': [{ pieces: 1 }],
  'endless-answer': [{ open: 2_400, pieces: 4, every: 500 }],
  'silent-answer': [
    { open: 9_000, silence: 6_000, bytes: 1_500 },
    { open: 9_000, silence: 9_000 },
  ],
  'keeps-failing': [{ times: 3, within: 5_000, status: 503, period: 2_000 }],
  ping: [{}],
  'csp-report': [{}],
  keepalive: [{}, { from: { file: `${'a'.repeat(50)}-${'b'.repeat(50)}.js`, line: 1 } }],
  'no-content': [{ status: 204 }],
  'own-cache': [{ what: 'cache' }],
  'tracking-pixel': [{ bytes: 43, from: { timer: 'setTimeout' } }],
  'read-event-stream': [{ type: 'fetch', pieces: 2 }],
  'event-source': [{ messages: 3, state: 'came-back' }],
  'web-socket': [{ messages: 1 }],
  'web-transport': [{}],
  'fetched-ahead': [{}],
  played: [{}],
  'played-by-script': [{ mimeType: '' }],
  'browser-own': [{ what: 'icon' }, { what: 'manifest' }],
  hung: [
    { answered: false, silence: 20_000 },
    { answered: true, silence: 20_000 },
  ],
  'in-repeated-frame': [{}],
  preflight: [{}],
  redirect: [{}],
  named: [{ pattern: '/chat' }],
  supposed: [{}],
  'nothing-came': [{}],
  'not-filmed': [{}],
  'no-change': [
    { times: 17, unclear: 2, movingParts: true },
    { times: 1, unclear: 0, movingParts: false },
  ],
  'too-late': [{ times: 1 }],
  'before-film': [{ times: 2 }],
  'with-others': [{ times: 9 }],
  'too-dense': [{ times: 9 }],
  'maybe-chance': [{ times: 9, changed: 2 }],
  'keeps-changing': [{ changed: 8, late: 6, ...film }],
  'changed-at-first': [
    { upTo: 1, after: 8, ...film },
    { upTo: 3, after: 0, ...film },
  ],
  'same-without-it': [{}],
  'different-without-it': [{}],
  'held-back': [{}],
  done: [{}],
  'read-from-cache': [{}],
  ended: [{}],
  'content-in-runs': [{ runs: 1, of: 2 }],
  'in-runs': [{ reason: { code: 'ping' }, runs: 2, of: 4 }],
  'in-build': [{ reason: { code: 'ping' }, build: 'candidate' }],
  'in-evidence-run': [{ reason: { code: 'ping' } }],
  recorded: [{ text: 'every 1 s' }],
};

it('every reason has its words', () =>
  expectApproved(
    'wording/verdict-reasons',
    outlined({
      reasons: wordsOf(REASONS, verdictReasonInWords),
      'who overruled a detector': [
        overrulingInWords({ code: 'foreground', pattern: '/chat' }),
        overrulingInWords({ code: 'different-without-it' }),
      ],
    }),
  ));
