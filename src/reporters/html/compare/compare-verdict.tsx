import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/result/report.ts';
import {
  changeInterval,
  changeText,
  coverage,
  differencesInWords,
  mediansApart,
  mediansNote,
  type ShownMetric,
  shownMetrics,
  toneOf,
  UNBOUNDED,
  verdictOf,
} from '../../../report/comparison.ts';
import { isOverBudget } from '../../../result/over-budget.ts';
import { comparisonAnswer } from '../../../wording/compare/comparison.ts';
import { formatValue } from '../../../wording/text/format.ts';
import { Health } from '../answer/health.tsx';
import { Explained } from '../components/explained.tsx';
import { foreign, sentence } from '../components/part.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';
import { ComparePictures } from './compare-pictures.tsx';
import { CompareWhy } from './compare-why.tsx';
import { DecisionBadge } from './decision-badge.tsx';
import { Headline } from './headline.tsx';
import { RaceFigure, shownRace } from './race.tsx';
import { UnfitHost } from './unfit-host.tsx';

/** Metrics that stand in large figures below the decision. */
const FIGURES = 4;

/** How the two pages are not the same page: shown before any figure. */
export function Differences({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { pageDifferences } = report.result;
  const { heading, grave } = differencesInWords(report.result);
  if (!grave) return undefined;
  return (
    <div class="notice bad differences" role="note">
      <b>{heading}.</b> Read every figure below with that in mind.
      <ul>
        {pageDifferences.map(({ message }, index) => (
          <li key={index}>{sentence(message)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Other traffic alone makes no other page: the answer stands before it. */
function OtherTraffic({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const [difference] = report.result.pageDifferences;
  if (difference === undefined || differencesInWords(report.result).grave) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(difference.message)}
    </p>
  );
}

/** The decision in a sentence, and each gate metric's change. */
export function Verdict(props: {
  readonly report: CompareReport;
  readonly pictures: readonly EmbeddedPictures[];
}): JSX.Element {
  const { report, pictures } = props;
  const { result } = report;
  const verdict = verdictOf(report);
  const race = shownRace(report, pictures);
  // The answer for who reads no further; its figures stand below it in large.
  const [answer, reasons] = comparisonAnswer(result);
  const told = shownMetrics(report).filter(({ isAnswer }) => isAnswer);
  const note = mediansNote(told.map(({ comparison }) => comparison));
  const figures = told.filter(({ comparison }) => comparison.difference !== undefined);
  return (
    <>
      <Headline
        verdict={verdict}
        remarks={
          <>
            {result.decision === 'slower' && (
              <small>{result.failedGates.length > 0 ? ' · the gate fails' : ' · the gate passes'}</small>
            )}
            {isOverBudget(result.candidate) && <small> · the candidate is over budget</small>}
          </>
        }
        isLong={/\S{40}/.test(result.sentence)}
      >
        {sentence(answer)}
        {reasons.length > 0 && <span class="second">{` ${sentence(reasons.join(' '))}`}</span>}
      </Headline>
      {result.decision === 'invalid' && (
        <div class="notice bad" role="note">
          <b>No figure below can be trusted.</b> They are shown so that the cause can be found.
        </div>
      )}
      <CompareWhy report={report} />
      {race === undefined ? (
        <ComparePictures report={report} pictures={pictures} />
      ) : (
        <RaceFigure {...race} file={report.race} />
      )}
      <Health target={result.base} of="Base" />
      <Health target={result.candidate} of="Candidate" />
      <UnfitHost report={report} />
      {figures.length > 0 && (
        <dl class="answers">
          {figures.slice(0, FIGURES).map((shown) => (
            <Change key={shown.comparison.metric} shown={shown} invalid={result.decision === 'invalid'} />
          ))}
        </dl>
      )}
      {note !== undefined && (
        <>
          <p class="keys">{sentence(note)}</p>
          <Explained section="faq.md#how-are-two-builds-compared" label="How builds are compared" />
        </>
      )}
      <OtherTraffic report={report} />
      {result.notes?.map((each, index) => (
        <p class="notice" role="note" key={index}>
          {sentence(each)}
        </p>
      ))}
    </>
  );
}

/** The change in large figures; of what is not decided the interval, since its middle would look like an answer. */
function Change({ shown, invalid }: { readonly shown: ShownMetric; readonly invalid: boolean }): JSX.Element {
  const { comparison, title } = shown;
  const { base, candidate, unit, difference, decision } = comparison;
  const interval = changeInterval(comparison);
  const open = decision === 'unsure';
  const medians = mediansApart(comparison);
  const level = difference === undefined ? '' : `${coverage(difference.level)} interval`;
  return (
    <div class={`answer change ${invalid && !open ? 'same' : toneOf(comparison)}`}>
      <dt>{foreign(title)}</dt>
      <dd>
        <span class="big">{open ? (interval === UNBOUNDED ? 'not known' : interval) : changeText(comparison)}</span>
        <span class="under">
          {sentence(`${formatValue(base.median, unit)} → ${formatValue(candidate.median, unit)}`)}
          {medians !== undefined && ` (the medians alone: ${medians})`}
          <br />
          {sentence(
            interval === UNBOUNDED
              ? `too few pairs for a ${level}`
              : open
                ? `${level}; the middle is ${changeText(comparison)}`
                : `${interval} · ${level}`,
          )}
        </span>
        {!invalid && <DecisionBadge comparison={comparison} />}
      </dd>
    </div>
  );
}
