import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import { type FixFinding, fixesOf } from '../../../result/fixes.ts';
import { fixSection, fixText, fixTitle, problemTitle, savingInWords } from '../../../wording/fixes.ts';
import { Explained } from '../components/explained.tsx';
import { foreign, sentence } from '../components/part.tsx';

/** What to fix first, with how much sooner the page would be complete, and a link to how. */
export function Fixes(props: { readonly target: TargetReport; readonly id: string }): JSX.Element | undefined {
  const fixes = fixesOf(props.target);
  if (fixes.length === 0) return undefined;
  const { finalUrl, url } = props.target.result;
  const pageUrl = finalUrl ?? url;
  const heading = `${props.id}-fix-first`;
  return (
    <section class="fixes">
      <h4 id={heading}>What to fix first</h4>
      <p class="path-lead">
        How much sooner this page would be complete, estimated by replaying its requests without the problem; where it
        would not be, how much less is sent. The savings overlap, so do not add them up.
      </p>
      <ol aria-labelledby={heading}>
        {fixes.map((fix, index) => (
          <li key={index} id={`${props.id}-fix-${index + 1}`} class={fix.savesMs > 0 ? undefined : 'later'}>
            <b class="saves">{sentence(savingInWords(fix))}</b>
            <div>
              <h5>{foreign(problemTitle(fix, pageUrl))}</h5>
              <p>{sentence(fixText(fix))}</p>
              <How code={fix.code} />
              <Alternatives fixes={fix.alternatives} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What else would help against the same problem; the savings overlap. */
function Alternatives({ fixes }: { readonly fixes: readonly FixFinding[] }): JSX.Element | undefined {
  if (fixes.length === 0) return undefined;
  return (
    <ul class="or">
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
