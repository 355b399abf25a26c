import type { StepPlace } from '../model/main-thread.ts';
import type { CompareReport, TargetReport } from '../model/result/report.ts';
import type { Settings } from '../model/result/result.ts';
import type { Problem } from '../result/fixes.ts';
import { ownerInWords } from '../wording/background/owners.ts';
import { whyLines } from '../wording/compare/why.ts';
import { problemText, problemTitle, savingInWords } from '../wording/fixes/fixes.ts';
import { placeInWords } from '../wording/main-thread.ts';
import { commandOf } from './command.ts';
import { chainInWords } from './critical-path.ts';
import { type Item, list, type Part, paragraph, type Span } from './parts.ts';

/** What is needed to fix a problem: what it is, who can act, where, the chain that it is part of, and how to check. */
export function fixToHandOver(fix: Problem, target: TargetReport, settings: Settings): readonly Part[] {
  const { result, representative } = target;
  const pageUrl = result.finalUrl ?? result.url;
  return [
    ...paragraph([{ strong: problemTitle(fix, pageUrl) }, ` (${savingInWords(fix)}, ${ownerInWords(fix)})`]),
    ...paragraph(problemText(fix)),
    ...list(
      fix.urls.map((url) => whereOf(url, representative)),
      'normal',
      { title: 'Where', noun: 'file' },
    ),
    ...chainOf(target),
    ...checkedBy(commandOf('audit', [result.target], settings)),
  ];
}

/** The same of a change that made a page slower; undefined where none did. */
export function regressionToHandOver({ result, candidate }: CompareReport): readonly Part[] | undefined {
  if (result.decision !== 'slower') return undefined;
  const reasons = whyLines(result).map(({ name, change, interval, about }): Item => {
    const words = [change, interval && `(${interval})`, about].filter((each) => each !== undefined);
    return { text: [name, ...words].join(' ') };
  });
  return [
    ...paragraph(result.sentence, { weight: 'strong' }),
    ...list(reasons, 'all', { title: 'Why' }),
    ...chainOf(candidate),
    ...checkedBy(commandOf('compare', typedTargets(result), result.settings)),
  ];
}

/** As the user typed them: what a result calls a side may say what only that side got. */
function typedTargets({ base, candidate, settings: { targets } }: CompareReport['result']): readonly string[] {
  return Array.isArray(targets) ? targets.map(String) : [base.target, candidate.target];
}

/** A file, and the line of the source that asks for it. */
function whereOf(url: string, run: TargetReport['representative']): Item {
  const step = run?.criticalPath?.steps.find((each) => each.cause !== 'work' && each.url === url);
  const place = step?.place && placeOf(step.place);
  const asked: readonly Span[] = place === undefined ? [] : [', requested by ', { code: place }];
  return { text: [{ code: url }, ...asked] };
}

function placeOf({ url, line, column = 1, source }: StepPlace): string | undefined {
  if (line === undefined) return undefined;
  return placeInWords(url, { line, column, ...(source && { source }) });
}

function chainOf({ representative }: TargetReport): readonly Part[] {
  const path = representative?.criticalPath;
  return path === undefined ? [] : paragraph(['Critical path: ', { code: chainInWords(path) }]);
}

const checkedBy = (command: string): readonly Part[] => paragraph(['Check it with ', { code: command }]);
