import { countedRuns } from '../../result/counted-runs.ts';
import { otherFindings } from '../../result/findings.ts';
import { andMore, joined } from '../../wording/text/format.ts';
import { findingTitle, findingWhere } from '../../wording/text/words.ts';
import { details, list, type Text } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Addresses of a finding that are named, and titles in the line of the chapter. */
const MAX_ADDRESSES = { normal: 3, all: 20, line: 3 };

/** What else was found, and in which runs. */
export const findings: Chapter = ({ target, detail }) => {
  if (detail === 'brief') return [];
  const measured = countedRuns(target).length;
  const found = otherFindings(target);
  const items = found.map((finding) => {
    const { code, message, urls } = finding;
    const where = findingWhere(finding, measured);
    const left = urls.length - MAX_ADDRESSES[detail];
    const below: readonly Text[] = [
      ...urls.slice(0, MAX_ADDRESSES[detail]).map((address) => ({ address })),
      ...(left > 0 ? [andMore(left, 'address', 'addresses')] : []),
    ];
    return { text: [{ strong: findingTitle(code) }, `${where === undefined ? '' : ` (${where})`}: ${message}`], below };
  });
  const titles = [...new Set(found.map(({ code }) => findingTitle(code)))];
  return details('Findings', list(items, detail), detail, { line: joined(titles, MAX_ADDRESSES.line) });
};
