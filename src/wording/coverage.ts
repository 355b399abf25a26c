import type { Coverage, CoveredBytes, CoveredFile, UnusedFunction } from '../model/coverage.ts';
import type { CoverageFact } from '../model/finding.ts';
import { formatCount, formatShare, formatValue, joined } from './format.ts';
import { placeInWords } from './main-thread.ts';
import { listNames } from './names.ts';
import { shortName } from './text.ts';

/** How much of what was not used: "64 KB of the 120 KB of scripts (53%)". */
function unusedOf({ bytes, unused }: CoveredBytes, what: string): string {
  return `${formatValue(unused, 'bytes')} of the ${formatValue(bytes, 'bytes')} of ${what} (${unusedShare({ bytes, unused })})`;
}

/** The share of a text that was not used. */
export function unusedShare({ bytes, unused }: CoveredBytes): string {
  return formatShare(bytes > 0 ? unused / bytes : 0);
}

/** How much of the loaded code was not used until page complete. */
export function coverageSentence({ until, scripts, styles }: Coverage): string {
  const parts = [
    ...(scripts.bytes > 0 ? [`${unusedOf(scripts, 'scripts')} did not run`] : []),
    ...(styles.bytes > 0 ? [`${unusedOf(styles, 'style sheets')} matched nothing`] : []),
  ];
  return `In the first ${formatValue(until, 'ms')}, ${parts.length === 0 ? 'no code was loaded' : joined(parts)}.`;
}

/** What a file is called: a document's own scripts are not the document. */
export function coveredName({ kind, url, inline }: Pick<CoveredFile, 'kind' | 'url' | 'inline'>): string {
  return `${shortName(url)}${inline ? ` (${kind === 'script' ? 'scripts' : 'styles'} in it)` : ''}`;
}

/** A function that did not run, with its place: "openDialog (src/dialog.ts:12)". */
export function unusedFunctionInWords(url: string, each: UnusedFunction): string {
  return `${each.source?.name ?? each.name} (${placeInWords(url, each)})`;
}

/** What a finding about unused code says. */
export function unusedCodeFinding({ urls, facts }: CoverageFact, pageUrl: string): string {
  const { files, bytes, unused, unusedTransfer, savesMs } = facts;
  const wire = unusedTransfer === undefined ? '' : `, about ${formatValue(unusedTransfer, 'bytes')} on the wire`;
  const waits =
    savesMs > 0
      ? `Without it, page complete would be about ${formatValue(savesMs, 'ms')} sooner.`
      : 'Page complete hardly waits for it.';
  return (
    `${formatValue(unused, 'bytes')} of ${formatCount(files, 'file')} (${unusedShare({ bytes, unused })}${wire}) ` +
    `${files === 1 ? 'was' : 'were'} loaded and not used until page complete: ${listNames(urls, pageUrl)}. ` +
    `Load it when it is needed, or leave it out. ${waits}`
  );
}
