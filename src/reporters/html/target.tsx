import type { JSX } from 'preact';
import { failures } from '../../report/audit/failures.ts';
import { chapters } from '../../report/audit/index.ts';
import { missing } from '../../report/audit/missing.ts';
import type { Page } from '../../report/audit/page.ts';
import { conditionsInWords } from '../../report/conditions.ts';
import { type Part, paragraph, textOf } from '../../report/parts.ts';
import { failedRuns } from '../../result/counted-runs.ts';
import { typedOf } from '../../result/pages-with-steps.ts';
import { Answer } from './answer/answer.tsx';
import { Health } from './answer/health.tsx';
import { Address, foreign, foreignName, type SectionProps, sentence } from './components/part.tsx';
import { WhereTimeWentPart } from './critical-path/where-time-went.tsx';
import { DownloadsPart } from './downloads/downloads.tsx';
import { EvidencePart } from './film/evidence.tsx';
import { Proof } from './film/proof.tsx';
import { Scores } from './lighthouse/scores.tsx';
import { HeadlineFigures } from './metrics/metrics.tsx';
import { WaterfallPart } from './waterfall/waterfall.tsx';
import { Chapters, Parts } from './write.tsx';

/** The answer, then the film, where the time went and every request; all else unfolds. */
export function Target(props: Omit<SectionProps, 'analysis'>): JSX.Element {
  const { target, report, id, pictures } = props;
  const { result } = target;
  const analysis = report.result.kind === 'analysis';
  const only = report.targets.length === 1;
  const page: Page = { target, result: report.result, columns: report.columns, analysis, detail: 'all' };
  const ablation = result.evidence?.ablation;
  const typed = analysis ? undefined : typedOf(result);
  const moved = result.finalUrl !== undefined && result.finalUrl !== result.url ? result.finalUrl : undefined;
  return (
    <article class="target" id={id}>
      <p class="subject">
        {result.step !== undefined && 'A step of the script, after the load of '}
        {only && result.name !== undefined && (
          <>
            <b>
              <bdi>{foreignName(result.name)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        {only && result.title !== undefined && result.title !== '' && result.title !== result.url && (
          <>
            <b>
              <bdi>{foreignName(result.title)}</bdi>
            </b>{' '}
            ·{' '}
          </>
        )}
        {typed !== undefined && (
          <>
            <bdi dir="ltr">{foreignName(typed)}</bdi> at{' '}
          </>
        )}
        <Address url={result.url} />
        {moved !== undefined && (
          <>
            {' '}
            → <Address url={moved} />
          </>
        )}
        {analysis && result.target !== result.url && (
          <span class="file">
            Recorded page, from the file <bdi dir="ltr">{foreign(result.target)}</bdi>
          </span>
        )}
      </p>
      {result.conditions !== undefined && result.step === undefined && (
        <p class="conditions">{sentence(conditionsInWords(result.conditions))}</p>
      )}
      <Health target={result} />
      <Answer {...props} analysis={analysis} only={only} />
      <Notice parts={failures(page)} grave={failedRuns(target).some(({ role }) => role === 'timed')} />
      {only && <h2 class="unseen">The page in detail</h2>}
      <HeadlineFigures target={target} columns={report.columns} />
      <Notice parts={missing(page)} />
      <Chapters
        id={id}
        pictures={pictures}
        parts={chapters.flatMap((chapter) => chapter(page))}
        figures={{
          film: () => <EvidencePart {...props} analysis={analysis} />,
          path: () => <WhereTimeWentPart {...props} analysis={analysis} />,
          waterfall: () => <WaterfallPart target={target} id={id} analysis={analysis} />,
          scores: () => result.lighthouse && <Scores lighthouse={result.lighthouse} />,
          proof: () => ablation && <Proof ablation={ablation} target={target} pictures={pictures} />,
          files: () => <DownloadsPart target={target} report={report} id={id} />,
        }}
      />
    </article>
  );
}

/** What is to be read before the figures. Its title is no heading: it stands above those of the page's parts. */
function Notice(props: { readonly parts: readonly Part[]; readonly grave?: boolean }): JSX.Element | undefined {
  const { parts, grave = false } = props;
  if (parts.length === 0) return undefined;
  const untitled = parts.flatMap((part): readonly Part[] => {
    if (part.kind !== 'list' || part.title === undefined) return [part];
    const { title, ...items } = part;
    return [...paragraph({ strong: textOf(title) }), items];
  });
  return (
    <div class={grave ? 'notice bad' : 'notice'} role="note">
      <Parts parts={untitled} />
    </div>
  );
}
