import { countedRuns } from '../../result/counted-runs.ts';
import { otherFindings } from '../../result/findings.ts';
import { andMore, formatCount } from '../../wording/format.ts';
import { findingTitle, findingWhere } from '../../wording/words.ts';
import { list, type Text } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Addresses of a finding that are named. */
const NAMED = 3;

/** What else was found, and in which runs. */
export const findings: Chapter = ({ target, detail }) => {
  if (detail === 'brief') return [];
  const measured = countedRuns(target).length;
  const found = otherFindings(target);
  const items = found.map((finding) => {
    const { code, message, urls } = finding;
    const where = findingWhere(finding, measured);
    const left = urls.length - NAMED;
    const below: readonly Text[] = [
      ...urls.slice(0, NAMED).map((url) => ({ code: url })),
      ...(left > 0 ? [andMore(left, 'address', 'addresses')] : []),
    ];
    return { text: [{ strong: findingTitle(code) }, `${where === undefined ? '' : ` (${where})`}: ${message}`], below };
  });
  return list(items, detail, { title: { strong: formatCount(found.length, 'finding') } });
};
