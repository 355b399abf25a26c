import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import { fairnessOf, trustOf } from '../../../report/fairness.ts';
import { judgementOf } from '../../../report/judgement.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { fixesOf, type Problem, worthwhileFixes } from '../../../result/fixes.ts';
import { headlineComplete } from '../../../result/representative.ts';
import { alternativesText, fixTitle, problemName, savingInWords } from '../../../wording/fixes.ts';
import { formatCount } from '../../../wording/format.ts';
import { foreign, partId, type SectionProps, sentence } from '../components/part.tsx';
import { Unfair } from '../fairness/fairness.tsx';
import { answerInMarkdown } from './answer-markdown.ts';
import { PagePicture } from './page-picture.tsx';
import { Statement } from './verdict.tsx';

/** Fixes of the first screen: more than anybody begins with. */
const FIRST = 3;

/** What a reader needs in five seconds: good or bad, what it looks like, what to fix first, and whether to believe it. */
export function Answer(props: SectionProps & { readonly only: boolean }): JSX.Element {
  const { target, id, analysis, pictures, only } = props;
  const { tone, sign, word, because } = judgementOf(target);
  const picture = PagePicture({ target, pictures });
  return (
    <div class={picture === undefined ? 'first' : 'first pictured'}>
      <div class="first-words">
        <p class={`judged ${tone}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </p>
        <Statement target={target} only={only} analysis={analysis} tone={tone} />
        {because.length > 0 && <p class="because">{sentence(because.join(' '))}</p>}
        <Trust target={target} id={id} analysis={analysis} />
      </div>
      {picture}
      <FirstFixes target={target} id={id} />
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

/** "✓ 5 runs agree · machine quiet"; of a recording nothing is known of that. */
function Trust(props: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const { target, id, analysis } = props;
  const trust = analysis ? undefined : trustOf(target);
  if (trust === undefined) return undefined;
  if (fairnessOf(target)?.aside !== undefined) return <Unfair target={target} id={id} />;
  return (
    <p class={trust.sure ? 'trust' : 'trust unsure'}>
      <span aria-hidden="true">{trust.sure ? '✓' : '!'}</span>{' '}
      <a href={`#${partId(id, 'Was this a fair measurement?')}`}>{sentence(trust.words.join(' · '))}</a>
    </p>
  );
}

/** The fixes that save most; where nothing saves anything, that. */
function FirstFixes({ target, id }: { readonly target: TargetReport; readonly id: string }): JSX.Element | undefined {
  const all = fixesOf(target);
  const fixes = worthwhileFixes(target);
  const more = all.length - Math.min(FIRST, fixes.length);
  const heading = `${id}-first-fixes`;
  // Of a page that was never complete nobody can tell what would make it complete sooner.
  if (all.length === 0 || headlineComplete(target) === undefined) return undefined;
  return (
    <section class="first-fixes">
      <h2 id={heading}>Fix first</h2>
      {fixes.length === 0 ? (
        <p class="soft">
          None of the {formatCount(all.length, 'fix', 'fixes')} that Quiesce found would make this page complete
          noticeably sooner.
        </p>
      ) : (
        <ol aria-labelledby={heading}>
          {fixes.slice(0, FIRST).map((fix, index) => (
            <FirstFix
              key={index}
              fix={fix}
              pageUrl={target.result.finalUrl ?? target.result.url}
              id={`${id}-fix-${all.findIndex(({ message }) => message === fix.message) + 1}`}
            />
          ))}
        </ol>
      )}
      {more > 0 && all.length > 0 && (
        <p class="keys">
          <a href={`#${id}-fix-first`}>
            {fixes.length > FIRST || fixes.length === 0
              ? `All ${formatCount(all.length, 'fix', 'fixes')}`
              : formatCount(more, 'smaller fix', 'smaller fixes')}
          </a>
          {fixes.length > 1 && ' · The savings overlap: do not add them up.'}
        </p>
      )}
    </section>
  );
}

/** @param id of the fix in the list of all, which says how */
function FirstFix({
  fix,
  pageUrl,
  id,
}: {
  readonly fix: Problem;
  readonly pageUrl: string;
  readonly id: string;
}): JSX.Element {
  const title = foreign(fixTitle(fix.code));
  const name = problemName(fix, pageUrl);
  const or = alternativesText(fix);
  return (
    <li>
      <b class="saves">{sentence(savingInWords(fix))}</b>
      <span class="what">
        {name !== '' && <bdi dir="ltr">{foreign(name)}</bdi>}
        <small>
          <a href={`#${id}`}>{title}</a>
          {or !== undefined && <> · {sentence(or)}</>}
        </small>
      </span>
    </li>
  );
}
