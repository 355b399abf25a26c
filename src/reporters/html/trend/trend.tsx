import type { JSX } from 'preact';
import type { MetricTrend, TrendPage, TrendPoint, TrendResult, TrendShift, TrendValue } from '../../../model/trend.ts';
import { SIGNS, textOf } from '../../../report/parts.ts';
import { overviewColumns } from '../../../report/trend/overview.ts';
import { findingsOf, resultsInWords } from '../../../report/trend/pages.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../../wording/text/format.ts';
import { trendVerdict, unmeasuredSentence } from '../../../wording/trend/trend.ts';
import {
  CHANGE_SIGN,
  conditionStories,
  hashOf,
  momentInWords,
  pointName,
  relativeLink,
  shiftText,
  unmeasuredSince,
} from '../../../wording/trend/words.ts';
import { renderPage } from '../components/frame.tsx';
import { AndMore } from '../components/notes.tsx';
import { Address, foreign, foreignName, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Content } from '../write.tsx';
import { axisStart, isCut, Sparkline, TrendChart } from './trend-chart.tsx';

/** Files that were left out and are listed before it says how many more there are. */
const SKIPPED = 100;
/** Beyond this many pages those that did not change are folded. */
const MANY_PAGES = 8;
/** Condition changes of a page that stand open. */
const FEW_CONDITIONS = 4;

/** A trend as one HTML file that asks for nothing else. */
export function renderTrendHtml(result: TrendResult): string {
  const [only] = result.pages;
  return renderPage({
    result,
    name: result.pages.length === 1 && only !== undefined ? `Trend of ${only.page}` : 'Trend',
    done: 'Collected',
    style: 'trend',
    script: 'report',
    children: <Body result={result} />,
  });
}

function Body({ result }: { readonly result: TrendResult }): JSX.Element {
  const { pages, skipped } = result;
  const isMany = pages.length > MANY_PAGES;
  const verdict = trendVerdict(pages);
  return (
    <>
      <p class={`verdict ${verdict.tone}`}>
        <span aria-hidden="true">{verdict.tone === 'same' ? '=' : CHANGE_SIGN[verdict.tone]}</span> {verdict.word}
      </p>
      <h1 class={result.sentence.length > 110 ? 'statement long' : 'statement'}>{sentence(result.sentence)}</h1>
      {pages.length > 1 && <Overview pages={pages} />}
      {pages.map((page, i) => (
        <Page key={page.page} page={page} id={`p${i + 1}`} order={result.order} isFolded={isMany && isCalm(page)} />
      ))}
      {skipped.length > 0 && (
        <details class="more t-skipped">
          <summary>{formatCount(skipped.length, 'file was', 'files were')} left out</summary>
          <ul>
            {skipped.slice(0, SKIPPED).map(({ path, because }) => (
              <li key={path}>
                <bdi dir="ltr">{foreign(path)}</bdi>: {foreign(because)}
              </li>
            ))}
            <AndMore count={skipped.length - SKIPPED} />
          </ul>
        </details>
      )}
    </>
  );
}

function isCalm(page: TrendPage): boolean {
  if (unmeasuredSince(page) !== undefined) return false;
  return page.metrics.every(({ changes, pending }) => changes.length === 0 && pending === undefined);
}

/** Every page at a glance, as the result orders them. */
function Overview({ pages }: { readonly pages: readonly TrendPage[] }): JSX.Element {
  const rows = pages.map((page, i) => ({ page, id: `p${i + 1}` }));
  type Row = (typeof rows)[number];
  const [results, ...others] = overviewColumns(pages).map(
    ({ title, figures, cell }): Column<Row> => ({
      title,
      className: figures ? 'num' : 'some',
      cell: ({ page }) => <Content cell={cell(page)} />,
    }),
  );
  const columns: readonly Column<Row>[] = [
    {
      title: 'Page',
      className: 'page-name',
      cell: ({ page, id }) => (
        <>
          <a href={`#${id}`}>
            <bdi dir="ltr">{foreignName(page.page)}</bdi>
          </a>
          {page.title !== undefined && (
            <small>
              <bdi>{foreignName(page.title)}</bdi>
            </small>
          )}
        </>
      ),
    },
    ...(results === undefined ? [] : [results]),
    { title: 'History', className: 't-history', cell: ({ page }) => <Sparkline metric={page.metrics[0]} /> },
    ...others,
  ];
  return (
    <nav aria-label="Pages" class="contents">
      <Table caption="Pages" columns={columns} rows={rows} className="t-pages" />
    </nav>
  );
}

/** How far a level lies from the one before it, as sign, figure and word. */
function Sign({ shift, metric }: { readonly shift: TrendShift; readonly metric: MetricTrend }): JSX.Element {
  return (
    <b class={`t-sign ${shift.direction}`}>
      <span aria-hidden="true">{CHANGE_SIGN[shift.direction]}</span> {shiftText(shift, metric)}{' '}
      <span>{shift.direction}</span>
    </b>
  );
}

function Page(props: {
  readonly page: TrendPage;
  readonly id: string;
  readonly order: TrendResult['order'];
  readonly isFolded: boolean;
}): JSX.Element {
  const { page, id, order, isFolded } = props;
  const heading = (
    <h2 id={id}>
      <Address url={page.page} />
    </h2>
  );
  const body = <PageBody page={page} id={id} order={order} />;
  return (
    <article class="t-page" aria-labelledby={id}>
      {isFolded ? (
        <details class="t-folded">
          <summary>
            {heading}
            <span class="soft">no change in {formatCount(page.points.length, 'result')}</span>
          </summary>
          {body}
        </details>
      ) : (
        <>
          {heading}
          {body}
        </>
      )}
    </article>
  );
}

function PageBody(props: {
  readonly page: TrendPage;
  readonly id: string;
  readonly order: TrendResult['order'];
}): JSX.Element {
  const { page, id, order } = props;
  const { metrics, title } = page;
  const unmeasured = unmeasuredSentence(page);
  return (
    <>
      <p class="subject">
        {title !== undefined && (
          <>
            <b>
              <bdi>{foreignName(title)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        {resultsInWords(page)}
        {order === 'commit' && ', in the order of commits'}
      </p>
      {unmeasured !== undefined && (
        <p class="notice bad" role="note">
          {sentence(unmeasured)} The figures below are those of the last result that has any.
        </p>
      )}
      {metrics.map((metric, i) => (
        <Metric key={metric.metric} metric={metric} page={page} id={id} isFirst={i === 0} />
      ))}
      <Conditions page={page} />
      <Values page={page} id={id} />
    </>
  );
}

function Metric(props: {
  readonly metric: MetricTrend;
  readonly page: TrendPage;
  readonly id: string;
  /** Of its page: what the marks mean is said once. */
  readonly isFirst: boolean;
}): JSX.Element {
  const { metric, page, id, isFirst } = props;
  const { values, unit, title } = metric;
  const heading = `${id}-${metric.metric}`;
  const last = values.at(-1);
  return (
    <section class="t-metric" aria-labelledby={heading}>
      <h3 id={heading}>
        {foreignName(title)} <b>{formatValue(last?.median, unit)}</b>
        {last?.low !== undefined && <small>last result, {formatInterval(last.low, last.high, unit)}</small>}
      </h3>
      {values.length === 0 ? (
        <p class="soft">No result has this metric.</p>
      ) : (
        <>
          <Findings metric={metric} />
          <figure>
            <TrendChart page={page} metric={metric} />
            {axisStart(metric) > 0 && (
              <p class="keys">The axis starts at {formatValue(axisStart(metric), unit)}, not at 0.</p>
            )}
            {isFirst && <Legend page={page} />}
          </figure>
        </>
      )}
    </section>
  );
}

/** What the marks of a page's drawings mean. */
function Legend({ page }: { readonly page: TrendPage }): JSX.Element {
  const { metrics, conditions } = page;
  const hasChanges = metrics.some(({ changes }) => changes.length > 0);
  const hasPending = metrics.some(({ pending }) => pending !== undefined);
  return (
    <figcaption class="keys">
      {page.kind === 'capacity'
        ? 'Each dot is a result, with its interval (of the knee: the levels below and above), and opens it; the line is the current level.'
        : "Each dot is the median of a result's runs, with its interval, and opens that result; the line is the current level."}
      {metrics.some(isCut) && ' Intervals that reach outside the chart are cut off at its edge.'}
      {hasChanges && ' ▲ worse, ▼ better from there on.'}
      {hasPending && ' ? differs from the line, but more results are needed.'}
      {conditionStories(conditions).some(({ point }) => point !== undefined) &&
        ' Dashed: measured under other conditions from there on, listed below.'}
    </figcaption>
  );
}

/** What the history says, newest first. */
function Findings({ metric }: { readonly metric: MetricTrend }): JSX.Element {
  return (
    <ul class="t-findings">
      {findingsOf(metric).map(({ mark = 'same', text }, index) => (
        <li key={index} class={mark === 'unknown' ? 'pending' : mark}>
          <span aria-hidden="true">{SIGNS[mark]}</span> {sentence(textOf(text))}
        </li>
      ))}
    </ul>
  );
}

/** What besides the page was different, and since when: a new browser is no regression. */
function Conditions({ page }: { readonly page: TrendPage }): JSX.Element | undefined {
  const { conditions, points } = page;
  if (conditions.length === 0) return undefined;
  const stories = conditionStories(conditions);
  const list = (
    <ul class="t-conditions">
      {stories.map(({ point, what, text }, i) => (
        <li key={i}>
          <span>{point === undefined ? 'again and again' : pointName(points[point])}</span>{' '}
          <span>
            <b>{foreignName(what)}</b> {foreignName(text)}
          </span>
        </li>
      ))}
    </ul>
  );
  const title = `Conditions that changed (${formatValue(stories.length, 'count')})`;
  if (stories.length > FEW_CONDITIONS) {
    return (
      <details class="more">
        <summary>{title}</summary>
        {list}
      </details>
    );
  }
  return (
    <div class="t-known">
      <h3>{title}</h3>
      {list}
    </div>
  );
}

/** Every value, for those who do not see the drawing or want the figures. */
function Values({ page, id }: { readonly page: TrendPage; readonly id: string }): JSX.Element {
  const { points, metrics } = page;
  const byPoint = metrics.map(({ values }) => new Map(values.map((value) => [value.point, value])));
  return (
    <details class="more">
      <summary>Every value ({formatCount(points.length, 'result')})</summary>
      <div class="scroll">
        <table class="t-values">
          <caption class="unseen">Every value</caption>
          <thead>
            <tr>
              <th scope="col">Result (UTC)</th>
              <th scope="col">Commit</th>
              <th scope="col">Runs</th>
              {metrics.map(({ metric, title }) => (
                <th key={metric} scope="col">
                  {foreignName(title)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, i) => (
              <tr key={i} id={`${id}-row${i + 1}`}>
                <th scope="row">
                  <ResultLink point={point} />
                </th>
                <td>{commitOf(point)}</td>
                <td>{runsOf(point)}</td>
                {metrics.map((metric, m) => (
                  <td key={metric.metric}>
                    <Value value={byPoint[m]?.get(i)} metric={metric} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function ResultLink({ point }: { readonly point: TrendPoint }): JSX.Element {
  const link = relativeLink(point.report ?? point.result);
  const name = momentInWords(point.at);
  return (
    <>
      {link === undefined ? name : <a href={link}>{name}</a>}
      {point.build === 'base' && ' base'}
    </>
  );
}

function commitOf(point: TrendPoint): string {
  const { source } = point;
  const hash = hashOf(point);
  if (source === undefined || hash === undefined) return ABSENT;
  return source.ref === undefined ? hash : `${hash} ${foreignName(source.ref)}`;
}

function runsOf({ runs, failed }: TrendPoint): string {
  return failed === 0 ? String(runs) : `${runs}, ${failed} failed`;
}

function Value({
  value,
  metric,
}: {
  readonly value: TrendValue | undefined;
  readonly metric: MetricTrend;
}): JSX.Element {
  if (value === undefined) return <>{ABSENT}</>;
  const { median, low, high, point } = value;
  const change = metric.changes.find((each) => each.point === point);
  return (
    <>
      {formatValue(median, metric.unit)}
      {low !== undefined && <small>{formatInterval(low, high, metric.unit)}</small>}
      {change !== undefined && (
        <>
          {' '}
          <Sign shift={change} metric={metric} />
        </>
      )}
    </>
  );
}
