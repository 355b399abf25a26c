import type {
  Coverage,
  CoverageChange,
  CoverageChanges,
  CoverageChangesFacts,
  CoveredBytes,
  CoveredFile,
} from '../model/coverage.ts';
import type { CoverageFact } from '../model/result/finding.ts';
import { formatCount, formatShare, formatValue, joined } from './text/format.ts';
import { listNames } from './text/names.ts';
import { shortName, shortNameOfOwn } from './text/text.ts';

/** How much of what was not used: "53% of the script code (64 kB of 120 kB) had not run". */
function unusedOf({ bytes, unused }: CoveredBytes, what: string, used: string, notUsed: string): string {
  const all = formatValue(bytes, 'bytes');
  if (unused === 0) return `all ${what} (${all}) ${used}`;
  return `${unusedShare({ bytes, unused })} of the ${what} (${formatValue(unused, 'bytes')} of ${all}) ${notUsed}`;
}

/** The share of a text that was not used. */
export function unusedShare({ bytes, unused }: CoveredBytes): string {
  return formatShare(bytes > 0 ? unused / bytes : 0);
}

/** How much of the loaded code was not used until page complete. */
export function coverageSentence({ until, scripts, styles }: Coverage): string {
  const parts = [
    ...(scripts.bytes > 0 ? [unusedOf(scripts, 'script code', 'had run', 'had not run')] : []),
    ...(styles.bytes > 0 ? [unusedOf(styles, 'CSS', 'was used', 'was not used')] : []),
  ];
  return `After ${formatValue(until, 'ms')}, ${parts.length === 0 ? 'no code had loaded' : joined(parts)}.`;
}

/** What a file is called: a document's own scripts are not the document. */
export function coveredName({ kind, url, inline }: Pick<CoveredFile, 'kind' | 'url' | 'inline'>): string {
  return `${shortName(url)}${inline ? insideOf(kind) : ''}`;
}

const insideOf = (kind: CoveredFile['kind']): string => ` (inline ${kind === 'script' ? 'scripts' : 'styles'})`;

/** What a finding about unused code says. */
export function unusedCodeFinding({ urls, facts }: CoverageFact, pageUrl: string): string {
  const { files, bytes, unused, unusedTransfer } = facts;
  const compressed = unusedTransfer === undefined ? '' : `, about ${formatValue(unusedTransfer, 'bytes')} compressed`;
  const names = listNames(urls, pageUrl);
  const [what, which] = files === 1 ? [names, ''] : [formatCount(files, 'file'), `: ${names}`];
  return (
    `${unusedShare({ bytes, unused })} of ${what} (${formatValue(unused, 'bytes')}${compressed}) ` +
    `was not used when the page was complete${which}. Load it when it is needed, or remove it.`
  );
}

/** Files that a sentence about two builds names. */
const MAX_FILES = 3;
/** Smaller changes of unused code are not worth a word, bytes. */
const WORTH_A_WORD_BYTES = 1024;

/** Did more or less of a file go unused, by so much that it is worth a word? */
export function isWorthAWord({ base, candidate }: Pick<CoverageChange, 'base' | 'candidate'>): boolean {
  return Math.abs(candidate.unused - base.unused) >= WORTH_A_WORD_BYTES;
}

/** A difference with its sign: "+12 kB". */
export const signedBytes = (bytes: number): string => `${bytes > 0 ? '+' : ''}${formatValue(bytes, 'bytes')}`;

/** What a file of two builds is called. */
export function changedFileName({ kind, name, inline }: Pick<CoverageChange, 'kind' | 'name' | 'inline'>): string {
  return `${shortNameOfOwn(name)}${inline ? insideOf(kind) : ''}`;
}

/** The change of unused code with its sentence. */
export function coverageChangesInWords(facts: CoverageChangesFacts): CoverageChanges {
  return { ...facts, sentence: coverageChangeSentence(facts) };
}

/** "Unused code when the page was complete: scripts +8.0 kB (40 kB instead of 32 kB). vendor.*.js +7.9 kB." */
function coverageChangeSentence({ scripts, styles, files }: CoverageChangesFacts): string {
  const parts = [
    ...unusedChange('scripts', scripts.base, scripts.candidate),
    ...unusedChange('style sheets', styles.base, styles.candidate),
  ];
  const named = files
    .filter(isWorthAWord)
    .slice(0, MAX_FILES)
    .map((file) => `${changedFileName(file)} ${signedBytes(file.candidate.unused - file.base.unused)}`);
  const most = named.length === 0 ? '' : ` ${named.join('; ')}.`;
  if (parts.length === 0) return `Both builds load about as much unused code.${most}`;
  return `Unused code when the page was complete: ${parts.join(', ')}.${most}`;
}

function unusedChange(what: string, base: CoveredBytes, candidate: CoveredBytes): readonly string[] {
  if (!isWorthAWord({ base, candidate })) return [];
  const change = candidate.unused - base.unused;
  const [now, before] = [formatValue(candidate.unused, 'bytes'), formatValue(base.unused, 'bytes')];
  return [`${what} ${signedBytes(change)} (${now} instead of ${before})`];
}
