import type { BlockingScript, FunctionTime, MainThread, ScriptTime } from '../../model/main-thread.ts';
import type { TargetReport } from '../../model/result/report.ts';
import {
  blockersOf,
  blockingSentence,
  categoriesOf,
  categoryInWords,
  categoryList,
  functionInWords,
  longestCallInWords,
  partyInWords,
  taskInWords,
  unreadMapsSentences,
} from '../../wording/main-thread.ts';
import { ABSENT, formatCount, formatValue } from '../../wording/text/format.ts';
import { capitalized, shortName } from '../../wording/text/text.ts';
import {
  type Cell,
  type ColumnOf,
  type Detail,
  details,
  type Item,
  list,
  type Part,
  paragraph,
  type Span,
  type Text,
  table,
} from '../parts.ts';
import type { Chapter } from './page.ts';

/** What took less is not worth a row, ms. */
const WORTH_A_ROW_MS = 0.5;
/** Functions, packages and third parties that are named. */
const MAX_FUNCTIONS = 5;
/** What the engine calls a function without a name, and the code of a file itself. */
const ANONYMOUS = '(anonymous)';
/** What a trace names no more closely. */
const OTHER_TASKS = "The browser's own work: events, timers, compositing, messages between its processes";

const LIGHT = { weight: 'light' } as const;

/** Which code kept the main thread busy until page complete. */
export const mainThread: Chapter = ({ target, detail }) => {
  const blockers = blockersOf(target.representative);
  const traced = target.result.mainThread;
  const said = blockers.length === 0 ? undefined : blockingSentence(blockers);
  const line = traced === undefined ? said : inShort(target, traced);
  if (line === undefined) return [];
  return details(
    'Main thread',
    [
      // The time is that of the timed runs, so that a page has but one.
      ...paragraph(
        traced === undefined
          ? said
          : `${line}. All below is from one traced load, in which scripts run slower: shares and names count, not milliseconds.`,
      ),
      ...(traced === undefined ? [] : ofTrace(traced, detail)),
      ...table(blockers, BLOCKERS, detail, { title: 'Blocked input in the timed run', noun: 'script' }),
      ...(said === undefined
        ? []
        : paragraph(
            `${traced === undefined ? '' : `${said} `}Frames over 50 ms, by the script that the browser called, including what that script called in other files.`,
            LIGHT,
          )),
    ],
    detail,
    { line },
  );
};

/** The time is that of the timed runs: those of the trace, which slows scripts down, are for comparing scripts. */
function inShort({ result: { summary } }: TargetReport, { byCategory, byScript }: MainThread): string {
  const busy = summary.mainThreadTime;
  const [kind] = categoriesOf(byCategory)
    .filter(({ category }) => category !== 'other')
    .toSorted((a, b) => b.ms - a.ms);
  const [script] = byScript;
  const parts = [
    ...(busy === undefined ? [] : [`busy for ${formatValue(busy.median, 'ms')}`]),
    ...(kind === undefined ? [] : [`most with ${kind.title}`]),
    ...(script === undefined ? [] : [`longest script: ${shortName(script.url)}`]),
  ];
  return capitalized(parts.join('; '));
}

function ofTrace(traced: MainThread, detail: Detail): readonly Part[] {
  const {
    byCategory,
    byScript,
    byParty,
    otherScripts,
    noScript,
    unreadMaps = [],
    longTasks,
    elsewhere,
    ms,
    trace,
  } = traced;
  const scripts = byScript.filter((script) => script.ms >= WORTH_A_ROW_MS);
  const parties = byParty
    .filter(({ thirdParty }) => thirdParty)
    .slice(0, MAX_FUNCTIONS)
    .map((each) => `${each.party} ${formatValue(each.ms, 'ms')}`);
  const smaller =
    otherScripts === undefined
      ? ''
      : ` ${formatCount(otherScripts.count, 'smaller script')}: ${formatValue(otherScripts.ms, 'ms')}.`;
  return [
    {
      kind: 'split',
      title: 'By kind of work',
      sharesOnly: true,
      total: ms,
      pieces: categoriesOf(byCategory).map(({ category, title, ms: value }) => ({
        name: `work-${category}`,
        title: capitalized(title),
        value,
        ...(category === 'other' && { means: OTHER_TASKS }),
      })),
    },
    ...table(scripts, SCRIPTS, detail, { title: 'By script', noun: 'script' }),
    ...(parties.length === 0 ? [] : paragraph(`Third parties: ${parties.join(', ')}.`, LIGHT)),
    ...(scripts.length === 0
      ? []
      : paragraph(
          `For no script: ${formatValue(noScript.ms, 'ms')} (${categoryList(noScript.byCategory, 3)}).${smaller}`,
          LIGHT,
        )),
    ...unreadMapsSentences(unreadMaps).flatMap((text) => paragraph(text, LIGHT)),
    ...list(
      longTasks.map((task) => ({ text: `At ${formatValue(task.at, 'ms')}: ${taskInWords(task)}` })),
      detail,
      { title: 'Long tasks', noun: 'long task' },
    ),
    ...list(elsewhere.filter((each) => each.ms >= WORTH_A_ROW_MS).map(itemElsewhere), detail, {
      title: 'Not on the main thread',
    }),
    ...(trace === undefined
      ? []
      : paragraph(
          [
            'The trace: ',
            { file: trace, of: 'trace' },
            ', for the Performance panel of DevTools (“Load trace”) and Perfetto.',
          ],
          LIGHT,
        )),
  ];
}

const SCRIPTS: readonly ColumnOf<ScriptTime>[] = [
  { title: 'Script', cell: ({ url }) => scriptOf(url) },
  { title: 'Whose', cell: partyInWords },
  { title: 'Time', figures: true, cell: ({ ms }) => formatValue(ms, 'ms') },
  { title: 'Mostly', long: true, cell: mostlyIn },
];

/** The functions of a script; where it has none, what it was that took the time. */
function mostlyIn({ url, functions, byCategory, byPackage = [] }: ScriptTime): Cell {
  const shown = functions
    // What a whole file called is its time, which stands beside it.
    .filter(({ name, ms, withCalled }) => (name === ANONYMOUS ? ms : Math.max(ms, withCalled)) >= WORTH_A_ROW_MS)
    .slice(0, MAX_FUNCTIONS);
  const [first, ...others] = shown.map((each) => functionTime(url, each));
  const packages = byPackage.slice(0, MAX_FUNCTIONS).map((each) => `${each.package} ${formatValue(each.ms, 'ms')}`);
  return {
    text: first ?? categoryList(byCategory, 2),
    remarks: [...others, ...(packages.length === 0 ? [] : [`By package: ${packages.join(', ')}`])],
  };
}

function functionTime(url: string, each: FunctionTime): readonly Span[] {
  const { ms, withCalled } = each;
  const called = withCalled - ms < WORTH_A_ROW_MS ? '' : `, ${formatValue(withCalled, 'ms')} with what it called`;
  return [`${formatValue(ms, 'ms')} in `, { code: functionInWords(url, each) }, called];
}

const scriptOf = (url: string): Cell | Text =>
  url === '' ? 'a script without an address' : { text: { code: shortName(url) }, remarks: [{ address: url }] };

const BLOCKERS: readonly ColumnOf<BlockingScript>[] = [
  { title: 'Script', cell: ({ url }) => scriptOf(url) },
  { title: 'Whose', cell: ({ party = '', thirdParty = false }) => partyInWords({ party, thirdParty }) },
  { title: 'Blocked', figures: true, cell: ({ blocking }) => formatValue(blocking, 'ms') },
  { title: 'Ran', figures: true, cell: ({ ms }) => formatValue(ms, 'ms') },
  { title: 'Forced layout', figures: true, cell: ({ forced }) => (forced > 0 ? formatValue(forced, 'ms') : ABSENT) },
  {
    title: 'Called for longest',
    long: true,
    cell: ({ url, longest }) => (longest ? { code: longestCallInWords(url, longest) } : ABSENT),
  },
];

function itemElsewhere({ kind, url, ms, byCategory }: MainThread['elsewhere'][number]): Item {
  const [most] = Object.keys(byCategory);
  return {
    text: [
      kind === 'frame' ? 'Frame in another process ' : 'Worker ',
      ...(url === undefined ? [] : [{ address: url }]),
      `: ${formatValue(ms, 'ms')}${most === undefined ? '' : `, mostly ${categoryInWords(most)}`}`,
    ],
  };
}
