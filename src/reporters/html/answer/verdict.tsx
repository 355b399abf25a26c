import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { MetricSummary } from '../../../model/result.ts';
import { countedRuns, failedRuns, timedRuns, untimedRuns } from '../../../result/counted-runs.ts';
import { missingEvidence } from '../../../result/findings.ts';
import { answerOf } from '../../../result/representative.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../../wording/format.ts';
import { levelInWords, stateInWords } from '../../../wording/outcome.ts';
import { foreign, sentence } from '../components/part.tsx';

/** Things that an answer still waited for, before it says how many more there are. */
const MISSING = 8;

interface Props {
  readonly target: TargetReport;
  /** Of a recorded file instead of runs. */
  readonly analysis: boolean;
}

/** The median of page-complete, or the state that stands in its place. */
export function figureOf(target: TargetReport, analysis: boolean): string {
  const summary = target.result.summary.pageComplete;
  if (summary !== undefined) return formatValue(summary.median, 'ms');
  const run = target.representative ?? countedRuns(target)[0];
  if (run === undefined) return analysis ? 'not analysed' : 'not measured';
  return stateInWords(run.pageComplete);
}

/** "1.24 s" with the unit set smaller than the figure. */
function Figure({ text }: { readonly text: string }): JSX.Element {
  const parts = /^([\d.,−–]+) (ms|s)$/.exec(text);
  if (parts === null) return <span class="big">{text}</span>;
  return (
    <span class="big">
      {parts[1]}
      <small> {parts[2]}</small>
    </span>
  );
}

/** A sentence whose intervals stay on one line: "1.21–" at the end of one would be half a figure. */
const unbroken = (text: string): readonly (string | JSX.Element)[] =>
  sentence(text)
    .split(/([\d.,]+–[\d.,]+\u00a0(?:ms|s))/)
    .map((piece, index) =>
      index % 2 === 0 ? (
        piece
      ) : (
        <span key={index} class="whole">
          {piece}
        </span>
      ),
    );

/** The answer in a sentence, and smaller what network idle would have said. */
export function Statement(props: {
  readonly target: TargetReport;
  /** The heading of the whole page; else the page it is about has a heading already. */
  readonly only: boolean;
}): JSX.Element {
  const { sentence: first, networkIdle } = props.target;
  const [, said = first, aside] = /^([^(]+)( \(.+)$/s.exec(first) ?? [];
  const Name = props.only ? 'h1' : 'p';
  return (
    <Name class={first.length > 110 || /\S{40}/.test(first) ? 'statement long' : 'statement'}>
      {sentence(said)}
      {aside !== undefined && <span class="aside">{unbroken(aside)}</span>}
      {networkIdle !== undefined && <span class="second">{` ${sentence(networkIdle)}`}</span>}
    </Name>
  );
}

/** Page complete, and beside it what network idle would have said. */
export function Answers({ target, analysis }: Props): JSX.Element | undefined {
  const summary = target.result.summary.pageComplete;
  const run = target.representative ?? countedRuns(target)[0];
  if (summary === undefined && run === undefined) return undefined;
  const raw = run?.pageComplete?.raw;
  const held = raw?.waitingFor ?? [];
  const state = run?.pageComplete?.state;
  const sure = summary !== undefined || state === 'complete';
  return (
    <dl class="answers">
      <div class={sure ? 'answer ours' : 'answer ours unsure'}>
        <dt>Page complete</dt>
        <dd>
          <Figure text={!sure && state === 'unconfirmed' ? 'not confirmed' : figureOf(target, analysis)} />
          <span class="under">{summary !== undefined && basisOf(target, summary, analysis)}</span>
        </dd>
      </div>
      {raw !== undefined && (
        <div class="answer plain">
          <dt>Network idle</dt>
          <dd>
            <Figure text={raw.state === 'unconfirmed' ? 'not confirmed' : stateInWords(raw)} />
            <span class="under">
              {held.length > 0
                ? `with every request counted; still waiting for ${foreign(held[0] ?? '')}${held.length > 1 ? ` and ${held.length - 1} more` : ''}`
                : 'with every request counted'}
            </span>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What the headline's figure rests on: "1.21–1.27 s · 93% interval of 5 runs". */
function basisOf(target: TargetReport, summary: MetricSummary, analysis: boolean): string {
  const measured = countedRuns(target).length;
  if (analysis && measured === 1) return 'in the recording';
  const run = analysis ? 'recording' : 'run';
  const interval = formatInterval(summary.low, summary.high, 'ms');
  // Runs that never were complete have no time that could be in a median.
  const of = summary.n < measured ? `${summary.n} of ${formatCount(measured, run)}` : formatCount(summary.n, run);
  return interval === ABSENT ? `${of}, no interval` : `${interval} · ${levelInWords(summary)} interval of ${of}`;
}

/** What could not be measured, and why: runs that count first, then those that would have proved something. */
export function Failures({ target, analysis }: Props): JSX.Element | undefined {
  const failed = failedRuns(target);
  if (failed.length === 0) return undefined;
  const timed = failed.filter((run) => run.role === 'timed').length;
  const all = timedRuns(target).length;
  const runs = formatCount(all, untimedRuns(target).length > 0 ? 'timed run' : 'run');
  const headline = analysis
    ? 'This file could not be analysed.'
    : timed > 0
      ? `${timed} of ${runs} could not be measured.`
      : `All ${runs} were measured, but the untimed runs that prove the result failed.`;
  return (
    <div class={timed > 0 ? 'notice bad' : 'notice'} role="note">
      <b>{headline}</b>
      <ul>
        {failed.map((run) => (
          <li key={run.index}>
            {!analysis && `${run.role === 'timed' ? 'Run' : `${foreign(run.role)} run`} ${run.index}: `}
            {foreign(run.failure?.message ?? 'It failed without a reason given.')}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What an answer that could not be given still waited for. */
export function Missing({ target, analysis }: Props): JSX.Element | undefined {
  const answer = answerOf(target);
  if (answer === undefined || answer.state === 'complete') return undefined;
  const { waitingFor, at, observedUntil } = answer;
  const until = formatValue(observedUntil, 'ms');
  const never = answer.state === 'never';
  const headline = never ? 'There is no page-complete time.' : 'The page-complete time is not confirmed.';
  const reason = never
    ? `After ${until} the page still waited for`
    : `${analysis ? 'The recording ends' : 'Watching ended'} at ${until}${at === undefined ? '' : `; the page may have been complete at ${formatValue(at, 'ms')}`}. What is missing`;
  return (
    <div class="notice missing" role="note">
      <p>
        <b>{headline}</b> {reason}
        {waitingFor.length === 0 ? ' is not known.' : ':'}
      </p>
      {waitingFor.length > 0 && (
        <ul>
          {waitingFor.slice(0, MISSING).map((what, index) => (
            <li key={index}>{foreign(what)}</li>
          ))}
          {waitingFor.length > MISSING && <li>and {formatValue(waitingFor.length - MISSING, 'count')} more</li>}
        </ul>
      )}
      {missingEvidence(target).map((hint, index) => (
        <p key={index}>{sentence(hint)}</p>
      ))}
    </div>
  );
}
