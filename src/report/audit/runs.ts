import type { RunResult } from '../../model/result/result.ts';
import { countedRuns, timedRuns, untimedRuns } from '../../result/counted-runs.ts';
import { standingOf } from '../../result/representative.ts';
import { stateInWords } from '../../wording/result/outcome.ts';
import { ABSENT, formatCount, formatShare, formatValue } from '../../wording/text/format.ts';
import { purposeInWords, watchedInWords } from '../../wording/text/words.ts';
import { type Cell, type ColumnOf, details, type Table, type Text, table } from '../parts.ts';
import type { Chapter, Page } from './page.ts';

/** How long a page was recorded; of what was measured here, see `fairness`. */
export const recordings: Chapter = (page) => {
  const { target, analysis, detail } = page;
  const runs = countedRuns(target);
  const [first] = runs;
  if (first === undefined || !analysis) return [];
  const { observedUntil } = first.pageComplete ?? {};
  const ends = `Ends after ${formatValue(observedUntil, 'ms')}; page complete: ${stateInWords(first.pageComplete)}`;
  const [title, line] = runs.length > 1 ? ['Recordings', formatCount(runs.length, 'recording')] : ['Recording', ends];
  return details(title, runsTable(page), detail, { line });
};

/** Every run, also those that failed, and after the timed ones those that do not count. */
export function runsTable({ target, analysis, detail }: Page): readonly Table[] {
  const runs = [...timedRuns(target), ...untimedRuns(target)];
  const named: ColumnOf<RunResult> = {
    title: analysis ? 'Recording' : 'Run',
    cell: (run) => {
      const { role, index, ok, failure, attempts = 1 } = run;
      const what = standingOf(target, run) ?? purposeInWords(role);
      const remarks: readonly (Text | undefined)[] = [
        what,
        ok ? undefined : (failure?.message ?? 'failed'),
        failure && { code: failure.code },
        attempts > 1 ? `tried ${attempts} times` : undefined,
      ];
      return {
        text: analysis && role === 'timed' ? String(index) : `${index} ${role}`,
        remarks: remarks.filter((each) => each !== undefined),
      };
    },
  };
  const columns: readonly ColumnOf<RunResult>[] = [
    ...(analysis && runs.length === 1 ? [] : [named]),
    {
      title: 'Page complete',
      figures: true,
      cell: ({ ok, pageComplete }) => (ok ? stateInWords(pageComplete) : { mark: 'bad', text: 'failed' }),
    },
    { title: 'Network idle', figures: true, worth: 2, cell: ({ pageComplete }) => stateInWords(pageComplete?.raw) },
    {
      title: analysis ? 'Recorded for' : 'Watched for',
      worth: 1,
      cell: ({ pageComplete }) => {
        const because = watchedInWords(pageComplete, analysis);
        return {
          text: formatValue(pageComplete?.observedUntil, 'ms'),
          ...(because !== undefined && { remarks: [because] }),
        };
      },
    },
    ...(analysis ? [] : [{ title: 'Machine', worth: 3, cell: hostOf }]),
  ];
  return table(runs, columns, detail, { ...(!analysis && { title: 'Every run' }) });
}

function hostOf({ host }: RunResult): Cell | Text {
  if (host === undefined) return ABSENT;
  const { verdict, busyByOthers, steal = 0, reasons } = host;
  const figures = [
    ...(busyByOthers === undefined ? [] : [`${formatShare(busyByOthers)} busy with other work`]),
    ...(steal === 0 ? [] : [`${formatShare(steal)} stolen`]),
  ];
  // A reason has its figure in it.
  const load = reasons.length > 0 ? reasons : figures;
  return {
    text: verdict,
    ...(verdict === 'unfit' && { mark: 'bad' as const }),
    ...(load.length > 0 && { remarks: [load.join('; ')] }),
  };
}
