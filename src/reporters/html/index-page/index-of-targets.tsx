import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../../model/result/report.ts';
import type { Evidence, PageVerdict, TargetResult } from '../../../model/result/result.ts';
import { type PagesColumn, pagesColumns } from '../../../report/pages/table.ts';
import { isAbsent } from '../../../report/parts.ts';
import { worstFirst } from '../../../result/order.ts';
import { nameOf, pagesWithSteps, type Ranked } from '../../../result/pages-with-steps.ts';
import { headlineComplete } from '../../../result/representative.ts';
import { VERDICTS, verdictOf, worstVerdict } from '../../../result/verdict.ts';
import { verdictInGeneral } from '../../../wording/result/outcome.ts';
import { ABSENT, formatValue } from '../../../wording/text/format.ts';
import { percent } from '../../scale.ts';
import { foreignName } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';
import { Content } from '../write.tsx';

/** A page's time and interval as shares of the slowest's; the axis begins at 0 for all. */
function Bar(props: { readonly target: TargetReport; readonly most: number }): JSX.Element | undefined {
  const { target, most } = props;
  const complete = headlineComplete(target);
  if (complete === undefined) return undefined;
  const { low = complete, high = complete } = target.result.summary.pageComplete ?? {};
  const x = (value: number): string => percent(value / most);
  return (
    <svg class="index-bar" width="100%" height="18" aria-hidden="true">
      <line class="axis" x1="0" x2="100%" y1="17.5" y2="17.5" />
      <rect class="time" y="5" height="8" width={x(complete)} rx="2" />
      <rect class="range" x={x(low)} y="2" width={x(Math.max(0, high - low))} height="14" rx="3" />
      <line class="median" x1={x(complete)} x2={x(complete)} y1="1" y2="17" />
    </svg>
  );
}

/** What the page looked like when it was complete, or at the end of its film; beside its name it needs no words. */
function Thumbnail(props: {
  readonly evidence: Evidence | undefined;
  readonly pictures: EmbeddedPictures | undefined;
}): JSX.Element | undefined {
  const { evidence, pictures } = props;
  const files = [...(evidence?.pictures ?? []), ...(evidence?.film ?? [])].map(({ file }) => file);
  const picture = files.flatMap((file) => pictures?.get(file) ?? []).at(-1);
  if (picture === undefined) return undefined;
  const { id, width, height } = picture;
  return (
    <svg class="thumbnail" aria-hidden="true" viewBox={`0 0 ${width} ${height}`}>
      <use href={`#${id}`} />
    </svg>
  );
}

/** Where a page is, beside what it is called; of a step, where it led. */
function addressesOf(result: TargetResult): readonly string[] {
  const { step, target, url, finalUrl = url } = result;
  const all = step === undefined ? [target, url] : finalUrl === url ? [] : [finalUrl];
  return [...new Set(all)].filter((name) => name !== '' && name !== nameOf(result));
}

/** The origin that all of several pages have, with which they need not be told apart. */
function sharedOrigin(targets: readonly TargetReport[]): string | undefined {
  const origins = new Set(targets.map(({ result: { url } }) => (URL.canParse(url) ? new URL(url).origin : '')));
  const [only] = origins;
  return targets.length > 1 && origins.size === 1 && only !== '' ? only : undefined;
}

/** As short as sorting needs it. */
const rounded = (value: number | undefined): string => (value === undefined ? '' : String(Number(value.toFixed(3))));

/** The worst that is said of each page and its steps, by the position of the page. */
function worstOf(targets: readonly TargetReport[]): ReadonlyMap<number, PageVerdict> {
  return new Map(
    pagesWithSteps(targets).map(({ page, steps }) => {
      const all = [page, ...steps].map(({ target }) => verdictOf(target.result));
      return [page.index, worstVerdict(all)];
    }),
  );
}

/** What the page's script narrows the table down with; unseen until it does. */
function Tools(props: { readonly targets: readonly TargetReport[]; readonly analysis: boolean }): JSX.Element {
  const worst = [...worstOf(props.targets).values()];
  return (
    <div class="tools index-tools open" hidden>
      <input type="search" placeholder="Find pages" aria-label="Find pages by name or address" />
      <button type="button" value="" aria-pressed="true">
        all <small>{formatValue(worst.length, 'count')}</small>
      </button>
      {VERDICTS.filter((verdict) => worst.includes(verdict)).map((verdict) => (
        <button key={verdict} type="button" value={verdict} aria-pressed="false">
          {verdictInGeneral(verdict, props.analysis)}{' '}
          <small>{formatValue(worst.filter((each) => each === verdict).length, 'count')}</small>
        </button>
      ))}
      <p class="soft" role="status" />
    </div>
  );
}

/** From so many pages on they are searched, narrowed and sorted. */
const FEWEST_TO_SEARCH = 5;

/** Every page at a glance, those without an answer first, then the slowest; each links to its part of the report. */
export function IndexOfTargets(props: {
  readonly report: AuditReport;
  /** The pictures of each page; absent in an index of many, which is to stay small. */
  readonly pictures?: readonly EmbeddedPictures[];
}): JSX.Element {
  const { report, pictures = [] } = props;
  const analysis = report.result.kind === 'analysis';
  const rows = worstFirst(report.targets);
  const most = Math.max(
    1,
    ...rows.map(({ target }) => Math.max(headlineComplete(target) ?? 0, target.result.summary.pageComplete?.high ?? 0)),
  );
  const worst = worstOf(report.targets);
  const origin = sharedOrigin(report.targets);
  const shown = (address: string): string =>
    origin !== undefined && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  const described = pagesColumns(report, 'all');
  /** What another column says, below the one that it explains. */
  const below = (name: PagesColumn['name'], target: TargetReport): JSX.Element | undefined => {
    const cell = described.find((column) => column.name === name)?.cell(target) ?? '';
    return cell === '' || isAbsent(cell) ? undefined : (
      <small>
        <Content cell={cell} />
      </small>
    );
  };
  const columns = described.flatMap(({ name, title, figures, cell, key }): readonly Column<Ranked>[] => {
    const sorted = key && { key: ({ target }: Ranked) => key(target) };
    switch (name) {
      case 'page': {
        const named = ({ target: { result }, index }: Ranked): JSX.Element => (
          <>
            <Thumbnail evidence={result.evidence} pictures={pictures[index]} />
            <a href={report.pages?.[index] ?? `#t${index + 1}`}>
              <bdi>{foreignName(shown(nameOf(result)))}</bdi>
            </a>
            {addressesOf(result).map((address) => (
              <small key={address}>
                <bdi dir="ltr">{foreignName(shown(address))}</bdi>
              </small>
            ))}
          </>
        );
        return [{ title, className: 'page-name', cell: named }];
      }
      case 'verdict':
      case 'complete': {
        const explained = ({ target }: Ranked): JSX.Element => (
          <>
            <Content cell={cell(target)} />
            {below(name === 'verdict' ? 'why' : 'interval', target)}
          </>
        );
        const drawn = ({ target }: Ranked) => <Bar target={target} most={most} />;
        return [
          { title, className: name === 'verdict' ? 'page-verdict' : 'num page-time', cell: explained, ...sorted },
          ...(name === 'complete'
            ? [{ title: `0 to ${formatValue(most, 'ms')}`, className: 'drawn', cell: drawn }]
            : []),
        ];
      }
      case 'why':
      case 'interval':
        return [];
      default: {
        const said = ({ target }: Ranked) => {
          const content = cell(target);
          return isAbsent(content) ? ABSENT : <Content cell={content} />;
        };
        const className = [...(figures ? ['num'] : []), ...(name === 'budgets' ? ['num budgets'] : [])].join(' ');
        return [{ title, cell: said, ...sorted, ...(className !== '' && { className }) }];
      }
    }
  });
  const isSearched = report.pages !== undefined || worst.size >= FEWEST_TO_SEARCH;
  return (
    <nav class="contents" aria-label="Pages">
      {isSearched && <Tools targets={report.targets} analysis={analysis} />}
      <Table
        caption={`${analysis ? 'Recorded pages' : 'Pages'}, worst first`}
        columns={columns}
        rows={rows}
        className={report.pages === undefined ? 'index' : 'index cut'}
        leads={report.pages !== undefined}
        rowClass={({ target }) => (target.result.step === undefined ? undefined : 'step')}
        {...(isSearched && {
          rowMarks: (row: Ranked) => ({
            'data-outcome': worst.get(row.index) ?? '',
            'data-keys': columns.map(({ key }) => rounded(key?.(row))).join(' '),
          }),
        })}
      />
    </nav>
  );
}
