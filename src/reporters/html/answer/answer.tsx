import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import { fairnessOf, trustOf } from '../../../report/fairness.ts';
import { judgementOf } from '../../../report/judgement.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { certaintyInWords } from '../../../wording/completion/doubt.ts';
import { elsewhereInWords } from '../../../wording/result/elsewhere.ts';
import { capitalized } from '../../../wording/text/text.ts';
import { partId, type SectionProps, sentence } from '../components/part.tsx';
import { answerInMarkdown } from './answer-markdown.ts';
import { Fixes } from './fixes.tsx';
import { PagePicture } from './page-picture.tsx';
import { Unfair } from './unfair.tsx';
import { Statement } from './verdict.tsx';

/** What a reader needs in five seconds: good or bad, what it looks like, what to fix first, and whether to believe it. */
export function Answer(props: SectionProps & { readonly only: boolean }): JSX.Element {
  const { target, report, id, analysis, pictures, only } = props;
  const { tone, sign, word, because } = judgementOf(target);
  const elsewhere = elsewhereInWords(target.result);
  const picture = PagePicture({ target, pictures });
  return (
    <div class={picture === undefined ? 'first' : 'first pictured'}>
      <div class="first-words">
        <p class={`judged ${tone}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </p>
        <Statement target={target} only={only} analysis={analysis} tone={tone} />
        {elsewhere !== undefined && <p class="elsewhere">{sentence(elsewhere)}</p>}
        {because.length > 0 && <p class="because">{sentence(because.join(' '))}</p>}
        <Trust target={target} id={id} analysis={analysis} />
      </div>
      {picture}
      <Fixes target={target} id={id} settings={report.result.settings} />
      {countedRuns(target).length > 0 && (
        <p class="take">
          {/* Where no script runs it is not seen. */}
          <button type="button" class="copy" data-copy={answerInMarkdown(target)} hidden>
            Copy as Markdown
          </button>
        </p>
      )}
    </div>
  );
}

/** "✓ 5 runs agree · machine quiet · proved"; of a recording only how sure its answer is. */
function Trust(props: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const { target, id, analysis } = props;
  const trust = analysis ? undefined : trustOf(target);
  if (trust === undefined) return <Certainty target={target} />;
  if (fairnessOf(target)?.aside !== undefined) return <Unfair target={target} id={id} />;
  return (
    <p class={trust.sure ? 'trust' : 'trust unsure'}>
      <span aria-hidden="true">{trust.sure ? '✓' : '!'}</span>{' '}
      <a href={`#${partId(id, 'Was it fair?')}`}>{sentence(trust.words.join(' · '))}</a>
    </p>
  );
}

function Certainty({ target: { representative, result } }: { readonly target: TargetReport }): JSX.Element | undefined {
  const answer = representative?.pageComplete;
  const certainty = answer && certaintyInWords(answer, result.finalUrl ?? result.url);
  if (certainty === undefined) return undefined;
  return <p class={answer?.doubt === 'doubtful' ? 'trust unsure' : 'trust'}>{sentence(capitalized(certainty))}</p>;
}
