import { metricTitle } from '../../core/metrics/index.ts';
import type { DropReason } from '../../model/result/failure.ts';
import type { BrowserNote, CapacityNote, ComparisonNote, Note, PagesNote } from '../../model/result/note.ts';
import { formatThroughput } from '../capacity.ts';
import { pageDifferenceInWords } from '../compare/page-differences.ts';
import { formatChosenShare, formatCount, formatValue } from '../text/format.ts';
import { listNames } from '../text/names.ts';

/** Letters of a commit's hash that are to be typed: in large repositories fewer can mean several commits. */
const TYPED = 12;
/** Processes of a server that are named. */
const NAMED_PROCESSES = 3;

const ELSEWHERE = 'docs/recipes.md, "A browser elsewhere"';

/** A note as one line. */
export function noteInWords(note: Note): string {
  switch (note.code) {
    case 'unknown-arguments':
    case 'missing-arguments':
    case 'far-browser':
      return browserNoteInWords(note);
    case 'sitemap-cut':
    case 'other-origins':
    case 'unusable-entries':
    case 'duplicate-pages':
    case 'empty-shard':
    case 'loopback-elsewhere':
      return pagesNoteInWords(note);
    case 'server-answers':
    case 'level-measured':
    case 'page-not-loaded':
      return capacityNoteInWords(note);
    case 'lighthouse-run':
      return `Lighthouse, run ${note.index} of ${note.of}: ${note.name}`;
    case 'fetching-package':
      return `Fetching ${note.name} ${note.version}, once.`;
    case 'watching-machine':
      return 'Looking at the machine for two seconds.';
    case 'starting-browser':
      return 'Starting the browser.';
    default:
      return comparisonNoteInWords(note);
  }
}

/** Why a block, or one of its loads, does not count, as a clause. */
export function dropReasonInWords(reason: DropReason): string {
  switch (reason.code) {
    case 'load-failed': {
      const { load, build, attempts, failure } = reason;
      return `load ${load}, of the ${build}, failed${attempts > 1 ? ' twice' : ''}: ${failure.message}`;
    }
    case 'step-missing':
      return `a load of the ${reason.build} did not do this step.`;
    case 'interrupted':
      return 'the comparison was ended in its block.';
    case 'recorded':
      return reason.text;
  }
}

function browserNoteInWords(note: BrowserNote): string {
  const mayDiffer = `figures may differ from those of a browser that Quiesce starts (see ${ELSEWHERE})`;
  switch (note.code) {
    case 'unknown-arguments':
      return `Quiesce did not start this browser, and does not know its arguments: ${mayDiffer}.`;
    case 'missing-arguments':
      return `The browser was started with its own arguments, without ${note.missing.join(' ')}: ${mayDiffer}.`;
    case 'far-browser':
      return `A message to the browser and back takes about ${note.roundTrip} ms. Workers and frames of other sites start that much later, and with --header or --basic-auth also all requests to the page's own origin (see ${ELSEWHERE}). Run Quiesce close to the browser.`;
  }
}

function pagesNoteInWords(note: PagesNote): string {
  switch (note.code) {
    case 'sitemap-cut':
      return `The first ${note.measured} of ${note.atLeast ? 'at least ' : ''}${formatCount(note.pages, 'page')} in ${note.source} are measured; --max-pages takes more.`;
    case 'other-origins':
      return `${formatCount(note.pages, 'page')} of other origins left out, such as ${note.origin}.`;
    case 'unusable-entries':
      return `${formatCount(note.entries, 'entry', 'entries')} of ${note.source} left out: not http or https.`;
    case 'duplicate-pages':
      return `${formatCount(note.times, 'page')} named more than once, measured once: ${listNames(note.names)}.`;
    case 'empty-shard':
      return `Nothing falls to shard ${note.index} of ${note.of}: the audit has ${formatCount(note.pages, 'page')}.`;
    case 'loopback-elsewhere':
      return `The browser runs on another machine, so it looks for ${listNames(note.urls)} there. To measure a server on this machine, use an address that the browser can reach, or a tunnel.`;
  }
}

function comparisonNoteInWords(note: ComparisonNote): string {
  switch (note.code) {
    case 'resumed':
      return `continuing after ${formatCount(note.blocks, 'block')}`;
    case 'leads-elsewhere':
      return `${note.path} leads to ${note.to} in both builds, which is what is compared; a login may be missing (docs/recipes.md)`;
    case 'left-out':
      return note.sentence;
    case 'gates-not-measured':
      return `not measured on these pages, so it does not decide: ${note.metrics.map(metricTitle).join(', ')}`;
    case 'page-difference':
      return pageDifferenceInWords(note.difference).message;
    case 'block-dropped':
      return `block ${note.block} does not count: ${dropReasonInWords(note.reason)}`;
    case 'servers-in-turns':
      return `Both servers listen at ${note.url}, so each block starts one after the other. With {port} in --serve-url both run, which is faster and more precise.`;
    case 'server-restarted':
      return `The server of the ${note.build} restarted ${note.times === 1 ? 'once' : `${note.times} times`} during the comparison: start it without a watcher, and see its log.`;
    case 'server-errors':
      return `The server of the ${note.build} logged ${formatCount(note.lines, 'error')} during the comparison, first: ${note.first}`;
    case 'server-grew':
      return `The memory of the ${note.build}'s server grew from ${formatValue(note.from, 'bytes')} to ${formatValue(note.to, 'bytes')} during the comparison: it may leak.`;
    case 'server-restless':
      return `The server of the ${note.build} used ${formatChosenShare(note.share)} of a CPU while only the other build was loaded, which slows both down.`;
    case 'profiling':
      return `both builds are loaded up to ${note.loads} times more with a CPU profile, to find out which code differs`;
    case 'unchanged-tree':
      return `the work tree changes no file of ${note.base}: except for new files, a build is compared with itself`;
    case 'parted':
      return `${note.base} has commits that the work tree does not have: what they change is compared, too. --base-ref ${note.point.slice(0, TYPED)} leaves it out`;
    case 'nothing-built':
      return `the build did not write ${note.file} of the ${note.candidate}: the older file is measured`;
    case 'build-not-kept':
      return `the build of the base is not kept for the next time: ${note.folder} cannot be written to (${note.detail})`;
  }
}

function capacityNoteInWords(note: CapacityNote): string {
  switch (note.code) {
    case 'server-answers': {
      const { url, took, isHere, pids = [] } = note;
      const shown = `${pids.slice(0, NAMED_PROCESSES).join(', ')}${pids.length > NAMED_PROCESSES ? ' …' : ''}`;
      const where = isHere ? `, on this machine${pids.length > 0 ? ` (process ${shown})` : ''}` : '';
      return `${url} answers in ${formatValue(took, 'ms')}${where}`;
    }
    case 'level-measured': {
      const { server, concurrency, rate, pass, throughput, mean, p90, errors } = note;
      const what = rate === undefined ? formatCount(concurrency, 'connection') : `${formatThroughput(rate)} requested`;
      const failed = errors > 0 ? `, ${formatCount(errors, 'error')}` : '';
      return `${server === undefined ? '' : `${server}, `}${what}${pass === 2 ? ' again' : ''}: ${formatThroughput(throughput)}, mean ${formatValue(mean, 'ms')}, p90 ${formatValue(p90, 'ms')}${failed}`;
    }
    case 'page-not-loaded':
      return `The page was not loaded. ${note.failure.message}`;
  }
}
