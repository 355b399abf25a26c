import { decisionOfPages } from '../../core/experiment/pages.ts';
import { metricTitle } from '../../core/metrics/index.ts';
import { isNotFound } from '../../core/requests/load-failure.ts';
import { defined } from '../../core/text/defined.ts';
import type { ComparedPage, ComparePagesResult, CompareResult } from '../../model/compare/comparison.ts';
import type { ComparePagesReport, CompareReport } from '../../model/result/report.ts';
import type { ResultHeader } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { decides, hasGate } from '../../result/decides.ts';
import { fails } from '../../result/fail-on.ts';
import {
  decisionRuleInWords,
  type LeftOut,
  leftOutSentence,
  pagesSentence,
} from '../../wording/compare/compared-pages.ts';
import { EXIT, exitFor } from '../../wording/messages/messages.ts';
import type { Problem } from '../engine/problem.ts';
import { columnsFor } from '../engine/reports/report-model.ts';
import { exitOf, problemsOf } from './compare-exit.ts';

/** One page, or one step, as it stands: a comparison of it alone, and what it is among the others. */
export interface ReportedPage extends Pick<ComparedPage, 'name' | 'path' | 'folder' | 'step'> {
  readonly report: CompareReport;
  readonly leftOut?: LeftOut | undefined;
}

/** What reporters receive of a comparison of several pages. `header`: but for the answer. `alpha`: over all pages. */
export function comparePagesReport(
  header: Omit<ResultHeader, 'sentence' | 'exit'> & Pick<ComparePagesResult, 'notes' | 'noteFacts'>,
  pages: readonly ReportedPage[],
  alpha: number,
  exit?: number,
): ComparePagesReport {
  const targets = pages.map(targetOf);
  const deciding = targets.filter(decides);
  return {
    result: {
      ...header,
      kind: 'compare',
      targets,
      decision: decisionOfPages(deciding.map(({ decision }) => decision)),
      decisionRule: decisionRuleInWords(targets, alpha),
      sentence: pagesSentence(targets, metricTitle),
      ...defined({ exit }),
    },
    columns: columnsFor(targets.flatMap(({ base, candidate }) => [base, candidate])),
    compared: pages.map(({ report }) => report),
  };
}

function targetOf({ report, name, path, folder, step, leftOut: reason }: ReportedPage): ComparedPage {
  const leftOut = reason && leftOutSentence(name, reason);
  const { $schema, version, tool, browser, startedAt, interrupted, source, shard, merged, kind, ...rest } =
    report.result;
  const { notes, noteFacts, ...own } = rest;
  return { name, path, folder, ...defined({ step, leftOut }), ...own };
}

/** A page as a comparison of it alone, as its own report shows it. */
export function resultOfPage(
  { targets: _targets, decisionRule: _rule, ...header }: ComparePagesResult,
  { name: _name, path: _path, folder: _folder, step: _step, leftOut: _leftOut, ...own }: ComparedPage,
): CompareResult {
  return { ...header, ...own };
}

/** The exit code of all pages; one that only the candidate has could not be slower, and one without a gate is not to decide. */
export function exitOfPages(
  pages: readonly Pick<ReportedPage, 'report' | 'leftOut'>[],
  failOn: FailOn,
  own: readonly Problem[],
  aborted: boolean,
): number {
  if (aborted) return EXIT.interrupted;
  const worst = Math.max(...own.map(({ code }) => exitFor(code)), EXIT.ok);
  if (worst !== EXIT.ok) return worst;
  const compared = pages.filter(({ leftOut }) => leftOut === undefined);
  const codes = compared.map(({ report }) => {
    const code = exitOf(report.result, failOn);
    return code === EXIT.undecided && !hasGate(report.result) ? EXIT.ok : code;
  });
  if (codes.includes(EXIT.gate)) return EXIT.gate;
  if (fails('broken', failOn) && pages.some(({ leftOut }) => leftOut && isBrokenInCandidate(leftOut))) return EXIT.gate;
  if (codes.every((code) => code === EXIT.unmeasured)) return EXIT.unmeasured;
  const isAnyOpen = codes.some((code) => code !== EXIT.ok) || pages.some(({ leftOut }) => leftOut && isOpen(leftOut));
  return isAnyOpen ? EXIT.undecided : EXIT.ok;
}

/** Does it keep the whole from an answer that it was not compared? */
function isOpen(reason: LeftOut): boolean {
  return reason.code !== 'no-gate' && !('build' in reason && reason.build === 'candidate');
}

/** The base's page could be loaded, and the candidate's could not although there is one. */
const isBrokenInCandidate = (reason: LeftOut): boolean =>
  reason.code === 'one-build' && reason.build === 'base' && reason.failure !== undefined && !isNotFound(reason.failure);

/** What a reader must know before trusting the figures, and why a gate fails, with the page that it is about. */
export function problemsOfPages(pages: readonly ReportedPage[], failOn: FailOn): readonly Problem[] {
  return pages.flatMap(({ name, step, report, leftOut }): readonly Problem[] => {
    // That was told when it was found.
    if (leftOut !== undefined) return [];
    // The loads are those of the page, which says what was wrong with them.
    const own = problemsOf(report.result, failOn).filter(({ code }) => step === undefined || code === 'gate-failed');
    return own.map(({ code, message }) => ({ code, message: `${name}: ${message}` }));
  });
}
