import type { FunctionComponent, JSX } from 'preact';
import { budgetsLine, recordingLine } from '../../report/chapter-lines.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { BackgroundPart } from './background/background.tsx';
import { BudgetsPart } from './budgets/budgets.tsx';
import { Part, type SectionProps } from './components/part.tsx';
import { CoveragePart } from './coverage/coverage.tsx';
import { WhereTimeWentPart } from './critical-path/where-time-went.tsx';
import { DownloadsPart } from './downloads/downloads.tsx';
import { FairnessPart } from './fairness/fairness.tsx';
import { RunsTable } from './fairness/runs.tsx';
import { EvidencePart } from './film/evidence.tsx';
import { FindingsPart } from './findings/findings.tsx';
import { InteractionsPart } from './interactions/interactions.tsx';
import { LighthousePart } from './lighthouse/lighthouse.tsx';
import { MainThreadPart } from './main-thread/main-thread.tsx';
import { MetricsPart } from './metrics/metrics.tsx';
import { TotalsPart } from './metrics/totals.tsx';
import { WaterfallPart } from './waterfall/waterfall.tsx';

/** What is said of a page below its answer, in order: what everybody reads, then rows that unfold. A section that has nothing to say is not there. */
export const SECTIONS: readonly FunctionComponent<SectionProps>[] = [
  EvidencePart,
  WhereTimeWentPart,
  WaterfallPart,
  PageBudgetsPart,
  FindingsPart,
  InteractionsPart,
  BackgroundPart,
  MainThreadPart,
  CoveragePart,
  TotalsPart,
  MetricsPart,
  LighthousePart,
  RecordingPart,
  FairnessPart,
  DownloadsPart,
];

function PageBudgetsPart({ target, id }: SectionProps): JSX.Element {
  const page = target.result.step === undefined ? 'this page' : 'this step';
  return (
    <BudgetsPart
      target={target.result}
      id={id}
      line={budgetsLine(target)}
      lead={`What ${page} may cost. A budget is met, or not met, only if the whole interval says so. In between it is undecided, which fails nothing.`}
    />
  );
}

/** How long a recorded page was recorded; of a file that could not be read the notice on top has said all. */
function RecordingPart({ target, id, analysis }: SectionProps): JSX.Element | undefined {
  const { length } = countedRuns(target);
  if (length === 0 || !analysis) return undefined;
  return (
    <Part id={id} title={length > 1 ? 'Recordings' : 'Recording'} line={recordingLine(target) ?? ''}>
      <RunsTable target={target} analysis />
    </Part>
  );
}
