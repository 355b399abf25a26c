import type {
  Coverage,
  CoverageChange,
  CoverageChanges,
  CoverageChangesFacts,
  CoveredBytes,
  CoveredFile,
} from '../model/coverage.ts';
import type { CoverageFact } from '../model/finding.ts';
import { formatCount, formatShare, formatValue, joined } from './format.ts';
import { listNames } from './names.ts';
import { shortName, shortNameOfOwn } from './text.ts';

/** How much of what was not used: "64 KB of the 120 KB of scripts (53%) did not run". */
function unusedOf({ bytes, unused }: CoveredBytes, what: string, used: string, notUsed: string): string {
  const all = `${formatValue(bytes, 'bytes')} of ${what}`;
  if (unused === 0) return `all ${all} ${used}`;
  return `${formatValue(unused, 'bytes')} of the ${all} (${unusedShare({ bytes, unused })}) ${notUsed}`;
}

/** The share of a text that was not used. */
export function unusedShare({ bytes, unused }: CoveredBytes): string {
  return formatShare(bytes > 0 ? unused / bytes : 0);
}

/** How much of the loaded code was not used until page complete. */
export function coverageSentence({ until, scripts, styles }: Coverage): string {
  const parts = [
    ...(scripts.bytes > 0 ? [unusedOf(scripts, 'scripts', 'ran', 'did not run')] : []),
    ...(styles.bytes > 0 ? [unusedOf(styles, 'style sheets', 'matched something', 'matched nothing')] : []),
  ];
  return `In the first ${formatValue(until, 'ms')}, ${parts.length === 0 ? 'no code was loaded' : joined(parts)}.`;
}

/** What a file is called: a document's own scripts are not the document. */
export function coveredName({ kind, url, inline }: Pick<CoveredFile, 'kind' | 'url' | 'inline'>): string {
  return `${shortName(url)}${inline ? insideOf(kind) : ''}`;
}

const insideOf = (kind: CoveredFile['kind']): string => ` (${kind === 'script' ? 'scripts' : 'styles'} in it)`;

/** What a finding about unused code says. */
export function unusedCodeFinding({ urls, facts }: CoverageFact, pageUrl: string): string {
  const { files, bytes, unused, unusedTransfer } = facts;
  const wire = unusedTransfer === undefined ? '' : `, about ${formatValue(unusedTransfer, 'bytes')} on the wire`;
  return (
    `${formatValue(unused, 'bytes')} of ${formatCount(files, 'file')} (${unusedShare({ bytes, unused })}${wire}) ` +
    `${files === 1 ? 'was' : 'were'} loaded and not used until page complete: ${listNames(urls, pageUrl)}. ` +
    'Load it when it is needed, or leave it out.'
  );
}

/** Files that a sentence about two builds names. */
const NAMED = 3;
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

/** "Unused code until page complete: scripts +8.0 kB (40 kB instead of 32 kB). vendor.*.js +7.9 kB." */
function coverageChangeSentence({ scripts, styles, files }: CoverageChangesFacts): string {
  const parts = [
    ...unusedChange('scripts', scripts.base, scripts.candidate),
    ...unusedChange('style sheets', styles.base, styles.candidate),
  ];
  const named = files
    .filter(isWorthAWord)
    .slice(0, NAMED)
    .map((file) => `${changedFileName(file)} ${signedBytes(file.candidate.unused - file.base.unused)}`);
  const most = named.length === 0 ? '' : ` ${named.join('; ')}.`;
  if (parts.length === 0)
    return `About as much code was loaded and not used until page complete in both builds.${most}`;
  return `Code that was loaded and not used until page complete: ${parts.join(', ')}.${most}`;
}

function unusedChange(what: string, base: CoveredBytes, candidate: CoveredBytes): readonly string[] {
  if (!isWorthAWord({ base, candidate })) return [];
  const change = candidate.unused - base.unused;
  const [now, before] = [formatValue(candidate.unused, 'bytes'), formatValue(base.unused, 'bytes')];
  return [`${what} ${signedBytes(change)} (${now} instead of ${before})`];
}
