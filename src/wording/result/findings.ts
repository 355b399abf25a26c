import { cutTo } from '../../core/text/cut-to.ts';
import type { FailedRequest } from '../../model/health.ts';
import type {
  AskedAndGot,
  DevelopmentServer,
  FindingFact,
  HarProducer,
  MissingEvidence,
  MissingLoad,
  MissingMetric,
  WorkerKind,
} from '../../model/result/finding.ts';
import type { Finding } from '../../model/result/result.ts';
import { waitingForInWords } from '../completion/waiting-for.ts';
import { fixMessage, starvationMessage } from '../fixes/fixes.ts';
import { mainThreadFinding } from '../main-thread.ts';
import { formatCount, formatRate, formatValue, joined } from '../text/format.ts';
import { kebabCase } from '../text/kebab-case.ts';
import { listNames, nameOf } from '../text/names.ts';

/** A finding as a result holds it: the message that a reader sees, with its code and figures. */
export function findingInWords(fact: FindingFact, pageUrl: string): Finding {
  const { code, urls, facts } = fact;
  return {
    code,
    message: findingMessage(fact, pageUrl),
    urls,
    ...('savesMs' in fact && { savesMs: fact.savesMs }),
    facts,
  };
}

const repeated = (times: number | undefined): string => (times === undefined ? '' : ` ${formatCount(times, 'time')}`);

const WORKERS: Readonly<Record<WorkerKind, string>> = {
  worker: 'a worker',
  'shared-worker': 'a shared worker',
  'service-worker': 'a service worker',
};

const DEVELOPMENT: Readonly<Record<DevelopmentServer, { readonly name: string; readonly build: string }>> = {
  next: { name: 'Next.js', build: 'run next build, then next start' },
  vite: { name: 'Vite', build: 'run vite build, then quiesce audit ./dist' },
  webpack: { name: 'webpack', build: 'run webpack --mode production, then quiesce audit ./dist' },
};

/** What a finding says. Addresses of the page's own origin are cut short. */
export function findingMessage(finding: FindingFact, pageUrl: string): string {
  if ('savesMs' in finding) return fixMessage(finding, pageUrl);
  const { code, facts } = finding;
  switch (code) {
    case 'dialog':
      return `The page showed a dialog (${facts.type})${repeated(facts.times)}, which was ${facts.accepted ? 'accepted' : 'dismissed'} at once: ${facts.text}`;
    case 'popup':
      return `The page opened a popup${repeated(facts.times)}, which was closed: ${facts.url}`;
    case 'client-redirect':
      return `The page replaced itself by script or meta refresh after ${Math.round(facts.after)} ms; times count from the first request.`;
    case 'soft-navigation':
      return `The page went to ${facts.url} without loading a document (a soft navigation).`;
    case 'hard-navigation':
      return 'The step opened another document. Times count from the start of the step, not from that request.';
    case 'cpu-not-in-workers':
      return `The page has ${WORKERS[facts.worker]}, and a slower CPU (${facts.cpu} ×) does not apply to workers: they run at the full speed of this machine.`;
    case 'network-not-in-shared-workers':
      return `The page has a shared worker, and the network ${facts.network} does not apply to shared workers: their requests run at full speed.`;
    case 'load-event-held': {
      const when =
        facts.firedAt === undefined
          ? 'The load event never fired'
          : `The load event fired only at ${formatValue(facts.firedAt, 'ms')}`;
      return `${when}: background requests delayed it. It does not count for page complete.`;
    }
    case 'stream-starvation':
      return starvationMessage(facts, pageUrl);
    case 'live-content':
      return `${facts.endpoint} (${facts.kind}) keeps changing the screen. Its first content counts, its updates do not.`;
    case 'broken-request': {
      const many = facts.requests === 1 ? 'A request' : `${facts.requests} requests`;
      const which = facts.failed === undefined ? '' : `: ${listFailed(facts.failed, facts.requests, pageUrl)}`;
      if (facts.isBroken === false) return `${many} of the page failed${which}. The page still seems to work.`;
      return `${many} of the page failed${which}. These timings are from a page that did not load correctly: fix the failed requests first.`;
    }
    case 'third-party-failed': {
      const many = facts.requests === 1 ? 'A request' : `${facts.requests} requests`;
      return `${many} to other sites failed: ${listFailed(facts.failed, facts.requests, pageUrl)}.`;
    }
    case 'script-error': {
      const where = facts.url === undefined ? '' : ` in ${placeInWords(facts.url, facts.line, pageUrl)}`;
      const often = facts.errors === 1 ? '' : `, ${formatCount(facts.errors, 'time')}`;
      return `An error was not caught${where}${often}: ${facts.message}`;
    }
    case 'blocked-by-policy':
      return `The page's Content-Security-Policy (${facts.directive}) blocked ${formatCount(facts.times, 'script or style', 'scripts or styles')} in its own document. Allow it with a nonce or a hash, or remove it.`;
    case 'error-shown':
      return `The page shows an error: “${facts.text}”`;
    case 'error-page':
      return `The page is an error page: “${facts.text}”`;
    case 'stopped-answering':
      return `The page stopped answering: a script kept its main thread busy for more than ${formatValue(facts.silent, 'ms')} at the end of the load, so the data that only the page has is missing.`;
    case 'blank-page':
      return 'The page is blank: it shows no text, no image and nothing else.';
    case 'login-page':
      return `${nameOf(facts.asked, pageUrl)} led to ${nameOf(facts.url, pageUrl)}, which asks for a password: that page was measured. To measure what is behind it, sign in with --script, --cookie or --header.`;
    case 'development-server':
      return `This is the development server of ${DEVELOPMENT[facts.server].name}, which does not bundle and compress files as the build does. Measure the build: ${DEVELOPMENT[facts.server].build}. Advice on compression, caching and unused code is left out.`;
    case 'metric-missing':
      return missingMetric(facts);
    case 'late-content':
      return (
        `${formatCount(facts.requests, 'request')} started after page complete, the first at ${formatValue(facts.firstAt, 'ms')} ` +
        `(${nameOf(facts.firstUrl, pageUrl)}), after a full quiet window without requests. If users wait for this content, use a longer --quiet-window.`
      );
    case 'network-conditions-off': {
      const { network, rtt, download, upload } = facts;
      const parts = [
        ...(rtt ? [`${Math.round(rtt.got)} ms instead of ${Math.round(rtt.asked)} ms from request to response`] : []),
        ...(download ? [`${rates(download)} down`] : []),
        ...(upload ? [`${rates(upload)} up`] : []),
      ];
      return (
        `This run did not get the network ${network}: ${parts.join(', ')}. ` +
        'The real connection, the server or this machine is slower, or the browser does not emulate this. Do not compare this run with others.'
      );
    }
    case 'network-limit-exceeded':
      return (
        `More arrived than the network ${facts.network} allows: ${rates(facts.download)} for ${formatValue(facts.lasted, 'ms')}. ` +
        'The browser limits frames of other sites and service workers separately, and shared workers not at all. ' +
        `One line would need ${formatValue(facts.shortBy, 'ms')} more for the same data, so times of this page may be too short.`
      );
    case 'entries-left-out': {
      const which = facts.entries === 1 ? 'An entry of the file' : `${facts.entries} entries of the file`;
      return `${which} could not be read, so it is not known what the page did there.`;
    }
    case 'layout-thrashing':
    case 'long-style-recalculation':
    case 'large-document-parse':
      return mainThreadFinding(finding);
    case 'evidence-missing':
      return missingInWords(facts, pageUrl);
  }
}

/** Errors of the browser that are not the server's. */
const EXPLAINED: Readonly<Partial<Record<string, string>>> = {
  'net::ERR_BLOCKED_BY_CLIENT': 'blocked by an extension of the browser: record without it',
};

/** How a request failed: "/api/items (HTTP 500)", "/app.js (net::ERR_FAILED)". */
export function failedInWords({ url, status, error }: FailedRequest, pageUrl: string): string {
  const why = status === undefined ? (EXPLAINED[error ?? ''] ?? error ?? 'no response') : `HTTP ${status}`;
  return `${nameOf(url, pageUrl)} (${why})`;
}

/** Failed requests that a sentence names. */
const MAX_REQUESTS = 3;

function listFailed(failed: readonly FailedRequest[], requests: number, pageUrl: string): string {
  const names = [...new Set(failed.map((each) => failedInWords(each, pageUrl)))];
  const more = requests - MAX_REQUESTS;
  if (names.length <= MAX_REQUESTS || more <= 0) return joined(names);
  return `${names.slice(0, MAX_REQUESTS).join(', ')} and ${formatCount(more, 'more', 'more')}`;
}

/** A place in a script as everybody writes it: "app.js:12". */
export function placeInWords(url: string, line: number | undefined, pageUrl: string): string {
  return `${nameOf(url, pageUrl)}${line === undefined ? '' : `:${line}`}`;
}

const rates = ({ asked, got }: AskedAndGot): string => `${formatRate(got)} instead of ${formatRate(asked)}`;

/** How to record so that the file has a load event. */
const RECORD_LOAD_EVENT: Readonly<Record<HarProducer, string>> = {
  playwright: 'Record until it has fired, or name the request that delays it with --background.',
  'puppeteer-har':
    'puppeteer-har never writes it. Record with chrome-har 1.3 or later, with DevTools, or with "quiesce audit".',
  proxy: 'A proxy does not see it. Record in the browser: with DevTools, Playwright, or "quiesce audit".',
  other: 'Record until it has fired, or record with "quiesce audit".',
};

const RECORD_LOAD =
  'Record it from its start: in DevTools, choose "Preserve log" in the Network panel, and reload the page with the panel open.';

function missingLoadInWords({ noDocument, firstRequestAt, firedAt }: MissingLoad): readonly string[] {
  return [
    ...(noDocument ? ['it has no document'] : []),
    ...(firstRequestAt === undefined
      ? []
      : [`its first request began ${formatValue(firstRequestAt, 'ms')} after the start of the page`]),
    ...(firedAt === undefined
      ? []
      : [
          `the load event, at ${formatValue(firedAt, 'ms')}, is earlier than ${noDocument ? 'everything in it' : 'the answer to the document'}`,
        ]),
  ];
}

function missingInWords(facts: MissingEvidence, pageUrl: string): string {
  switch (facts.missing) {
    case 'load':
      return `The file does not contain the load of the page: ${joined(missingLoadInWords(facts))}. ${RECORD_LOAD}`;
    case 'figures':
      return `${facts.impossible === 1 ? 'A part' : `${facts.impossible} parts`} of the file ${facts.impossible === 1 ? 'has' : 'have'} impossible times or sizes, which are left out. Export the HAR again.`;
    case 'load-holder':
      return `The load event fired at ${formatValue(facts.firedAt, 'ms')}, ${formatValue(facts.firedAt - facts.lastEndedAt, 'ms')} after the last response before it: either the page was busy, or the file lacks the request that the event waited for.`;
    case 'silence': {
      const window = `the quiet window of ${formatValue(facts.quietWindow, 'ms')}`;
      return facts.silence === undefined
        ? `The file ends with the last thing that the page needed. It does not say how much longer was recorded, but ${window} must follow. To confirm the time, record with "quiesce audit".`
        : `The file ends ${formatValue(facts.silence, 'ms')} after the last thing that the page needed, which is shorter than ${window}. Record for longer, or judge with a shorter --quiet-window.`;
    }
    case 'own-page':
      return (
        `After ${formatValue(facts.at, 'ms')}, the tab went on to ${nameOf(facts.url, pageUrl)}, and the file has no page for that load: ` +
        `${formatCount(facts.entries, 'request')} from there on ${facts.entries === 1 ? 'is' : 'are'} left out. To judge it, record it alone.`
      );
    case 'answers': {
      const questions = listNames(facts.questions.map((question) => waitingForInWords(question)));
      return `The file ends at ${formatValue(facts.endsAt, 'ms')}, too early to see ${questions}. Record for longer, or mark it with --background.`;
    }
    case 'load-event': {
      const { requests } = facts;
      const said =
        requests === undefined
          ? 'The file does not say when the load event fired (pageTimings.onLoad).'
          : `The file has no pages (log.pages) and therefore no load event: ${requests === 1 ? 'its request is' : `all its ${requests} requests are`} treated as one load.`;
      return `${said} ${RECORD_LOAD_EVENT[facts.producer ?? 'other']}`;
    }
    case 'waits':
      return (
        `The file does not say how long the server took to answer ${formatCount(facts.requests, 'request')} (timings.wait is −1), ` +
        "so the page was probably complete later. It has no load event either. Record with Playwright's mode: 'full'."
      );
    case 'ends':
      return `The file does not say when ${listNames(facts.urls, pageUrl)} ended: ${facts.urls.length === 1 ? 'it is treated as still open. Record until it has ended, or mark it' : 'they are treated as still open. Record until they have ended, or mark them'} with --background.`;
    case 'open-requests':
      return (
        `${facts.tool} leaves out requests that were open when it wrote the file: whether ` +
        `${nameOf(facts.endpoint, pageUrl)}, requested ${formatCount(facts.requests, 'time')}, was requested again after ` +
        `${formatValue(facts.lastEndedAt, 'ms')} is not in the file. If it never stops, mark it with --background.`
      );
    case 'effect':
      return (
        `${listNames(facts.urls, pageUrl)} ${facts.urls.length === 1 ? 'counts, though it' : 'count, though they'} may have no effect: ` +
        `a file cannot show it. Without ${facts.urls.length === 1 ? 'it' : 'them'}, the page would be complete after ${formatValue(facts.withoutAt, 'ms')}. ` +
        'To prove it, record with "quiesce audit"; or mark it with --background.'
      );
    case 'arrival-times':
      return (
        `The file has no arrival times (_chunks) of ${listNames(facts.urls, pageUrl)}, which took longer than ` +
        `${formatValue(facts.longerThan, 'ms')} to arrive. Without them, a stream looks like a slow download, so it counts as content.`
      );
  }
}

/** One clear line: what was asked for, and which names the page has. */
function missingMetric({ metric, from, has }: MissingMetric): string {
  const lists = has
    .filter(({ names }) => names.length > 0)
    .map(({ source, names, more }) => {
      const noun = names.length + more === 1 ? source : plural(source);
      return `${noun} ${[...names.map(quoted), ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
    });
  const had =
    lists.length > 0
      ? `It has: ${lists.join('; ')}`
      : `It has no ${has.map(({ source }) => plural(source)).join(', ')}`;
  const missing = `Own metric ${kebabCase(metric)}: the page gave no number for ${cutTo(from, LONGEST_NAME)}.`;
  return from.startsWith('js:') ? missing : `${missing} ${had}.`;
}

function plural(noun: string): string {
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/** Pages name them as they like. */
const quoted = (name: string): string => JSON.stringify(cutTo(name, LONGEST_NAME));

const LONGEST_NAME = 60;
