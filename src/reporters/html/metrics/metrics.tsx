import type { JSX } from 'preact';
import type { MetricColumn, TargetReport } from '../../../model/result/report.ts';
import { RATING_SIGNS } from '../../../report/judgement.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { isBroken } from '../../../result/health.ts';
import { shownColumns } from '../../../result/representative.ts';
import { type LimitsProfile, limitsOf, limitsProfileOf, ratingOf } from '../../../result/web-vitals.ts';
import { ABSENT, formatInterval, formatValue } from '../../../wording/text/format.ts';
import { movedName, paintedName } from '../answer/page-picture.tsx';
import { foreign } from '../components/part.tsx';

/** The few figures that one wants to see at once: those with limits and the user's own, or else the few that there are. */
export function HeadlineFigures(props: {
  readonly target: TargetReport;
  readonly columns: readonly MetricColumn[];
}): JSX.Element | undefined {
  const { target, columns } = props;
  const { summary } = target.result;
  const profile = limitsProfileOf(target.result.conditions);
  const known = shownColumns(columns, target.result).filter(
    ({ name, headline }) => headline && name !== 'pageComplete' && summary[name] !== undefined,
  );
  const judged = known.filter(({ name, own }) => own || limitsOf(name, profile) !== undefined);
  const shown = judged.length > 0 ? judged : known;
  if (countedRuns(target).length === 0 || shown.length === 0) return undefined;
  return (
    <dl class="figures">
      {shown.map((column) => (
        <HeadlineFigure key={column.name} {...{ target, column, profile }} />
      ))}
    </dl>
  );
}

/** One figure; where there are limits for it, with its class in colour, sign and word. */
function HeadlineFigure(props: {
  readonly target: TargetReport;
  readonly column: MetricColumn;
  readonly profile: LimitsProfile;
}): JSX.Element {
  const { target, column, profile } = props;
  const { name, title, unit, description } = column;
  const found = target.result.summary[name];
  const value = formatValue(found?.median, unit);
  const interval = formatInterval(found?.low, found?.high, unit);
  // Of a page that does not work no figure is good.
  const rating = isBroken(target.result) ? undefined : ratingOf(name, found?.median, profile);
  const limits = limitsOf(name, profile);
  const about =
    name === 'largestContentfulPaint'
      ? paintedName(target)
      : name === 'cumulativeLayoutShift' && (found?.median ?? 0) > 0
        ? movedName(target)
        : undefined;
  return (
    <div>
      <dt title={foreign(description)}>{foreign(title)}</dt>
      <dd>
        <b class={rating}>{value}</b>
        {rating !== undefined && limits !== undefined && (
          <span class={`rating ${rating}`}>
            <span aria-hidden="true">{RATING_SIGNS[rating]}</span> {rating.replace('-', ' ')}
            <small> ≤ {formatValue(limits.good, unit)}</small>
          </span>
        )}
        {about !== undefined && (
          <small class="mono about">
            <bdi dir="ltr">{foreign(about)}</bdi>
          </small>
        )}
        {interval !== ABSENT && interval !== value && <small>{interval}</small>}
      </dd>
    </div>
  );
}
