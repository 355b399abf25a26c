import { Fragment, type JSX } from 'preact';
import type { TargetReport } from '../../model/report.ts';
import type { BackgroundEndpoint } from '../../model/result.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../format.ts';
import { answerOf, backgroundOf, headlineComplete, measuredRuns, stateInWords } from '../select.ts';
import { confidenceInWords, countedAnswer, impactInWords, overruledInWords } from '../words.ts';
import { foreign, Part, sentence } from './part.tsx';
import { type Column, Table } from './table.tsx';

/** Endpoints that are seen at once; of more, the ones that cost the least are folded away. */
const FEW = 12;

/** "GET https://shop.example/api/stock?*" with what tells it from its neighbours first; it breaks at slashes. */
export function Endpoint({ label }: { readonly label: string }): JSX.Element {
  const parts = /^([A-Z]+) ([a-z][a-z+.-]*:\/\/[^/?#\s]+)(\S*)$/i.exec(foreign(label));
  const [, method, origin, path = ''] = parts ?? [];
  const told = method === undefined ? foreign(label) : `${method} ${path === '' ? '/' : path}`;
  const pieces = told.split(/(?<=[/?&])/);
  return (
    <>
      <bdi dir="ltr" class="mono">
        {pieces.map((piece, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {piece}
          </Fragment>
        ))}
      </bdi>
      {origin !== undefined && (
        <small>
          <bdi dir="ltr">{origin}</bdi>
        </small>
      )}
    </>
  );
}

const ENDPOINT: Column<BackgroundEndpoint> = {
  title: 'Endpoint',
  className: 'endpoint',
  cell: (endpoint) => (
    <>
      <span class="kind">{foreign(endpoint.kind)}</span>
      <Endpoint label={endpoint.endpoint} />
    </>
  ),
};

const SEEN: Column<BackgroundEndpoint> = {
  title: 'What was seen',
  className: 'wide',
  cell: (endpoint) => (
    <>
      {sentence(endpoint.because)}
      <small>{confidenceInWords(endpoint)}</small>
    </>
  ),
};

const TRAFFIC: Column<BackgroundEndpoint> = {
  title: 'Traffic',
  className: 'some',
  cell: (endpoint) => (
    <>
      {sentence(
        `${formatCount(endpoint.requests, 'request')}${endpoint.period === undefined ? '' : `, every ${formatValue(endpoint.period, 'ms')}`}`,
      )}
      <small>
        {formatInterval(endpoint.firstStartedAt, endpoint.lastActivityAt, 'ms')}
        {endpoint.stillOpen && ', still open'}
      </small>
    </>
  ),
};

const IMPACT: Column<BackgroundEndpoint> = {
  title: 'On the screen',
  className: 'some',
  cell: (endpoint) => (
    <span class={endpoint.visualImpact === 'unknown' ? 'soft' : undefined}>{impactInWords(endpoint)}</span>
  ),
};

const costs = (complete: number | undefined): Column<BackgroundEndpoint> => ({
  title: 'Page complete if counted',
  className: 'counted',
  cell: (endpoint) => {
    const { figure, beside } = countedAnswer(endpoint, complete);
    return (
      <>
        <b>{figure}</b>
        {beside !== undefined && <small>{beside}</small>}
      </>
    );
  },
});

const OVERRULED: Column<BackgroundEndpoint> = {
  title: 'Why it counts',
  className: 'some',
  cell: (endpoint) => foreign(overruledInWords(endpoint)),
};

/** What all of it together would have done: the answer of plain quiescence. */
function Together({ target, complete }: { readonly target: TargetReport; readonly complete: number | undefined }) {
  const raw = answerOf(target)?.raw;
  if (raw === undefined) return undefined;
  return (
    <p class="together">
      <span>All of it counted, as plain quiescence does</span>
      <span>
        <b>{stateInWords(raw)}</b>
        {complete !== undefined && ` instead of ${formatValue(complete, 'ms')}`}
      </span>
    </p>
  );
}

/** The endpoints whose traffic was left out and what each would have cost; then those that count all the same. */
export function BackgroundPart(props: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const { target, id, analysis } = props;
  const { left, counted } = backgroundOf(target);
  if (left.length + counted.length === 0) {
    if (measuredRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="Background traffic">
        <p class="soft">None was seen: every request counts{analysis ? '' : ', and nothing had to be proved'}.</p>
      </Part>
    );
  }
  const complete = headlineComplete(target);
  // A recorded file shows no screen.
  const screen = [...left, ...counted].some((endpoint) => endpoint.visualImpact !== 'unknown') ? [IMPACT] : [];
  // Of an answer that is not known nobody can say what would have moved it.
  const priced = left.some((endpoint) => countedAnswer(endpoint, complete).figure !== ABSENT);
  const columns = [ENDPOINT, SEEN, TRAFFIC, ...screen, ...(priced ? [costs(complete)] : [])];
  const more = left.slice(FEW);
  return (
    <Part
      id={id}
      title="Background traffic"
      lead={
        left.length === 0
          ? 'Traffic that looks as if it only keeps the wire busy. All of it counts.'
          : `Traffic that only keeps the wire busy. It is left out of page complete, and stays in the waterfall${analysis ? '' : ' and in the HAR'}.`
      }
    >
      {left.length > 0 && (
        <>
          <Table
            caption="Background endpoints that were left out"
            columns={columns}
            rows={left.slice(0, FEW)}
            className="even"
          />
          {more.length > 0 && (
            <details class="more">
              <summary>{`${formatCount(more.length, 'more endpoint')} that cost less`}</summary>
              <Table caption="More background endpoints" columns={columns} rows={more} className="even" />
            </details>
          )}
          <Together target={target} complete={complete} />
        </>
      )}
      {counted.length > 0 && (
        <div class="overruled">
          <h4>{left.length > 0 ? 'Recognised, but counted all the same' : 'Recognised, and counted all the same'}</h4>
          <Table
            caption="Background endpoints that count all the same"
            columns={[ENDPOINT, SEEN, TRAFFIC, ...screen, OVERRULED]}
            rows={counted}
            className="even"
          />
        </div>
      )}
    </Part>
  );
}
