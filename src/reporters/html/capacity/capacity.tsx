import type { JSX } from 'preact';
import type {
  CapacityFigures,
  CapacityLevel,
  CapacityLimit,
  CapacityResult,
  PageUnderLoad,
  RampEnd,
} from '../../../model/capacity.ts';
import {
  capacityAnswer,
  capacitySentence,
  driverInWords,
  endInWords,
  formatThroughput,
  INSTABILITY,
  LIMIT_NAMES,
  loadInWords,
  uslSentence,
} from '../../../wording/capacity.ts';
import { ABSENT, formatCount, formatInterval, formatShare, formatValue } from '../../../wording/format.ts';
import { levelColumns, serversOf } from '../../capacity-table.ts';
import { Facts } from '../components/facts.tsx';
import { renderPage } from '../components/frame.tsx';
import { Address, foreign, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { type DrawnServer, ThroughputChart, TimeChart } from './capacity-chart.tsx';

/** How much a server can take, as one HTML file that asks for nothing else. */
export function renderCapacityHtml(result: CapacityResult): string {
  return renderPage({
    result,
    name: `Capacity of ${result.url}`,
    done: result.ended?.code === 'imported' ? 'Read' : 'Measured',
    style: 'capacity',
    script: 'report',
    children: <Content result={result} />,
  });
}

function Content({ result }: { readonly result: CapacityResult }): JSX.Element {
  const servers = serversOf(result);
  // The first sentence is the answer, and the others are why.
  const [statement = '', ...rest] = capacityAnswer(result);
  const drawn = servers.map((server, i): DrawnServer => ({ ...server, side: i === 0 ? 'base' : 'candidate' }));
  const hasTimes = servers.some(({ levels }) =>
    levels.some(({ mean, p90 }) => mean !== undefined || p90 !== undefined),
  );
  return (
    <>
      <h1 class="statement">{sentence(statement)}</h1>
      {rest.length > 0 && <p class="k-rest">{sentence(rest.join(' '))}</p>}
      <p class="lead">
        <Address url={result.url} />
        {result.candidate !== undefined && (
          <>
            {' '}
            against <Address url={result.candidate.url} />
          </>
        )}
      </p>
      <Budgets budgets={result.budgets} />
      {servers.some(({ levels }) => levels.length > 1) && (
        <div class="k-charts">
          <ThroughputChart servers={drawn} />
          {hasTimes && <TimeChart servers={drawn} />}
        </div>
      )}
      {servers.length > 1 && (
        <p class="k-keys">
          <span class="k-base">Base</span> <span class="k-candidate">Candidate</span>
        </p>
      )}
      <p class="k-note">
        {result.load === 'open'
          ? 'An open load: the load generator sent requests at a fixed rate.'
          : 'A closed load: each connection sends its next request once it has the answer.'}{' '}
        The upright line is the knee, dashes are the Universal Scalability Law, and bars are 95% intervals. Load by{' '}
        {foreign(result.engine)}.
      </p>
      {servers.map((server, i) => (
        <ServerPart key={i} server={server} isOne={servers.length === 1} />
      ))}
    </>
  );
}

type Shown = CapacityFigures & { readonly title: string; readonly page?: PageUnderLoad; readonly ended?: RampEnd };

function ServerPart({ server, isOne }: { readonly server: Shown; readonly isOne: boolean }): JSX.Element {
  const { levels, findings, limit, knee, max, ended, page } = server;
  const law = uslSentence(server);
  return (
    <section class="k-server">
      {!isOne && (
        <>
          <h2>{foreign(server.title)}</h2>
          <p>{sentence(capacitySentence(server))}</p>
        </>
      )}
      <Facts
        look="fair"
        facts={[
          ['Limit', LIMIT_NAMES[limit]],
          [
            'Most',
            max === undefined
              ? ABSENT
              : `${formatThroughput(max.throughput)}${max.low === undefined || max.high === undefined ? '' : ` (${formatThroughput(max.low)}–${formatThroughput(max.high)})`}`,
          ],
          [
            'Knee',
            limit === 'not-reached'
              ? 'not reached'
              : knee === undefined
                ? ABSENT
                : formatCount(knee.concurrency, 'connection'),
          ],
          ...(ended === undefined ? [] : [['Ramp', endInWords(ended)] as const]),
        ]}
      />
      {findings.length > 0 && (
        <ul class="notes k-findings">
          {findings.map(({ code, level, message }) => (
            <li key={code} class={level === 'warning' ? 'k-warning' : undefined}>
              {sentence(message)}
            </li>
          ))}
        </ul>
      )}
      {levels.length > 0 && (
        <Table
          caption="Levels"
          className="k-levels"
          columns={columnsOf(levels)}
          rows={levels}
          rowClass={(level) =>
            level.concurrency === knee?.concurrency && level.rate === undefined ? 'k-at-knee' : undefined
          }
        />
      )}
      {law !== undefined && <p class="k-note">{sentence(law)}</p>}
      {page !== undefined && <PagePart page={page} limit={limit} />}
    </section>
  );
}

function columnsOf(levels: readonly CapacityLevel[]): readonly Column<CapacityLevel>[] {
  return [
    ...levelColumns(levels).map(
      (column): Column<CapacityLevel> => ({
        title: column.title === '±' ? '± 95%' : column.title,
        className: 'num',
        cell: (level) => column.read(level),
      }),
    ),
    {
      title: 'Remarks',
      className: 'some',
      cell: (level) => {
        const remarks = [
          ...(level.unstable ?? []).map((code) => INSTABILITY[code]),
          ...Object.entries(level.errorKinds ?? {}).map(
            ([kind, count]) => `${foreign(kind)} × ${formatValue(count, 'count')}`,
          ),
        ];
        return remarks.length === 0 ? (
          ABSENT
        ) : (
          <small title={level.driver && driverInWords(level.driver)}>{remarks.join('; ')}</small>
        );
      },
    },
  ];
}

function Budgets({ budgets }: { readonly budgets: CapacityResult['budgets'] | undefined }): JSX.Element | undefined {
  if (budgets === undefined) return undefined;
  const isKept = budgets.every(({ state }) => state === 'pass');
  const isBroken = budgets.some(({ state }) => state === 'fail');
  return (
    <div class={isBroken ? 'notice bad' : isKept ? 'notice k-kept' : 'notice'}>
      <ul>
        {budgets.map(({ metric, state, sentence: text }) => (
          <li key={metric}>
            <b>{state === 'pass' ? 'Kept' : state === 'fail' ? 'Exceeded' : 'Not certain'}</b> {sentence(text)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PagePart({ page, limit }: { readonly page: PageUnderLoad; readonly limit: CapacityLimit }): JSX.Element {
  return (
    <>
      <h3>What people see</h3>
      <Table
        caption="The page while its server is under load"
        rows={page.points}
        columns={[
          { title: 'Load', cell: (point) => loadInWords(point, limit) },
          { title: 'Connections', className: 'num', cell: ({ concurrency }) => formatValue(concurrency, 'count') },
          {
            title: 'Page complete',
            className: 'num strong',
            cell: ({ pageComplete }) => formatValue(pageComplete, 'ms'),
          },
          { title: '95% interval', className: 'num', cell: ({ low, high }) => formatInterval(low, high, 'ms') },
          { title: 'Base page', className: 'num', cell: ({ basePage }) => formatValue(basePage, 'ms') },
          {
            title: 'Loads',
            className: 'num',
            cell: ({ n, of }) =>
              n === of ? formatValue(n, 'count') : `${n} of ${of} (${formatShare(n / Math.max(1, of))})`,
          },
        ]}
      />
    </>
  );
}
