import type { Finding } from '../../model/result/result.ts';
import { type Inventory, nameOfAddress } from './inventory.ts';

/** What a run found, with what it fetched: its page's address is in there. */
interface RunWithFindings {
  readonly inventory: Inventory;
  readonly findings: readonly Finding[];
}

/** What a finding says of one address; '' for one that names none. */
interface Statement {
  readonly key: string;
  readonly url: string | undefined;
}

/**
 * The findings that most runs of the first build have and no run of the other, one for each code: as the last run states
 * it, with only those addresses that are news.
 */
export function newFindings(runs: readonly RunWithFindings[], others: readonly RunWithFindings[]): readonly Finding[] {
  const known = new Set(others.flatMap(keysOf));
  const counts = new Map<string, number>();
  for (const key of runs.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isNews = (key: string): boolean => (counts.get(key) ?? 0) > runs.length / 2 && !known.has(key);
  const news = new Map<string, Finding>();
  for (const { inventory, findings } of runs) {
    const pageUrl = pageUrlOf(inventory);
    for (const finding of findings.filter(isNote)) {
      const fresh = statementsOf(finding, pageUrl).filter(({ key }) => isNews(key));
      if (fresh.length > 0) news.set(finding.code, { ...finding, urls: fresh.flatMap(({ url }) => url ?? []) });
    }
  }
  return [...news.values()];
}

function keysOf({ inventory, findings }: RunWithFindings): readonly string[] {
  const pageUrl = pageUrlOf(inventory);
  return [
    ...new Set(
      findings
        .filter(isNote)
        .flatMap((finding) => statementsOf(finding, pageUrl))
        .map(({ key }) => key),
    ),
  ];
}

/** What can be fixed depends on figures around a limit: that one build is just above it is no news. */
const isNote = ({ savesMs }: Finding): boolean => savesMs === undefined;

function statementsOf({ code, urls }: Finding, pageUrl: string): readonly Statement[] {
  if (urls.length === 0) return [{ key: code, url: undefined }];
  return urls.map((url) => ({ key: `${code} ${nameOfAddress(url, pageUrl)}`, url }));
}

/** The page's own document: of another site are only frames. */
function pageUrlOf(inventory: Inventory): string {
  const own = inventory.filter(({ type, thirdParty }) => type === 'document' && thirdParty === undefined);
  return (own.find(({ redirects }) => !redirects) ?? own[0])?.url ?? '';
}
