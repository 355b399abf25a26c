import type { FixFact, StarvationFact } from '../../model/fixes.ts';
import type { LighthouseOpportunity } from '../../model/lighthouse/lighthouse.ts';
import type { Size } from '../../model/recording/rendered.ts';
import type { CoverageFact } from '../../model/result/finding.ts';
import { type FixFinding, type Problem, savedBytesOf } from '../../result/fixes.ts';
import { unusedCodeFinding, unusedShare } from '../coverage.ts';
import { calledInWords } from '../main-thread.ts';
import { type DocsSection, docsAddress } from '../messages/docs.ts';
import { formatCount, formatValue, joined } from '../text/format.ts';
import { listNames, nameOf } from '../text/names.ts';
import { findingTitle } from '../text/words.ts';

/** Everything that can be fixed, also what one load alone tells. */
type Fixable = FixFact | CoverageFact;
type FixCode = Fixable['code'];

/** The titles of all fixes: what to do, in a few words. */
const TITLES: Readonly<Record<FixCode, string>> = {
  'slow-script': 'Run less script before the content',
  'slow-layout': 'Reduce style and layout work',
  'render-blocking': 'Load scripts and styles without blocking',
  'late-discovery': 'Preload files the browser discovers late',
  'slow-server': 'Make the server answer faster',
  'no-compression': 'Compress text',
  'duplicate-request': 'Request it once',
  redirect: 'Remove redirects',
  'late-connection': 'Connect earlier',
  'late-picture': 'Request the largest image earlier',
  'unused-code': 'Send less code',
  'large-picture': 'Serve images at the size they are displayed',
  'old-format': 'Use a modern image format',
  'hidden-text': 'Show text while its font loads',
  'font-shift': 'Prevent layout shifts from fonts',
  'stream-starvation': 'Keep connections free for content',
  'connection-limit': 'Serve it over HTTP/2',
  'duplicate-poll': 'Poll once',
  'third-party': "Don't let other origins block the page",
  'short-cache': 'Cache static files longer',
};

const inQuotes = (families: readonly string[]): string =>
  joined(
    families.map((family) => `“${family}”`),
    3,
  );

const isFixCode = (code: string): code is FixCode => Object.hasOwn(TITLES, code);

/** A fix as a title; of a code that a later version wrote, the code itself. */
export function fixTitle(code: string): string {
  return isFixCode(code) ? TITLES[code] : findingTitle(code);
}

/** The section of the documents that says how; undefined for a code that a later version wrote. */
export function fixSection(code: string): DocsSection | undefined {
  return isFixCode(code) ? `fix.md#${code}` : undefined;
}

/** Where on the web that is. */
export function fixPage(code: string): string | undefined {
  const section = fixSection(code);
  return section && docsAddress(section);
}

/** What a problem is about: its third party, or its files and endpoints by their names. Empty where that is not known. */
export function problemName({ who, about, urls }: Pick<Problem, 'who' | 'about' | 'urls'>, pageUrl: string): string {
  if (who === 'third-party') return about ?? '';
  return urls.length === 0 ? '' : listNames(urls, pageUrl);
}

/** A problem with its best fix as a heading: "vendor.js: Load scripts and styles without blocking". */
export function problemTitle(problem: Pick<Problem, 'code' | 'who' | 'about' | 'urls'>, pageUrl: string): string {
  const name = problemName(problem, pageUrl);
  return name === '' ? fixTitle(problem.code) : `${name}: ${fixTitle(problem.code)}`;
}

/** What else would help: "Use a modern image format (−39 ms)"; undefined where nothing else does. */
export function alternativesText({ alternatives }: Pick<Problem, 'alternatives'>): string | undefined {
  if (alternatives.length === 0) return undefined;
  return `Or: ${joined(alternatives.map((fix) => `${fixTitle(fix.code)} (${savingInWords(fix)})`))}.`;
}

/** What a problem's best fix is, and what else would help. */
export function problemText(problem: Problem): string {
  return [fixText(problem), alternativesText(problem)].filter((each) => each !== undefined).join(' ');
}

/** What a fix saves: "−120 ms"; where page complete does not wait for it, "−23 MB" or "0 ms". */
export function savingInWords(fix: Pick<FixFinding, 'savesMs' | 'facts'>): string {
  if (fix.savesMs > 0) return `−${formatValue(fix.savesMs, 'ms')}`;
  const bytes = savedBytesOf(fix);
  return bytes > 0 ? `−${formatValue(bytes, 'bytes')}` : '0 ms';
}

/** What a fix is about, with what Lighthouse says of the same. */
export function fixText({ message, lighthouse }: Pick<FixFinding, 'message' | 'lighthouse'>): string {
  return lighthouse === undefined ? message : `${message} Lighthouse agrees: up to ${adviceSaves(lighthouse)}.`;
}

/** What Lighthouse promises: "450 ms, 58 kB". */
function adviceSaves({ savingsMs, savingsBytes }: Omit<LighthouseOpportunity, 'id' | 'title'>): string {
  return [
    ...(savingsMs === undefined ? [] : [formatValue(savingsMs, 'ms')]),
    ...(savingsBytes === undefined ? [] : [formatValue(savingsBytes, 'bytes')]),
  ].join(', ');
}

/** What can be fixed and how, in one or two sentences, without the saving. Addresses of the page's own origin are cut short. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a case for each kind of fix
export function fixMessage(fix: Fixable, pageUrl: string): string {
  const name = (url: string): string => nameOf(url, pageUrl);
  const names = listNames(fix.urls, pageUrl);
  switch (fix.code) {
    case 'render-blocking': {
      const { scripts, styles } = fix.facts;
      const what = [
        ...(scripts > 0 ? [formatCount(scripts, 'script')] : []),
        ...(styles > 0 ? [formatCount(styles, 'style sheet')] : []),
      ].join(' and ');
      const how = [
        ...(scripts > 0 ? ['load scripts with "defer" or "async"'] : []),
        ...(styles > 0 ? ['put the styles of the first view into the document'] : []),
      ].join(', and ');
      return `${what} ${scripts + styles === 1 ? 'blocks' : 'block'} the page: ${names}. If nothing needs ${scripts + styles === 1 ? 'it' : 'them'} at once, ${how}.`;
    }
    case 'late-discovery':
      return `The browser discovers ${fix.facts.requests === 1 ? 'this file' : 'these files'} only through another file: ${names}. Name ${fix.facts.requests === 1 ? 'it' : 'them'} in the document with <link rel="preload"> or "modulepreload".`;
    case 'slow-server': {
      const { url, wait, target } = fix.facts;
      return `The server took ${formatValue(wait, 'ms')} to send the first byte of ${name(url)}. The saving assumes that it answers in ${formatValue(target, 'ms')}.`;
    }
    case 'slow-script': {
      const { url, ms, function: called, place, bytes, unused } = fix.facts;
      const what =
        called === undefined && place === undefined ? undefined : calledInWords({ url, name: called, place });
      const most = what === undefined ? '' : `, longest in ${what}`;
      const idle = bytes && unused ? ` ${unusedShare({ bytes, unused })} of its code has not run by then.` : '';
      return `${name(url)} runs for ${formatValue(ms, 'ms')} before the page is complete${most}.${idle} Do less in it, split it, or postpone the parts that the content does not need.`;
    }
    case 'slow-layout':
      return `Style and layout take ${formatValue(fix.facts.ms, 'ms')} before the page is complete. Fewer elements and simpler selectors help; "content-visibility: auto" skips the parts below the fold.`;
    case 'no-compression': {
      const { requests, bytes, savesBytes } = fix.facts;
      return `${formatCount(requests, 'text file')} (${formatValue(bytes, 'bytes')}) ${requests === 1 ? 'is' : 'are'} sent without compression: ${names}. With gzip or Brotli ${requests === 1 ? 'it is' : 'they are'} about ${formatValue(savesBytes, 'bytes')} smaller.`;
    }
    case 'duplicate-request': {
      const { url, times, savesBytes } = fix.facts;
      return `${name(url)} was downloaded ${formatCount(times, 'time')}, with the same size. Request it once: ${formatValue(savesBytes, 'bytes')} less.`;
    }
    case 'redirect': {
      const { redirects, to } = fix.facts;
      const where = to === undefined ? '' : ` Link to ${name(to)} directly.`;
      return `The page waits for ${formatCount(redirects, 'redirect')}: ${names}.${where}`;
    }
    case 'late-connection': {
      const { origin, took } = fix.facts;
      return `Connecting to ${origin} took ${formatValue(took, 'ms')} at the moment it was needed. Connect earlier, with <link rel="preconnect">, or serve it from the page's own origin.`;
    }
    case 'late-picture': {
      const { url, after, priority } = fix.facts;
      const low = priority === undefined || /high/i.test(priority) ? '' : `, with priority ${priority}`;
      return `The largest image, ${name(url)}, was requested ${formatValue(after, 'ms')} after the document began to arrive${low}. Put it into the document as <img fetchpriority="high">, without loading="lazy", or preload it.`;
    }
    case 'third-party': {
      const { site, entity = site, requests } = fix.facts;
      return `The page waits for ${formatCount(requests, 'request')} to ${entity}: ${names}. Load ${requests === 1 ? 'it' : 'them'} after the page's own content, host ${requests === 1 ? 'it' : 'them'} yourself, or remove ${requests === 1 ? 'it' : 'them'}.`;
    }
    case 'unused-code':
      return unusedCodeFinding(fix, pageUrl);
    case 'large-picture': {
      const { requests, bytes, savesBytes, natural, shown } = fix.facts;
      const size = ({ width, height }: Size): string => `${width} × ${height}`;
      const many = `${formatCount(requests, 'image')} ${requests === 1 ? 'has' : 'have'}`;
      return `${many} more pixels than the screen shows: ${names}. ${requests === 1 ? 'It' : 'The first'} has ${size(natural)} pixels and is displayed at ${size(shown)}. Serving the displayed size, with "srcset" and "sizes", saves about ${formatValue(savesBytes, 'bytes')} of ${formatValue(bytes, 'bytes')}.`;
    }
    case 'old-format': {
      const { requests, bytes, savesBytes } = fix.facts;
      return `${formatCount(requests, 'image')} (${formatValue(bytes, 'bytes')}) ${requests === 1 ? 'is' : 'are'} JPEG, PNG or GIF: ${names}. WebP of the same quality saves at least ${formatValue(savesBytes, 'bytes')}; AVIF saves more.`;
    }
    case 'hidden-text': {
      const { families, hidden } = fix.facts;
      return `Text in ${inQuotes(families)} is hidden for ${formatValue(hidden, 'ms')} while its font loads: ${names}. Add font-display: swap or optional to its @font-face. Users can then read the text sooner; page complete stays the same, because it includes the font.`;
    }
    case 'font-shift': {
      const { families, score } = fix.facts;
      return `The layout shifted when ${inQuotes(families)} replaced the fallback font (layout shift ${formatValue(score, 'score')}): ${names}. Preload it, match the size of the fallback font with size-adjust, or use font-display: optional. Page complete stays the same.`;
    }
    case 'stream-starvation':
      return starvationMessage(fix.facts, pageUrl);
    case 'connection-limit': {
      const { origin, requests, longest } = fix.facts;
      return `${formatCount(requests, 'request')} to ${origin} waited for a free connection, up to ${formatValue(longest, 'ms')}: ${names}. Over HTTP/1.1, a browser opens six connections to one server. HTTP/2 and HTTP/3 send all requests over one; fewer files, or files that load when they come into view (loading="lazy"), help as well.`;
    }
    case 'duplicate-poll': {
      const { url, times, again, savesBytes } = fix.facts;
      return `Several parts of the page poll ${name(url)}: ${again} of ${formatCount(times, 'poll')} ${again === 1 ? 'repeats' : 'repeat'} another one. Poll once and share the response: ${formatValue(savesBytes, 'bytes')} less. Page complete does not wait for it.`;
    }
    case 'short-cache': {
      const { requests, unkept, bytes } = fix.facts;
      const each = 'must ask the server on each visit';
      const how =
        unkept === 0
          ? 'for less than 30 days'
          : unkept === requests
            ? `but ${each}`
            : `for less than 30 days, and ${each} for ${unkept} of them`;
      return `Browsers may cache ${formatCount(requests, 'file')} (${formatValue(bytes, 'bytes')}) ${how}: ${names}. Longer caching makes later visits faster, not the first one.`;
    }
  }
}

/** Which requests had to wait for a connection, and who held them all. */
export function starvationMessage(facts: StarvationFact['facts'], pageUrl: string): string {
  const { connections, origin, url, from, to, others, culprits } = facts;
  const more = others === 0 ? '' : `, and ${formatCount(others, 'other request')} for a shorter time`;
  return (
    `${formatCount(connections, 'background request')} used all connections to ${origin}: ` +
    `${nameOf(url, pageUrl)} could not be sent from ${formatValue(from, 'ms')} to ${formatValue(to, 'ms')}` +
    `${more}. Serve it over HTTP/2, or let the streams share one connection. They are: ${listNames(culprits, pageUrl)}.`
  );
}
