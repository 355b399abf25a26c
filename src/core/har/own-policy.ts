import { type BackgroundKind, KINDS } from '../../model/background/kinds.ts';
import type { VerdictReason } from '../../model/background/reason.ts';
import * as verdict from '../../model/background/verdict.ts';
import type { ContentPattern, ExpectedContent, ExpectedRequests } from '../../model/completion/expected.ts';
import { DEFAULT_POLICY } from '../completion/default-policy.ts';
import * as keep from '../har-codec.ts';
import * as json from '../requests/har-fields.ts';
import { REDACTED } from './redact.ts';

const KIND = keep.oneOf(Object.keys(KINDS) as BackgroundKind[]);
const CONFIDENCE = keep.or(keep.oneOf(verdict.CONFIDENCES), 'possible');
const COUNT = keep.or(keep.count, 0);
const ENDPOINT = keep.or(keep.text, '');
const PATTERNS = keep.or(keep.listOf(keep.pattern), []);

/** Why something is background: with its code and figures for people, and read from its words. */
const REASON: keep.Codec<VerdictReason, unknown> = {
  read: (because) => ({ code: 'recorded', text: json.text(because) ?? '' }),
  write: keep.withTexts,
};

/** The same with its reason in words, too. */
const explained = <T extends { readonly reason: VerdictReason }>(codec: keep.Codec<T>): keep.Codec<T> => ({
  read(value) {
    const stored = json.fields(value);
    return codec.read({ ...stored, reason: stored.because });
  },
  write(value, writing) {
    const written = codec.write(value, writing);
    return written && { ...written, because: keep.text.write(writing.inWords(value.reason), writing) };
  },
});

/** Values of parameters, redacted as they are in addresses. */
const PARAMETERS: keep.Codec<Readonly<Record<string, string>>> = {
  read(value) {
    const texts = Object.entries(json.fields(value)).filter(([, each]) => typeof each === 'string');
    return texts.length === 0 ? undefined : (Object.fromEntries(texts) as Record<string, string>);
  },
  write: (value, { redact }) =>
    Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const question = new URLSearchParams([[name, each]]);
        const [, shown = ''] = redact.url(`http://host.invalid/?${question}`).split('?');
        return [name, new URLSearchParams(shown).get(name) ?? REDACTED];
      }),
    ),
};

const COUNTS: keep.Codec<verdict.ContentKind['counts']> = {
  // Earlier versions said `first` for one.
  read: (value) => keep.finite.read(value) ?? (value === 'first' ? 1 : keep.oneOf(['all', 'places']).read(value)),
  write: (value) => value,
};

/** Earlier versions kept what is content of a series by itself: a number of answers, or what the last of them is like. */
function withContent(value: unknown): unknown {
  const { contentParts, result, ...stored } = json.fields(value);
  const { status, ...size } = json.fields(result);
  if (status !== undefined) return { ...stored, content: [{ ...size, shape: `status ${status}`, counts: 1 }] };
  return contentParts === undefined ? stored : { ...stored, content: [{ counts: contentParts }] };
}

/** A rule of an unknown kind must not be taken for one of content. */
const RULE = explained(
  keep.object<verdict.EndpointRule, 'kind'>({
    endpoint: keep.text,
    'fixed?': PARAMETERS,
    'kind!': KIND,
    'content?': keep.listOf(
      keep.object<verdict.ContentKind>({
        'shape?': keep.plain,
        'bytes?': keep.size,
        counts: COUNTS,
        'about?': keep.plain,
        'by?': keep.finite,
      }),
    ),
    'lasted?': keep.finite,
    'small?': keep.flag,
    'ofBuild?': keep.unread,
    'impact?': keep.oneOf(verdict.IMPACTS),
    reason: REASON,
    confidence: CONFIDENCE,
  }),
);

/** What earlier versions did not write down never differed. */
const usual = DEFAULT_POLICY.observation;

/** With which a recording was judged. */
export const POLICY = keep.object<verdict.Policy>({
  quietWindow: keep.duration,
  maxInflight: keep.count,
  timeout: keep.duration,
  observation: keep.object<verdict.Observation>({
    suspectMs: keep.or(keep.duration, usual.suspectMs),
    silentMs: keep.or(keep.duration, usual.silentMs),
    thoroughMs: keep.or(keep.duration, usual.thoroughMs),
    thoroughSilentMs: keep.or(keep.duration, usual.thoroughSilentMs),
    thoroughWatchMs: keep.or(keep.duration, usual.thoroughWatchMs),
    longestPeriodMs: keep.or(keep.duration, usual.longestPeriodMs),
  }),
  background: PATTERNS,
  foreground: PATTERNS,
  'completeOn?': keep.plain,
  'learnt?': keep.listOf({ ...RULE, read: (value) => RULE.read(withContent(value)) }),
  'expected?': keep.object<ExpectedContent>({
    quietWindow: keep.duration,
    patterns: keep.listOf(
      keep.object<ContentPattern>({
        requests: keep.or(
          keep.listOf(
            keep.object<ExpectedRequests>({
              endpoint: ENDPOINT,
              count: COUNT,
              failed: COUNT,
              bytes: COUNT,
              'parts?': keep.count,
            }),
          ),
          [],
        ),
        'largest?': keep.text,
        'withoutLoadEvent?': keep.flag,
        'blank?': keep.flag,
      }),
    ),
    'busyLater?': keep.flag,
  }),
  'awaited?': keep.listOf(keep.object<verdict.AwaitedContent>({ endpoint: ENDPOINT, by: COUNT })),
  'thorough?': keep.flag,
});

/** How a request was judged. */
export const VERDICT = explained(
  keep.object<verdict.Verdict>({
    requestId: keep.plain,
    kind: KIND,
    reason: REASON,
    confidence: CONFIDENCE,
    'counts?': keep.object<verdict.Span>({ from: keep.moment, 'to?': keep.moment }),
    'parts?': keep.unread,
    'missing?': keep.unread,
    'impact?': keep.unread,
    'decidedAt?': keep.moment,
  }),
);
