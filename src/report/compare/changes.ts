import type { Build, RequestChange } from '../../model/comparison.ts';
import type { CompareReport } from '../../model/report.ts';
import { anythingChanged, requestSize, sizeChange } from '../../reporters/comparison.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { hostWithEntity } from '../../wording/parties.ts';
import { findingTitle } from '../../wording/words.ts';
import { type Detail, details, type Item, type List, list, paragraph } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** What changed besides time: requests, sizes, other sites and findings. */
export const changes: CompareChapter = (report, detail) => {
  const short = changesInShort(report);
  if (short === '') {
    const isCompared = report.result.design.pairs > 0;
    return isCompared ? paragraph('Apart from times: requests, sizes, other sites and findings are the same.') : [];
  }
  if (detail === 'brief') return paragraph(`Apart from times: ${short}.`);
  const { added, removed, grown, shrunk, bytes, thirdParties, findings } = report.result.changes;
  const sizes = bytes
    .filter(({ base, candidate }) => base !== candidate)
    .map(({ type, base, candidate }) => ({ text: [{ code: type }, `: ${sizeChange(base, candidate)}`] }));
  return details(
    `What changed apart from times: ${short}`,
    [
      ...requests('added', added, detail),
      ...requests('removed', removed, detail),
      ...requests('grown', grown, detail),
      ...requests('shrunk', shrunk, detail),
      ...list(sizes, detail, { title: 'Transferred bytes' }),
      ...hosts('candidate', thirdParties.added, detail),
      ...hosts('base', thirdParties.removed, detail),
      ...list([...found('candidate', findings.added), ...found('base', findings.removed)], detail, {
        title: 'Findings',
      }),
    ],
    detail,
  );
};

function requests(title: string, of: readonly RequestChange[], detail: Detail): readonly List[] {
  const items = of.map((change) => ({ text: [{ code: change.name }, `: ${requestSize(change)}`] }));
  return list(items, detail, { title: `${formatCount(of.length, 'request')} ${title}`, noun: 'request' });
}

function hosts(build: Build, of: readonly string[], detail: Detail): readonly List[] {
  const items = of.map((host) => ({ text: { code: hostWithEntity(host) } }));
  return list(items, detail, { title: `Other sites that only the ${build} talks to`, noun: 'site' });
}

const found = (build: Build, of: CompareReport['result']['changes']['findings']['added']): readonly Item[] =>
  of.map(({ code, message }) => ({
    ...(build === 'candidate' && { mark: 'warning' as const }),
    text: `${findingTitle(code)}, only in the ${build}: ${message}`,
  }));

/** "2 requests added, 1 grown; +79 kB": who does not unfold it knows what there is. Empty where nothing changed. */
export function changesInShort(report: CompareReport): string {
  if (!anythingChanged(report)) return '';
  const { added, removed, grown, shrunk, bytes, thirdParties, findings } = report.result.changes;
  const counts = (
    [
      ['added', added],
      ['removed', removed],
      ['grown', grown],
      ['shrunk', shrunk],
    ] as const
  ).flatMap(([word, of]) => (of.length === 0 ? [] : [[word, of.length] as const]));
  const requested = counts.map(([word, count], i) => `${i === 0 ? formatCount(count, 'request') : count} ${word}`);
  const by = bytes.reduce((sum, { base, candidate }) => sum + candidate - base, 0);
  const sites = thirdParties.added.length + thirdParties.removed.length;
  const others = findings.added.length + findings.removed.length;
  return [
    requested.join(', '),
    by === 0 ? '' : `${by > 0 ? '+' : ''}${formatValue(by, 'bytes')}`,
    sites === 0 ? '' : formatCount(sites, 'other site'),
    others === 0 ? '' : formatCount(others, 'finding'),
  ]
    .filter((part) => part !== '')
    .join('; ');
}
