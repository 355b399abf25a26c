import { defined } from '../core/text/defined.ts';
import type {
  MilestoneName,
  RowOutcome,
  Waterfall,
  WaterfallFacts,
  WaterfallRowFacts,
} from '../model/result/report.ts';
import { verdictReasonInWords } from './background/verdict-reasons.ts';

const MILESTONES: Readonly<Record<MilestoneName, string>> = {
  'first-contentful-paint': 'FCP',
  'largest-contentful-paint': 'LCP',
  'dom-content-loaded': 'DCL',
  load: 'load',
  'complete-on': 'own mark',
  'action-end': 'action over',
  'page-complete': 'page complete',
};

const CACHES: Readonly<Record<NonNullable<WaterfallRowFacts['fromCache']>, string>> = {
  memory: 'memory cache',
  disk: 'disk cache',
  prefetch: 'prefetch cache',
  'service-worker': 'service worker',
};

/** A waterfall whose milestones have labels, and whose rows say how they ended, and why they are background. */
export function waterfallInWords(facts: WaterfallFacts): Waterfall {
  const rows = facts.rows.map(({ background, fromCache, outcome, ...row }) => ({
    ...row,
    ...defined({
      fromCache: fromCache && CACHES[fromCache],
      outcome: outcome && rowOutcomeInWords(outcome),
      background: background && { ...background, because: verdictReasonInWords(background.reason) },
    }),
  }));
  return { ...facts, rows, milestones: facts.milestones.map((each) => ({ ...each, label: MILESTONES[each.name] })) };
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
