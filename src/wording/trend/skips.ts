import type { NotComparable, SkippedResult, SkipReason } from '../../model/trend.ts';

const NOT_COMPARABLE: Readonly<Record<NotComparable, string>> = {
  'not-reached': 'its server reached no limit, so its capacity is not known',
  'open-load': 'it is of an open load (--rate), which does not look for the capacity of a server',
  interrupted: 'it was interrupted before the capacity of its server was found',
};

/** A file that a trend leaves out as its result holds it: a clause with code and figures; of an unreadable one a sentence. */
export function skippedInWords(path: string, reason: SkipReason): SkippedResult {
  return { path, code: reason.code, because: skipReasonInWords(reason), reason };
}

/** The same in one line. */
export function skippedLine({ path, code, because }: SkippedResult): string {
  return code === 'unreadable' ? because : `${path} is left out: ${because}`;
}

function skipReasonInWords(reason: SkipReason): string {
  switch (reason.code) {
    case 'copy':
      return `it is a copy of ${reason.of}`;
    case 'lone-shard':
      return `it is shard ${reason.shard.index} of ${reason.shard.of} of a comparison, too few loads by itself`;
    case 'unmeasured':
      return 'nothing was measured in it';
    case 'not-comparable':
      return NOT_COMPARABLE[reason.why];
    case 'part':
      return `it is a part of ${reason.of}`;
    case 'unreadable':
      return reason.failure.message;
  }
}
