import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import type { Judgement } from '../../../report/judgement.ts';
import { failedRuns, timedRuns, untimedRuns } from '../../../result/counted-runs.ts';
import { missingEvidence } from '../../../result/findings.ts';
import { answerOf } from '../../../result/representative.ts';
import { answerParts } from '../../../wording/completion/completion.ts';
import { formatCount, formatValue } from '../../../wording/text/format.ts';
import { AndMore } from '../components/notes.tsx';
import { foreign, sentence } from '../components/part.tsx';

/** Things that an answer still waited for, before it says how many more there are. */
const MISSING = 8;

interface Props {
  readonly target: TargetReport;
  /** Of a recorded file instead of runs. */
  readonly analysis: boolean;
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

/** The answer in a sentence, its time in the colour of the verdict. */
export function Statement(props: {
  readonly target: TargetReport;
  /** The heading of the whole page; else the page it is about has a heading already. */
  readonly only: boolean;
  readonly analysis: boolean;
  readonly tone: Judgement['tone'];
}): JSX.Element {
  const { target, only, analysis, tone } = props;
  const { sentence: first, result, representative } = target;
  const Name = only ? 'h1' : 'p';
  return (
    <Name class={first.length > 110 || /\S{40}/.test(first) ? 'statement long' : 'statement'}>
      {answerParts({ result, representative, analysis }).map(({ text, is }, index) =>
        is === 'figure' ? (
          <b key={index} class={`figure ${tone}`}>
            {sentence(text)}
          </b>
        ) : is === 'basis' ? (
          <span key={index} class="aside">
            {unbroken(text)}
          </span>
        ) : (
          sentence(text)
        ),
      )}
    </Name>
  );
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
      : all === 0
        ? 'This page could not be measured: it failed before its first timed run.'
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
          <AndMore count={waitingFor.length - MISSING} />
        </ul>
      )}
      {missingEvidence(target).map((hint, index) => (
        <p key={index}>{sentence(hint)}</p>
      ))}
    </div>
  );
}
