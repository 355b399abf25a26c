import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import type { Settings } from '../../../model/result/result.ts';
import { fixToHandOver } from '../../../report/hand-over.ts';
import { type FixFinding, fixesOf, isWorthwhile, type Problem } from '../../../result/fixes.ts';
import { headlineComplete } from '../../../result/representative.ts';
import { fixSection, fixText, fixTitle, problemName, savingInWords } from '../../../wording/fixes/fixes.ts';
import { formatCount } from '../../../wording/text/format.ts';
import { Explained } from '../components/explained.tsx';
import { HandOver } from '../components/hand-over.tsx';
import { Owners } from '../components/owners.tsx';
import { foreign, sentence } from '../components/part.tsx';

/** Fixes of the first screen: more than anybody begins with. */
const FIRST = 3;

/** What to fix first, and how much sooner the page would be complete: each unfolds what to do, and all but the first few are folded. */
export function Fixes(props: {
  readonly target: TargetReport;
  readonly id: string;
  readonly settings: Settings;
}): JSX.Element | undefined {
  const { target, id, settings } = props;
  const all = fixesOf(target);
  if (all.length === 0) return undefined;
  // What would make a page complete sooner that was never complete, nobody can tell.
  const isComplete = headlineComplete(target) !== undefined;
  const first = isComplete ? all.filter(isWorthwhile).slice(0, FIRST) : [];
  const others = all.filter((fix) => !first.includes(fix));
  const heading = `${id}-fix-first`;
  const list = (fixes: readonly Problem[], from: number): JSX.Element => (
    <ol start={from + 1} aria-labelledby={heading}>
      {fixes.map((fix, index) => (
        <Fix key={index} target={target} settings={settings} fix={fix} id={`${id}-fix-${from + index + 1}`} />
      ))}
    </ol>
  );
  return (
    <section class="fixes owned">
      <h2 id={heading}>Fix first</h2>
      <Owners name={`${id}-fixes-of`} owners={all.map(({ who }) => who)} />
      {isComplete && first.length === 0 && (
        <p class="soft">
          None of the {formatCount(all.length, 'fix', 'fixes')} that Quiesce found would make this page complete
          noticeably sooner.
        </p>
      )}
      {first.length > 0 && list(first, 0)}
      {others.length > 0 && (
        <details class="more">
          <summary>
            {first.length > 0
              ? formatCount(others.length, 'more fix', 'more fixes')
              : `All ${formatCount(all.length, 'fix', 'fixes')}`}
          </summary>
          {list(others, first.length)}
        </details>
      )}
      {isComplete && (
        <p class="keys">
          How much sooner this page would be complete, estimated by replaying its requests without the problem. The
          savings overlap: do not add them up.
        </p>
      )}
    </section>
  );
}

function Fix(props: {
  readonly target: TargetReport;
  readonly settings: Settings;
  readonly fix: Problem;
  readonly id: string;
}): JSX.Element {
  const { target, settings, fix, id } = props;
  const name = problemName(fix, target.result.finalUrl ?? target.result.url);
  const title = foreign(fixTitle(fix.code));
  return (
    <li id={id} data-who={fix.who}>
      <details>
        <summary>
          <b class={fix.savesMs > 0 ? 'saves' : 'saves later'}>{sentence(savingInWords(fix))}</b>
          <span class="what">
            {name !== '' && <bdi dir="ltr">{foreign(name)}</bdi>}
            <small>{title}</small>
          </span>
        </summary>
        <div class="how">
          <p>{sentence(fixText(fix))}</p>
          <How code={fix.code} />
          <Alternatives fixes={fix.alternatives} />
          <HandOver parts={fixToHandOver(fix, target, settings)} />
        </div>
      </details>
    </li>
  );
}

/** What else would help against the same problem. */
function Alternatives({ fixes }: { readonly fixes: readonly FixFinding[] }): JSX.Element | undefined {
  if (fixes.length === 0) return undefined;
  return (
    <ul>
      {fixes.map((fix, index) => (
        <li key={index}>
          Or: <b>{foreign(fixTitle(fix.code))}</b> ({sentence(savingInWords(fix))}). {sentence(fixText(fix))}{' '}
          <How code={fix.code} />
        </li>
      ))}
    </ul>
  );
}

function How({ code }: { readonly code: string }): JSX.Element | undefined {
  const section = fixSection(code);
  return section && <Explained section={section} label="How" about={`to: ${fixTitle(code)}`} />;
}
