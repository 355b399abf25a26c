import type { JSX } from 'preact';
import type { BlockingScript, FunctionTime, MainThread, ScriptTime } from '../../../model/main-thread.ts';
import { mainThreadLine } from '../../../report/chapter-lines.ts';
import { ABSENT, formatCount, formatValue } from '../../../wording/format.ts';
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
} from '../../../wording/main-thread.ts';
import { capitalized, shortName, storedName } from '../../../wording/text.ts';
import { BesideLink } from '../components/beside.tsx';
import { Address, foreign, foreignName, Part, type SectionProps, sentence } from '../components/part.tsx';
import { Split } from '../components/split.tsx';
import { type Column, FoldedTable } from '../components/table.tsx';

/** Scripts and tasks that are seen at once; more are folded. */
const SEEN = 6;
/** Functions of a script that are listed. */
const FUNCTIONS = 5;
/** What the engine calls a function without a name, and the code of a file itself. */
const ANONYMOUS = '(anonymous)';
/** What took less is not worth a line, ms. */
const WORTH_A_LINE_MS = 0.5;

const OF_TRACE =
  'All below is from one traced load, in which scripts run slower: shares and names count, not milliseconds.';

/** Which code kept the main thread busy until page complete. */
export function MainThreadPart({ target, id }: SectionProps): JSX.Element | undefined {
  const { mainThread } = target.result;
  const blockers = blockersOf(target.representative);
  if (mainThread === undefined && blockers.length === 0) return undefined;
  const line = mainThreadLine(target) ?? '';
  // The time is that of the timed runs, so that a page has but one.
  const lead = mainThread ? `${line}. ${OF_TRACE}` : blockingSentence(blockers);
  return (
    <Part id={id} title="Main thread" line={line} lead={sentence(lead)}>
      {mainThread && (
        <>
          <CategoryBar mainThread={mainThread} />
          <Scripts mainThread={mainThread} />
          <LongTasks mainThread={mainThread} />
          <Elsewhere mainThread={mainThread} />
          <TraceLink mainThread={mainThread} />
        </>
      )}
      <Blockers scripts={blockers} />
    </Part>
  );
}

const BLOCKER_COLUMNS: readonly Column<BlockingScript>[] = [
  { title: 'Script', cell: ({ url }) => <ScriptName url={url} /> },
  { title: 'Whose', cell: ({ party = '', thirdParty = false }) => foreignName(partyInWords({ party, thirdParty })) },
  { title: 'Blocked', className: 'num', cell: ({ blocking }) => formatValue(blocking, 'ms') },
  { title: 'Ran', className: 'num', cell: ({ ms }) => formatValue(ms, 'ms') },
  {
    title: 'Forced layout',
    className: 'num',
    cell: ({ forced }) => (forced > 0 ? formatValue(forced, 'ms') : ABSENT),
  },
  {
    title: 'Called for longest',
    cell: ({ url, longest }) => (longest ? <code>{foreignName(longestCallInWords(url, longest))}</code> : ABSENT),
  },
];

/** What kept input waiting, in the timed run that stands for all. */
function Blockers({ scripts }: { readonly scripts: readonly BlockingScript[] }): JSX.Element | undefined {
  if (scripts.length === 0) return undefined;
  return (
    <>
      <h4>Blocked input in the timed run</h4>
      <p class="keys">
        Frames over 50 ms, by the script that the browser called, including what that script called in other files.
      </p>
      <FoldedTable
        caption="Scripts that blocked input"
        className="scripts"
        columns={BLOCKER_COLUMNS}
        rows={scripts}
        seen={SEEN}
        noun="script"
      />
    </>
  );
}

function ScriptName({ url }: { readonly url: string }): JSX.Element {
  if (url === '') return <>a script without an address</>;
  return (
    <>
      <bdi dir="ltr">{foreignName(shortName(url))}</bdi>
      <small class="place">
        <Address url={url} />
      </small>
    </>
  );
}

/** What a trace names no more closely. */
const OTHER_TASKS = "The browser's own work: events, timers, compositing, messages between its processes";

function CategoryBar({ mainThread: { byCategory, ms } }: { readonly mainThread: MainThread }): JSX.Element {
  const pieces = categoriesOf(byCategory).map(({ category, title, ms: value }) => ({
    className: `work-${category}`,
    title: capitalized(title),
    value,
    ...(category === 'other' && { means: OTHER_TASKS }),
  }));
  return (
    <Split
      label="By kind of work"
      thin="work"
      sharesOnly
      pieces={pieces}
      total={ms}
      spoken={sentence(categoryList(byCategory))}
    />
  );
}

const COLUMNS: readonly Column<ScriptTime>[] = [
  {
    title: 'Script',
    cell: ({ url }) => <ScriptName url={url} />,
  },
  { title: 'Whose', cell: (script) => foreignName(partyInWords(script)) },
  { title: 'Time', className: 'num', cell: ({ ms }) => formatValue(ms, 'ms') },
  { title: 'Mostly', cell: (script) => <Functions script={script} /> },
];

/** The functions of a script, by themselves; where it has none, what it was that took the time. */
function Functions({ script }: { readonly script: ScriptTime }): JSX.Element {
  const shown = script.functions
    // What a whole file called is its time, which stands beside it.
    .filter(({ name, ms, withCalled }) => (name === ANONYMOUS ? ms : Math.max(ms, withCalled)) >= WORTH_A_LINE_MS)
    .slice(0, FUNCTIONS);
  return (
    <>
      {shown.length === 0 && sentence(categoryList(script.byCategory, 2))}
      {shown.length > 0 && (
        <ul class="functions">
          {shown.map((each, index) => (
            <li key={index}>
              <b>{formatValue(each.ms, 'ms')}</b> <code>{foreignName(functionInWords(script.url, each))}</code>
              <CalledTime {...each} />
            </li>
          ))}
        </ul>
      )}
      {script.byPackage !== undefined && script.byPackage.length > 0 && (
        <small>
          {sentence(
            `By package: ${script.byPackage
              .slice(0, FUNCTIONS)
              .map((each) => `${each.package} ${formatValue(each.ms, 'ms')}`)
              .join(', ')}`,
          )}
        </small>
      )}
    </>
  );
}

function CalledTime({ ms, withCalled }: FunctionTime): JSX.Element | undefined {
  if (withCalled - ms < WORTH_A_LINE_MS) return undefined;
  return <small> {formatValue(withCalled, 'ms')} with what it called</small>;
}

function Scripts({ mainThread }: { readonly mainThread: MainThread }): JSX.Element | undefined {
  const { byScript, otherScripts, noScript, byParty, unreadMaps = [] } = mainThread;
  const all = byScript.filter(({ ms }) => ms >= WORTH_A_LINE_MS);
  if (all.length === 0) return undefined;
  const foreignParties = byParty.filter(({ thirdParty }) => thirdParty);
  return (
    <>
      <h4>By script</h4>
      {foreignParties.length > 0 && (
        <p class="keys">
          {sentence(
            `Third parties: ${foreignParties
              .slice(0, SEEN)
              .map(({ party, ms }) => `${party} ${formatValue(ms, 'ms')}`)
              .join(', ')}.`,
          )}
        </p>
      )}
      <FoldedTable
        caption="Main-thread time by script"
        className="scripts"
        columns={COLUMNS}
        rows={all}
        seen={SEEN}
        noun="script"
      />
      <p class="keys">
        {sentence(
          `For no script: ${formatValue(noScript.ms, 'ms')} (${categoryList(noScript.byCategory, 3)}).${otherScripts === undefined ? '' : ` ${formatCount(otherScripts.count, 'smaller script')}: ${formatValue(otherScripts.ms, 'ms')}.`}`,
        )}
      </p>
      {unreadMapsSentences(unreadMaps).map((each) => (
        <p key={each} class="keys">
          {sentence(each)}
        </p>
      ))}
    </>
  );
}

function LongTasks({ mainThread: { longTasks } }: { readonly mainThread: MainThread }): JSX.Element | undefined {
  if (longTasks.length === 0) return undefined;
  return (
    <>
      <h4>Long tasks</h4>
      <ul class="long-tasks">
        {longTasks.slice(0, SEEN).map((task, index) => (
          <li key={index}>{sentence(`At ${formatValue(task.at, 'ms')}: ${foreign(taskInWords(task))}`)}</li>
        ))}
      </ul>
      {longTasks.length > SEEN && <p class="keys">{formatCount(longTasks.length - SEEN, 'more long task')}</p>}
    </>
  );
}

function Elsewhere({ mainThread: { elsewhere } }: { readonly mainThread: MainThread }): JSX.Element | undefined {
  const seen = elsewhere.filter(({ ms }) => ms >= WORTH_A_LINE_MS).slice(0, SEEN);
  if (seen.length === 0) return undefined;
  return (
    <>
      <h4>Not on the main thread</h4>
      <ul class="long-tasks">
        {seen.map(({ kind, url, ms, byCategory }, index) => {
          const [most] = Object.keys(byCategory);
          return (
            <li key={index}>
              {kind === 'frame' ? 'Frame in another process' : 'Worker'} {url !== undefined && <Address url={url} />}:{' '}
              {sentence(`${formatValue(ms, 'ms')}${most === undefined ? '' : `, mostly ${categoryInWords(most)}`}`)}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function TraceLink({ mainThread: { trace } }: { readonly mainThread: MainThread }): JSX.Element | undefined {
  const href = storedName('trace', trace);
  if (href === undefined) return undefined;
  return (
    <p class="keys">
      The trace: <BesideLink href={href}>{href}</BesideLink>, for the Performance panel of DevTools (“Load trace”) and
      Perfetto.
    </p>
  );
}
