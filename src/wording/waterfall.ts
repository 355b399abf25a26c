import { defined } from '../core/defined.ts';
import type { RowOutcome, Waterfall, WaterfallFacts } from '../model/report.ts';
import { verdictReasonInWords } from './verdict-reasons.ts';

/** A waterfall whose rows say how they ended, and why they are background. */
export function waterfallInWords(facts: WaterfallFacts): Waterfall {
  const rows = facts.rows.map(({ background, outcome, ...row }) => ({
    ...row,
    ...defined({
      outcome: outcome && rowOutcomeInWords(outcome),
      background: background && { ...background, because: verdictReasonInWords(background.reason) },
    }),
  }));
  return { ...facts, rows };
}

function rowOutcomeInWords(outcome: RowOutcome): string {
  switch (outcome.code) {
    case 'previous-document':
      return 'belongs to the page before a client-side redirect';
    case 'open':
      return 'still open when observation ended';
    case 'unanswered':
      return 'not answered when observation ended';
    case 'redirected':
      return `redirected to ${outcome.to ?? 'another address'}`;
    case 'canceled':
      return `given up by the page (${outcome.error ?? 'canceled'})`;
    case 'lost':
      return 'lost by instrumentation: its target went away';
    case 'blocked':
      return 'blocked on request (--block)';
    case 'failed':
      return `failed: ${outcome.error ?? 'unknown error'}`;
  }
}
