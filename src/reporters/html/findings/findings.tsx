import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import { findingsLine } from '../../../report/chapter-lines.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { otherFindings } from '../../../result/findings.ts';
import { formatCount } from '../../../wording/format.ts';
import { findingTitle, findingWhere } from '../../../wording/words.ts';
import { AndMore } from '../components/notes.tsx';
import { Address, Anchor, foreign, Part, sentence } from '../components/part.tsx';

/** Addresses that are seen at once. */
const SEEN = 3;
/** Addresses that a finding lists before it says how many more there are. */
const LISTED = 20;

function List({ urls }: { readonly urls: readonly string[] }): JSX.Element {
  return (
    <ul class="urls">
      {urls.slice(0, LISTED).map((url) => (
        <li key={url}>
          <Address url={url} />
        </li>
      ))}
      <AndMore count={urls.length - LISTED} />
    </ul>
  );
}

function Addresses({ urls }: { readonly urls: readonly string[] }): JSX.Element | undefined {
  if (urls.length === 0) return undefined;
  if (urls.length <= SEEN) return <List urls={urls} />;
  return (
    <details>
      <summary>{formatCount(urls.length, 'address', 'addresses')}</summary>
      <List urls={urls} />
    </details>
  );
}

/** What a reader should know besides the times; each once, with the runs that show it. */
export function FindingsPart(props: { readonly target: TargetReport; readonly id: string }): JSX.Element | undefined {
  const { target, id } = props;
  const findings = otherFindings(target);
  if (findings.length === 0) return undefined;
  const measured = countedRuns(target).length;
  return (
    <Part id={id} title="Findings" line={findingsLine(target) ?? ''}>
      <ul class="findings">
        {findings.map((finding, index) => (
          <li key={index}>
            <h4 id={`${id}-finding${index + 1}`}>{foreign(findingTitle(finding.code))}</h4>
            <Anchor id={`${id}-finding${index + 1}`} of={findingTitle(finding.code)} />{' '}
            <span class="soft">{foreign(findingWhere(finding, measured) ?? '')}</span>
            <p>{sentence(finding.message)}</p>
            <Addresses urls={finding.urls} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
