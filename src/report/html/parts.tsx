import type { ComponentChildren, JSX } from 'preact';
import type { MetricColumn, TargetReport } from '../../model/report.ts';
import type { BackgroundEndpoint, Breakdown, MetricSummary, RunResult } from '../../model/result.ts';
import { ABSENT, formatCount, formatInterval, formatShare, formatValue } from '../format.ts';
import {
  agreementInWords,
  costInWords,
  findingsOf,
  levelInWords,
  measuredRuns,
  type SharedFinding,
  standingOf,
  stateInWords,
} from '../select.ts';
import { elide, plain, safeHref, siblingFile } from '../text.ts';
import { type Column, Table } from './table.tsx';

/** Longest foreign text that is written out in a table. */
const LONG = 600;

const foreign = (text: string): string => plain(elide(text, LONG));

/** A URL of the page: a link when it is safe to follow. */
export function Address({ url }: { readonly url: string }): JSX.Element | undefined {
  const href = safeHref(url);
  if (href === undefined) return <bdi dir="ltr">{foreign(url)}</bdi>;
  return (
    <a href={href} rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank">
      <bdi dir="ltr">{foreign(url)}</bdi>
    </a>
  );
}

const slug = (title: string): string => title.toLowerCase().replace(/[^a-z]+/g, '-');

/** A part of a target's report with its heading. */
export function Part(props: {
  readonly id: string;
  readonly title: string;
  readonly lead?: string | JSX.Element | undefined;
  readonly children: ComponentChildren;
}): JSX.Element | undefined {
  const heading = `${props.id}-${slug(props.title)}`;
  return (
    <section class="part" aria-labelledby={heading}>
      <h3 id={heading}>{props.title}</h3>
      {props.lead !== undefined && <p class="lead">{props.lead}</p>}
      <div class="body">{props.children}</div>
    </section>
  );
}

// ── Where the time went ────────────────────────────────────────────────────────────────────────────────────────────────

interface Piece {
  readonly className: string;
  readonly title: string;
  readonly value: number;
  readonly means: string;
}

function Split(props: { readonly pieces: readonly Piece[]; readonly label: string; readonly thin?: boolean }) {
  const total = props.pieces.reduce((sum, piece) => sum + Math.max(0, piece.value), 0);
  let from = 0;
  const placed = props.pieces.map((piece) => {
    const share = total === 0 ? 0 : Math.max(0, piece.value) / total;
    const x = from;
    from += share;
    return { ...piece, share, x };
  });
  const spoken = placed.map((piece) => `${piece.title} ${formatValue(piece.value, 'ms')}`).join(', ');
  const at = (share: number): string => `${Number((share * 100).toFixed(3))}%`;
  return (
    <>
      <svg class={props.thin ? 'stack-bar thin' : 'stack-bar'} role="img" aria-label={`${props.label}: ${spoken}`}>
        {placed.map((piece) => (
          <rect key={piece.title} class={piece.className} x={at(piece.x)} width={at(piece.share)} height="100%" />
        ))}
      </svg>
      <dl class={props.thin ? 'split two' : 'split'}>
        {placed.map((piece) => (
          <div key={piece.title}>
            <dt>
              <i class={piece.className} aria-hidden="true" />
              {piece.title}
            </dt>
            <dd>
              <b>{formatValue(piece.value, 'ms')}</b>
              <span>{formatShare(piece.share)}</span>
              <small>{piece.means}</small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function stagesOf(breakdown: Breakdown): readonly Piece[] {
  return [
    {
      className: 'b1',
      title: 'Base page',
      value: breakdown.basePage,
      means: 'From the request to the last byte of the document',
    },
    { className: 'b2', title: 'Parse', value: breakdown.parse, means: 'The parser at work, no component on the wire' },
    { className: 'b3', title: 'Components', value: breakdown.components, means: 'At least one component on the wire' },
    {
      className: 'b4',
      title: 'Render',
      value: breakdown.render,
      means: 'Nothing on the wire, the page still changing',
    },
  ];
}

/** Where page-complete went, of the run that stands for the target. */
export function BreakdownPart({ target, id }: { readonly target: TargetReport; readonly id: string }) {
  const run = target.representative;
  const breakdown = run?.breakdown;
  const busy = run?.metrics?.mainThreadTime;
  const waiting = run?.metrics?.waitTime;
  if (run === undefined || (breakdown === undefined && (busy === undefined || waiting === undefined))) return undefined;
  const complete = formatValue(run.pageComplete?.at, 'ms');
  const standing = standingOf(target, run);
  return (
    <Part
      id={id}
      title="Where the time went"
      lead={`Run ${run.index}${standing === undefined ? '' : `, the ${standing}`}: the stages add up to its page-complete time of ${complete}.`}
    >
      {breakdown !== undefined && <Split label="Stages" pieces={stagesOf(breakdown)} />}
      {busy !== undefined && waiting !== undefined && (
        <>
          <Split
            thin
            label="Main thread"
            pieces={[
              {
                className: 'b5',
                title: 'Main thread at work',
                value: busy,
                means: 'Running scripts, style, layout and paint',
              },
              {
                className: 'b6',
                title: 'Waiting',
                value: waiting,
                means: 'The main thread idle: waiting for the network or a timer',
              },
            ]}
          />
          <p class="keys">Of the same wall time, every moment is one or the other.</p>
        </>
      )}
    </Part>
  );
}

// ── Metrics ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Each run as a dot; the strip spans at least ±10 % of the median so that calm runs look calm. */
function Dots(props: {
  readonly summary: MetricSummary;
  readonly column: MetricColumn;
  readonly runs: readonly RunResult[];
}): JSX.Element | undefined {
  const { summary, column, runs } = props;
  const values = runs.flatMap((run) => {
    const value = run.metrics?.[column.name];
    return value === undefined || !Number.isFinite(value) ? [] : [{ run: run.index, value }];
  });
  const far = Math.max(0, ...values.map(({ value }) => Math.abs(value - summary.median)));
  const reach = Math.max(Math.abs(summary.median) * 0.1, far * 1.05) || 1;
  const x = (value: number): number =>
    Number((85 + (Math.max(-1, Math.min(1, (value - summary.median) / reach)) || 0) * 78).toFixed(2));
  const spoken = values.map(({ run, value }) => `run ${run} ${formatValue(value, column.unit)}`).join(', ');
  return (
    <svg class="dots" viewBox="0 0 170 26" role="img" aria-label={spoken}>
      <title>{spoken}</title>
      <line class="axis" x1="3" x2="167" y1="13" y2="13" />
      {summary.low !== undefined && summary.high !== undefined && (
        <line class="range" x1={x(summary.low)} x2={x(summary.high)} y1="13" y2="13" />
      )}
      <line class="median" x1={x(summary.median)} x2={x(summary.median)} y1="4" y2="22" />
      {values.map(({ run, value }) => (
        <circle key={run} cx={x(value)} cy="13" r="3.4">
          <title>{`Run ${run}: ${formatValue(value, column.unit)}`}</title>
        </circle>
      ))}
    </svg>
  );
}

/** Every metric over the timed runs. */
export function MetricsPart(props: {
  readonly target: TargetReport;
  readonly columns: readonly MetricColumn[];
  readonly id: string;
}): JSX.Element | undefined {
  const { target, columns, id } = props;
  const { summary } = target.result;
  const runs = measuredRuns(target);
  if (runs.length === 0 || columns.every((column) => summary[column.name] === undefined)) return undefined;
  // Metrics that were read in every run share one level, which then need not be said in every row.
  const levels = new Set(columns.map((column) => levelInWords(summary[column.name])).filter((words) => words !== ''));
  const [level] = levels.size === 1 ? levels : [];
  const table: readonly Column<MetricColumn>[] = [
    {
      title: 'Metric',
      className: 'wide',
      cell: (column) => (
        <>
          {column.title}
          <small>{column.description}</small>
        </>
      ),
    },
    {
      title: 'Median',
      className: 'num strong',
      cell: (column) => formatValue(summary[column.name]?.median, column.unit),
    },
    {
      title: level === undefined ? 'Interval' : `Interval, ${level}`,
      className: 'num',
      cell: (column) => {
        const found = summary[column.name];
        const own = levelInWords(found);
        return (
          <>
            {formatInterval(found?.low, found?.high, column.unit)}
            {own !== '' && own !== level && <small>{own}</small>}
          </>
        );
      },
    },
    {
      title: 'Runs agree',
      cell: (column) => {
        const words = agreementInWords(summary[column.name]);
        return words === ABSENT ? words : <span class={`agree ${words.replace(' ', '-')}`}>{words}</span>;
      },
    },
    {
      title: 'Each run',
      cell: (column) => {
        const found = summary[column.name];
        return found === undefined ? ABSENT : <Dots summary={found} column={column} runs={runs} />;
      },
    },
  ];
  return (
    <Part
      id={id}
      title="Metrics"
      lead={`Medians over ${formatCount(runs.length, 'timed run')}${level === undefined ? '' : `; in ${level} of such audits the interval holds the true median`}. Runs are stable when half the interval is within 5\u00a0% of the median, and vary up to 10\u00a0%.`}
    >
      <Table caption="Metrics" columns={table} rows={columns} />
    </Part>
  );
}

// ── Background traffic ─────────────────────────────────────────────────────────────────────────────────────────────────

const IMPACT: Readonly<Record<BackgroundEndpoint['visualImpact'], string | undefined>> = {
  none: 'no visual impact',
  'first-content': 'brought the first content',
  continuous: 'keeps changing the page',
  unknown: undefined,
};

const ENDPOINTS: readonly Column<BackgroundEndpoint>[] = [
  { title: 'Kind', className: 'num', cell: (endpoint) => <span class="kind">{endpoint.kind}</span> },
  {
    title: 'Endpoint',
    className: 'address mono',
    cell: (endpoint) => <bdi dir="ltr">{foreign(endpoint.endpoint)}</bdi>,
  },
  { title: 'Requests', className: 'num', cell: (endpoint) => formatValue(endpoint.requests, 'count') },
  { title: 'Every', className: 'num', cell: (endpoint) => formatValue(endpoint.period, 'ms') },
  { title: 'Still open', className: 'num', cell: (endpoint) => (endpoint.stillOpen ? 'yes' : 'no') },
  {
    title: 'Because',
    className: 'wide',
    cell: (endpoint) => {
      const impact = IMPACT[endpoint.visualImpact];
      return (
        <>
          {foreign(endpoint.because)}
          <small>
            {endpoint.confidence}
            {impact !== undefined && `, ${impact}`}
            {!endpoint.excluded && ', counted all the same'}
          </small>
        </>
      );
    },
  },
  { title: 'Cost if counted', className: 'num strong', cell: costInWords },
];

/** The endpoints whose traffic was left out, and what they would have cost. */
export function BackgroundPart({
  target,
  id,
}: {
  readonly target: TargetReport;
  readonly id: string;
}): JSX.Element | undefined {
  const { background } = target.result;
  if (background.length === 0) {
    if (measuredRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="Background traffic">
        <p class="soft">None was seen: every request counts.</p>
      </Part>
    );
  }
  return (
    <Part
      id={id}
      title="Background traffic"
      lead="Endpoints that only keep the wire busy. The cost is how much later page-complete would have been with the endpoint counted."
    >
      <Table caption="Background endpoints" columns={ENDPOINTS} rows={background} />
    </Part>
  );
}

// ── Findings and runs ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Addresses that a finding lists before it says how many more there are. */
const LISTED = 20;

function Addresses({ urls }: { readonly urls: readonly string[] }): JSX.Element | undefined {
  return (
    <details>
      <summary>{formatCount(urls.length, 'address', 'addresses')}</summary>
      <ul>
        {urls.slice(0, LISTED).map((url) => (
          <li key={url}>
            <Address url={url} />
          </li>
        ))}
        {urls.length > LISTED && <li>and {formatValue(urls.length - LISTED, 'count')} more</li>}
      </ul>
    </details>
  );
}

/** What a reader should know besides. */
export function FindingsPart({
  target,
  id,
}: {
  readonly target: TargetReport;
  readonly id: string;
}): JSX.Element | undefined {
  const findings = findingsOf(target);
  if (findings.length === 0) return undefined;
  const where = (finding: SharedFinding): string =>
    finding.runs.length === target.result.runs.filter((run) => run.ok).length
      ? 'in every run'
      : `in run ${finding.runs.join(', ')}`;
  return (
    <Part id={id} title="Findings">
      <ul class="findings">
        {findings.map((finding, index) => (
          <li key={index}>
            <code>{foreign(finding.code)}</code> <span class="soft">{where(finding)}</span>
            <p>{foreign(finding.message)}</p>
            {finding.urls.length > 0 && <Addresses urls={finding.urls} />}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Host({ run }: { readonly run: RunResult }): JSX.Element | undefined {
  const { host } = run;
  if (host === undefined) return <>{ABSENT}</>;
  const load = [
    host.busyByOthers === undefined ? undefined : `${formatShare(host.busyByOthers)} busy with other work`,
    host.steal === undefined || host.steal === 0 ? undefined : `${formatShare(host.steal)} stolen`,
    ...host.reasons.map(foreign),
  ].filter((part) => part !== undefined);
  return (
    <>
      <span class={host.verdict === 'unfit' ? 'bad-text' : undefined}>{host.verdict}</span>
      {load.length > 0 && <small>{load.join('; ')}</small>}
    </>
  );
}

/** Every run, also those that failed or do not count. */
export function RunsPart({
  target,
  id,
}: {
  readonly target: TargetReport;
  readonly id: string;
}): JSX.Element | undefined {
  const { runs } = target.result;
  if (runs.length === 0) return undefined;
  const columns: readonly Column<RunResult>[] = [
    {
      title: 'Run',
      className: 'num',
      cell: (run) => (
        <>
          {run.index}
          {standingOf(target, run) !== undefined && <small>{standingOf(target, run)}</small>}
        </>
      ),
    },
    { title: 'Role', className: 'num', cell: (run) => run.role },
    {
      title: 'Result',
      cell: (run) => {
        const again = (run.attempts ?? 1) > 1 ? <small>{`tried ${run.attempts} times`}</small> : undefined;
        if (run.ok) return <>ok{again}</>;
        return (
          <>
            <span class="bad-text">{foreign(run.failure?.message ?? 'failed')}</span>
            {run.failure !== undefined && <small>{foreign(run.failure.code)}</small>}
            {again}
          </>
        );
      },
    },
    {
      title: 'Page complete',
      className: 'num strong',
      cell: (run) => stateInWords(run.pageComplete),
    },
    {
      title: 'Plain quiescence',
      className: 'num',
      cell: (run) => stateInWords(run.pageComplete?.raw),
    },
    { title: 'Watched', className: 'num', cell: (run) => formatValue(run.pageComplete?.observedUntil, 'ms') },
    { title: 'Machine', className: 'some', cell: (run) => <Host run={run} /> },
    {
      title: 'HAR',
      className: 'num',
      cell: (run) => {
        const file = siblingFile(run.har);
        return file === undefined ? run.har === undefined ? ABSENT : foreign(run.har) : <a href={file}>{file}</a>;
      },
    },
  ];
  return (
    <Part id={id} title="Runs">
      <Table caption="Runs" columns={columns} rows={runs} />
    </Part>
  );
}
