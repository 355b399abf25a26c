import type { JSX } from 'preact';
import type { CriticalPath } from '../../../model/result/result.ts';
import { isUnknown, requestCount } from '../../../report/critical-path.ts';
import { Part, type SectionProps } from '../components/part.tsx';
import { CriticalPathFigure } from './critical-path.tsx';

/** Where page complete went, in the run that stands for the page: the chain of requests that decided it. */
export function WhereTimeWentPart({ target, id }: SectionProps): JSX.Element | undefined {
  const path = target.representative?.criticalPath;
  if (path === undefined) return undefined;
  return (
    <Part id={id} title="Where the time went" lead={leadOf(path)} docs="faq.md#what-is-the-critical-path">
      <CriticalPathFigure path={path} id={id} />
    </Part>
  );
}

function leadOf(path: CriticalPath): string {
  const count = requestCount(path);
  if (count === 1) return 'One request decided when the page was complete. Everything else loaded in parallel.';
  const unknown = path.steps.some(isUnknown) ? ' In italics: why it started when it did is not known.' : '';
  return `These ${count} requests decided when the page was complete: each could start only after the one before it.${unknown}`;
}
