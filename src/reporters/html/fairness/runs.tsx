import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { RunResult } from '../../../model/result.ts';
import { timedRuns, untimedRuns } from '../../../result/counted-runs.ts';
import { standingOf } from '../../../result/representative.ts';
import { ABSENT, formatShare, formatValue } from '../../../wording/format.ts';
import { stateInWords } from '../../../wording/outcome.ts';
import { purposeInWords, watchedInWords } from '../../../wording/words.ts';
import { foreign, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

function Host({ run }: { readonly run: RunResult }): JSX.Element | undefined {
  const { host } = run;
  if (host === undefined) return <>{ABSENT}</>;
  const figures = [
    host.busyByOthers === undefined ? undefined : `${formatShare(host.busyByOthers)} busy with other work`,
    host.steal === undefined || host.steal === 0 ? undefined : `${formatShare(host.steal)} stolen`,
  ].filter((part) => part !== undefined);
  // A reason has its figure in it.
  const load = host.reasons.length > 0 ? host.reasons : figures;
  return (
    <>
      <span class={host.verdict === 'unfit' ? 'bad-text' : undefined}>{foreign(host.verdict)}</span>
      {load.length > 0 && <small>{sentence(load.join('; '))}</small>}
    </>
  );
}

/** How a run ended; of one that went well there is nothing to say. */
function Outcome({ run }: { readonly run: RunResult }): JSX.Element | undefined {
  const again = (run.attempts ?? 1) > 1 ? <small>{`tried ${run.attempts} times`}</small> : undefined;
  if (run.ok) return again;
  return (
    <>
      <small class="bad-text">{foreign(run.failure?.message ?? 'failed')}</small>
      {run.failure !== undefined && <small>{foreign(run.failure.code)}</small>}
      {again}
    </>
  );
}

const COMPLETE: Column<RunResult> = {
  title: 'Page complete',
  className: 'some strong',
  cell: (run) => (run.ok ? stateInWords(run.pageComplete) : <span class="bad-text">failed</span>),
};

const RAW: Column<RunResult> = {
  title: 'Network idle',
  className: 'num',
  cell: (run) => stateInWords(run.pageComplete?.raw),
};

const watched = (analysis: boolean): Column<RunResult> => ({
  title: analysis ? 'Recorded for' : 'Watched for',
  className: 'wide',
  cell: ({ pageComplete }) => {
    const because = watchedInWords(pageComplete, analysis);
    return (
      <>
        {formatValue(pageComplete?.observedUntil, 'ms')}
        {because !== undefined && <small>{foreign(because)}</small>}
      </>
    );
  },
});

/** Every run, also those that failed, and after the timed ones those that do not count. */
export function RunsTable(props: {
  readonly target: TargetReport;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const { target, analysis } = props;
  const timed = timedRuns(target);
  const untimed = untimedRuns(target);
  if (timed.length + untimed.length === 0) return undefined;
  // Of a file that could not be read the notice above has said all.
  if (analysis && timed.every((run) => !run.ok)) return undefined;
  const several = timed.length + untimed.length > 1;
  const named: Column<RunResult> = {
    title: analysis ? 'Recording' : 'Run',
    className: 'named',
    cell: (run) => {
      const what = standingOf(target, run) ?? purposeInWords(run.role);
      return (
        <>
          {analysis && run.role === 'timed' ? run.index : `${run.index} ${foreign(run.role)}`}
          {what !== undefined && <small>{what}</small>}
          <Outcome run={run} />
        </>
      );
    },
  };
  const machine: Column<RunResult> = { title: 'Machine', className: 'some', cell: (run) => <Host run={run} /> };
  const columns = analysis
    ? [...(several ? [named] : []), COMPLETE, RAW, watched(analysis)]
    : [named, COMPLETE, RAW, watched(analysis), machine];
  return (
    <Table
      caption={analysis ? (several ? 'Recordings' : 'Recording') : 'Every run'}
      columns={columns}
      rows={[...timed, ...untimed]}
      rowClass={(run) => (run.role === 'timed' ? undefined : 'untimed')}
    />
  );
}
