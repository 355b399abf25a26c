/**
 * Everything that can go wrong, in one table: what happened, and what to do next. A row is found by the code that also
 * stands in result.json.
 */

import type { FileShortage, StartCause } from '../../core/browser-start.ts';
import type { Build } from '../../model/compare/build.ts';
import { formatCount } from '../text/format.ts';
import { plain } from '../text/text.ts';

/** Process exit codes that scripts may rely on. */
export const EXIT = { ok: 0, gate: 1, usage: 2, unmeasured: 3, undecided: 4, interrupted: 130 } as const;

/** What rows speak of. */
interface Parts {
  readonly url: string;
  readonly detail: string;
  readonly path: string;
  readonly option: string;
  /** Of a script. */
  readonly step: string;
  readonly suggestion: string;
  readonly timeout: number;
  readonly status: number;
  /** Of a place in a file, both from 1. */
  readonly line: number;
  readonly column: number;
  /** What kept the browser from starting. */
  readonly cause: StartCause;
  /** Of open files, when the browser died. */
  readonly shortage: FileShortage;
  readonly loads: number;
  /** Number of a process. */
  readonly pid: number;
  /** Number of a pull request. */
  readonly pull: number;
  /** Of a script: `before()`, `the step "…"`. */
  readonly part: string;
  /** Files were written before. */
  readonly hasFiles: true;
  /** It was ended before any run. */
  readonly nothingMeasured: true;
  /** Whose server it is, where there are two. */
  readonly build: Build;
  /** The server's port was chosen for it. */
  readonly isPortChosen: boolean;
  /** How a build's command ended ('exit code 1'), and whether in a work tree of its own. */
  readonly buildFailure: { readonly how: string; readonly freshCheckout: boolean };
}

/** What one row needs, and what it can also speak of. */
type Of<K extends keyof Parts, O extends keyof Parts = never> = Pick<Parts, K> & Partial<Pick<Parts, O>>;

/** The details of any message, as they are read back from an error. */
export type Details = Readonly<Partial<Parts>>;

interface Row {
  readonly exit: (typeof EXIT)[keyof typeof EXIT];
  /** A method, and so each row may need details of its own: who asks for a row has to give what `DetailsOf` says. */
  say(details: Details): string;
}

const seconds = (ms: number | undefined): string => (ms === undefined ? 'the limit' : `${Math.round(ms / 100) / 10} s`);

/** What to look at where the server answered with an error. */
function adviceOnStatus(status: number | undefined): string {
  if (status === 401)
    return 'It asks who you are: sign in with --header, or, where pages are loaded, with --basic-auth <user:password> or --cookie.';
  return status !== undefined && status >= 500
    ? "See the server's log for the reason."
    : 'Check the URL, and whether the server needs a login or a header.';
}

const serverOf = ({ build }: Partial<Pick<Parts, 'build'>>): string =>
  build === undefined ? 'The server' : `The server of the ${build}`;

const START_ADVICE: Readonly<Record<StartCause, string>> = {
  'library-missing': 'Install what it needs: the package "chromium" of your system includes it.',
  sandbox: 'Its sandbox needs user namespaces (docs/troubleshooting.md); without them, use --no-sandbox.',
  'open-files': 'Allow more open files ("ulimit -n 4096"), or end programs that have many open.',
  'temporary-folder': 'Set TMPDIR to a folder that can be written to and has a short path.',
  unknown: 'Start it by itself to see why.',
};

function openFilesInWords({ isReached, limit }: FileShortage): string {
  const allowed = limit === undefined ? '' : ` (ulimit -n ${limit})`;
  return `${isReached ? 'It had' : 'It may have had'} too many open files${allowed}. ${START_ADVICE['open-files']}`;
}

const TABLE = {
  // The target
  'host-not-found': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url'>) => `No such host: ${d.url}. Check the spelling, or that this machine resolves the name.`,
  },
  'connection-refused': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) => `Nothing listens at ${d.url} (${d.detail}). Start the server, or check the port.`,
  },
  'connection-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `The connection to ${d.url} broke (${d.detail}). Check that the server is running, and whether the URL needs http or https.`,
  },
  'tls-invalid': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `The certificate of ${d.url} is not valid (${d.detail}). Fix it, or pass --ignore-certificate-errors for a test server.`,
  },
  'http-error': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url', 'status'>) =>
      `${d.url} answered ${d.status === undefined ? 'with an error' : `HTTP ${d.status}`} instead of a page. ${adviceOnStatus(d.status)}`,
  },
  'not-a-page': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) => `${d.url} is not a page but ${d.detail}. Use the URL of an HTML page.`,
  },
  'redirect-loop': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `${d.url} redirects in a loop (${d.detail}). Fix the redirects, or use the URL where they should end.`,
  },
  'no-answer': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'timeout'>) =>
      `${d.url} did not answer within ${seconds(d.timeout)}. Check the server, or increase --timeout.`,
  },
  truncated: {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `${d.url} stopped sending in the middle of the document (${d.detail}). Look for the cause in the server's log.`,
  },
  'navigation-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `${d.url} could not be loaded (${d.detail}). ${/UNSAFE_PORT/.test(d.detail) ? 'Browsers refuse this port: let the server listen on another one.' : 'Open it in a browser to see why.'}`,
  },
  'conditions-refused': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `The browser refused a condition for ${d.url} (${d.detail}). Leave it out, or try a newer browser.`,
  },
  'page-crashed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url'>) =>
      `The page ${d.url} crashed. The usual cause is too little memory. Open the page in a browser to check.`,
  },
  'page-not-opened': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'timeout'>) =>
      `The browser opened no page for ${d.url} within ${seconds(d.timeout)}. Check whether the machine is busy with something else, or increase --timeout.`,
  },
  // Scripts
  'storage-state-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} cannot be used as --storage-state (${d.detail}). Save one with Playwright: await context.storageState({ path: 'auth.json', indexedDB: true }).`,
  },
  'storage-state-refused': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) =>
      `The browser did not take the storage state for ${d.url} (${d.detail}). Save it again, or leave that origin out of the file.`,
  },
  'script-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} is not a Quiesce script (${d.detail}). It must export before(page) or measure(page, step). See docs/recipes.md for an example.`,
  },
  'script-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'part' | 'detail', 'url'>) =>
      `${d.path} failed in ${d.part}: ${d.detail}.${d.url === undefined ? '' : ` The page was at ${d.url}.`}`,
  },
  // Lighthouse and budgets: neither keeps anything from being measured
  'lighthouse-failed': {
    exit: EXIT.ok,
    say: (d: Of<'url' | 'detail'>) =>
      `Lighthouse gave no result for ${d.url} (${d.detail}). Everything else was measured.`,
  },
  'budget-failed': {
    exit: EXIT.gate,
    say: (d: Of<'detail'>) => `Budget exceeded: ${d.detail}`,
  },
  'trend-slower': {
    exit: EXIT.gate,
    say: (d) => `Slower (--fail-on slower): ${d.detail}`,
  },
  'page-broken': {
    exit: EXIT.gate,
    say: (d) => `Page broken: ${d.detail}`,
  },
  'budget-unknown': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) => `Budget not checked: ${d.detail}`,
  },
  'metric-missing': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) => `Not measured: ${d.detail}`,
  },
  // The browser
  'browser-not-found': {
    exit: EXIT.unmeasured,
    say: () =>
      'No Chrome, Chromium or Edge found. Run "quiesce browser install", or set its path with --browser <path>.',
  },
  'browser-not-executable': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} cannot be started as a browser (${d.detail}). Check --browser / QUIESCE_BROWSER.`,
  },
  'browser-start-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail' | 'cause'>) =>
      `The browser ${d.path} did not start (${d.detail}). ${START_ADVICE[d.cause]}`,
  },
  'browser-unreachable': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) => `No browser answers at ${d.url} (${d.detail}). Check --browser-ws.`,
  },
  'browser-died': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url', 'shortage'>) =>
      `The browser crashed while loading ${d.url} (two attempts). ${d.shortage === undefined ? "Check in the system's log whether memory ran out." : openFilesInWords(d.shortage)}`,
  },
  'browser-lost': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url'>) =>
      `The connection to the browser broke while loading ${d.url} (two attempts). Check the browser's log, and the timeouts of a grid or proxy between here and the browser.`,
  },
  'folder-out-of-reach': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'url' | 'detail'>) =>
      `${d.path} would be served at 127.0.0.1 on this machine, but the remote browser at ${d.url} cannot load it: ${d.detail}. Use a URL that this browser can open, or remove --browser-ws.`,
  },
  'browser-download-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) =>
      `The browser could not be downloaded (${d.detail}). Install Chrome or Chromium with the system's package manager, or set its path with --browser <path>.`,
  },
  'never-complete': {
    exit: EXIT.undecided,
    say: (d: Of<'url' | 'timeout' | 'detail', 'step'>) =>
      `${d.step === undefined ? '' : `The step "${d.step}" of `}${d.url} was not complete within ${seconds(d.timeout)}, ${d.detail}. Mark background traffic with --background, or increase --timeout.`,
  },
  // Comparisons
  'builds-missing': {
    exit: EXIT.usage,
    say: () =>
      'Missing arguments: the two builds to compare, base first. Give two URLs or two folders with built sites, or use --base-ref. See "quiesce help compare".',
  },
  'builds-too-many': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `${d.detail} arguments, and two builds are compared, base first. Compare a third one in a run of its own. See "quiesce help compare".`,
  },
  'builds-same': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `Both builds are ${d.detail}, so there is nothing to compare. Give two different builds, or one side something of its own (--candidate-header 'X-Flag: on'). To check how steady this machine is, run "quiesce doctor --aa <url>".`,
  },
  // Builds of two states of a repository
  'builds-twice': {
    exit: EXIT.usage,
    say: () => 'Give two targets or --base-ref, not both. With --base-ref, the candidate is the current working tree.',
  },
  'build-incomplete': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'suggestion' | 'detail'>) => `${d.option} needs ${d.suggestion}: ${d.detail}.`,
  },
  'git-missing': {
    exit: EXIT.unmeasured,
    say: () =>
      '--base-ref needs git, which is not on the PATH. Install git, or build both versions yourself and compare the two folders.',
  },
  'git-no-work-tree': {
    exit: EXIT.usage,
    say: (d: Of<'path', 'detail'>) =>
      `--base-ref: ${d.path} is not in a usable git working tree (${d.detail}). ${
        /dubious ownership/.test(d.detail ?? '')
          ? "It belongs to another user, as is common in containers. To use it anyway: git config --global --add safe.directory '*'"
          : 'Run Quiesce where the project is checked out.'
      }`,
  },
  'ref-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'suggestion'>) => `--base-ref: this repository has no commit "${d.detail}". ${d.suggestion}`,
  },
  'ref-checkout-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail' | 'suggestion'>) =>
      `${d.detail} could not be checked out next to the working tree (${d.suggestion}). See git's output above.`,
  },
  'ref-without-folder': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'path'>) =>
      `${d.detail} has no folder ${d.path}, so the build cannot run. Run Quiesce in a folder that both versions have, such as the root of the repository.`,
  },
  'build-command-failed': {
    exit: EXIT.unmeasured,
    say: ({ detail, buildFailure: { how, freshCheckout } }: Of<'detail' | 'buildFailure'>) => {
      const where = freshCheckout
        ? ', in a fresh checkout without node_modules or anything else that is not committed'
        : '';
      return `Building ${detail} failed (${how}${where}). See its output above. Fix the build, or the --build command.`;
    },
  },
  'build-without-site': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'path' | 'suggestion'>) => `${d.detail} has no site in ${d.path}: ${d.suggestion}.`,
  },
  'metric-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'suggestion', 'option'>) =>
      `${d.option ?? '--gate'}: unknown metric "${d.detail}". Choose one of: ${d.suggestion}.`,
  },
  'gate-without-step': {
    exit: EXIT.usage,
    say: (d: Of<'detail', 'suggestion'>) =>
      `--gate: there is no step "${d.detail}". ${d.suggestion === undefined ? 'The script did no steps.' : `The steps of the script are ${d.suggestion}.`}`,
  },
  'resume-nothing': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) =>
      `${d.path} contains no interrupted comparison. Set its folder with --out, or start a new comparison without --resume.`,
  },
  'resume-waiting': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'loads'>) =>
      `${d.path} contains a comparison that was interrupted after ${formatCount(d.loads, 'load')}. Continue it with --resume, or choose another folder with --out.`,
  },
  'resume-other': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `The comparison in ${d.path} was started with another ${d.detail}. Leave it as it was to continue, or choose another folder with --out.`,
  },
  'resume-possible': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path'>) => `What was measured is kept in ${d.path}: continue with the same command and --resume.`,
  },
  'resume-broken': {
    exit: EXIT.usage,
    say: (d: Of<'path', 'detail'>) =>
      `${d.path} cannot be read (${d.detail ?? 'it is not JSON'}). Choose another folder with --out to start again.`,
  },
  'build-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) => `The ${d.detail} could not be measured.`,
  },
  'build-never-complete': {
    exit: EXIT.undecided,
    say: (d: Of<'detail', 'timeout'>) =>
      `The ${d.detail} was not complete within ${seconds(d.timeout)} in any run, so there is nothing to compare. Mark background traffic with --background, or increase --timeout.`,
  },
  'build-blank': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) =>
      `The ${d.detail} shows nothing, so the builds were not compared further. Fix the page first: the report lists its script errors and failed requests.`,
  },
  'builds-failing': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) =>
      `Stopped after ${d.detail}: blocks with a failed load do not count. Fix the failing loads first.`,
  },
  'self-comparison-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail'>) => `${d.url} could not be compared with itself. ${d.detail}`,
  },
  'gate-failed': {
    exit: EXIT.gate,
    say: (d: Of<'detail'>) => `Gate failed: ${d.detail}`,
  },
  'host-unfit': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) => `The host was not fit to measure. ${d.detail}`,
  },
  'comparison-invalid': {
    exit: EXIT.undecided,
    say: (d: Of<'detail'>) => `The comparison is invalid. ${d.detail}`,
  },
  // The capacity of a server
  'capacity-missing': {
    exit: EXIT.usage,
    say: () =>
      'Give the URL of a server, or two to compare, or --import with a file of another tool, but not both. See "quiesce help capacity".',
  },
  'capacity-not-url': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `${d.detail} is a folder, and capacity measures a running server. Start one, and give its URL, as in http://localhost:3000/.`,
  },
  'capacity-host': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.detail} is not on this machine or in a private network. A load test can bring a server down: if you are allowed to, pass --i-may-load-this-host ${d.detail}`,
  },
  'capacity-urls': {
    exit: EXIT.usage,
    say: (d) => `${d.path}, line ${d.line}: ${d.detail}.`,
  },
  'capacity-redirects': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.url} redirects to ${d.detail}, and a load test does not follow. Use that URL.`,
  },
  'capacity-http2': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} does not speak HTTP/1.1 (${d.detail}), which the load generator uses.${d.url?.startsWith('https:') ? ' Use --engine k6 for a server with HTTP/2 only.' : ''}`,
  },
  'capacity-endless': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} sent an answer that did not end within ${seconds(d.timeout)}. Use a URL whose answer ends, or increase --timeout.`,
  },
  'capacity-failing': {
    exit: EXIT.unmeasured,
    say: (d) => `No level could be measured at ${d.url}: ${d.detail}. Look for the cause in the server's log.`,
  },
  'capacity-too-few-requests': {
    exit: EXIT.unmeasured,
    say: (d) => `No level could be measured at ${d.url}: --max-requests was reached before. Allow more.`,
  },
  'capacity-unsure': {
    exit: EXIT.undecided,
    say: (d) => `${d.detail} Measure longer with --level-time, or on a quieter machine.`,
  },
  'capacity-driver-busy': {
    exit: EXIT.undecided,
    say: (d) =>
      `The load generator was too busy to measure ${d.url}, even at the lowest level. Measure on a quieter machine, or from another one.`,
  },
  'import-unreadable': {
    exit: EXIT.usage,
    say: (d) => `${d.path} cannot be read: ${d.detail}.`,
  },
  'k6-missing': {
    exit: EXIT.unmeasured,
    say: () => '--engine k6 needs k6 on the PATH. Install it (https://grafana.com/docs/k6/), or leave --engine out.',
  },
  'package-missing': {
    exit: EXIT.unmeasured,
    say: (d: Of<'option' | 'suggestion'>) =>
      `${d.option} is not installed. Run "npm install ${d.suggestion}" where Quiesce is installed, or add --install to fetch it once.`,
  },
  'package-not-fetched': {
    exit: EXIT.unmeasured,
    say: (d: Of<'option' | 'suggestion' | 'detail'>) =>
      `${d.option} could not be fetched (${d.detail}). Run "npm install ${d.suggestion}" where Quiesce is installed.`,
  },
  'load-engine-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `The load generator failed (${d.detail}). Check the memory and the limits of this machine.`,
  },
  // HAR files
  'har-unreadable': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail'>) => `${d.path} cannot be read: ${d.detail}. Check the path.`,
  },
  'har-folder-empty': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path'>) => `${d.path} contains no HAR files. Choose a folder with files that end in .har or .har.gz.`,
  },
  'har-empty': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path'>) => `${d.path} is empty. Export the HAR again.`,
  },
  'har-gzip-broken': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail'>) => `${d.path} is gzipped, but ${d.detail}. Download or export it again.`,
  },
  'har-zip': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path'>) => `${d.path} is a zip archive. Unpack it and use the .har file inside.`,
  },
  'har-html': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path'>) =>
      `${d.path} is an HTML page and not a HAR. Its download may have led to a login or an error page: export the HAR again.`,
  },
  'har-not-json': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'line' | 'column' | 'detail'>) =>
      `${d.path} is not JSON, line ${d.line}, column ${d.column}: ${d.detail}. Export the HAR again.`,
  },
  'har-invalid': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} cannot be analysed: ${d.detail} Export the HAR again from a tool that recorded the load.`,
  },
  'har-left-out': {
    exit: EXIT.undecided,
    say: (d: Of<'path' | 'detail'>) => `${d.path}: ${d.detail}`,
  },
  'har-flawed': {
    exit: EXIT.ok,
    say: (d: Of<'path' | 'detail'>) => `${d.path}: ${d.detail}`,
  },
  'har-never': {
    exit: EXIT.undecided,
    say: (d: Of<'path' | 'url' | 'detail'>) =>
      `${d.path}: ${d.url} was not complete when the recording ended. It still waited for ${d.detail}. Mark background traffic with --background.`,
  },
  'har-unconfirmed': {
    exit: EXIT.undecided,
    say: (d: Of<'path' | 'url' | 'detail'>) => `${d.path}: ${d.url} is not confirmed to be complete. ${d.detail}`,
  },
  // Stored results
  'har-gone': {
    exit: EXIT.ok,
    say: (d: Of<'path' | 'detail'>) => `${d.path} cannot be read: ${d.detail} left out.`,
  },
  'result-missing': {
    exit: EXIT.usage,
    say: () =>
      'One argument is needed, the stored result. Give its folder or its result.json, for example: quiesce report nightly/2026-11-02',
  },
  'result-unreadable': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `${d.path} cannot be read: ${d.detail}. Check the path.`,
  },
  'result-not-json': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} is not JSON. Use the result.json that Quiesce wrote.`,
  },
  'result-foreign': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} is not a result of Quiesce. Use the result.json that Quiesce wrote.`,
  },
  'result-version': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} was written in ${d.detail}, which this version of Quiesce cannot read. Update Quiesce, or use the version that wrote the file.`,
  },
  'result-kind': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `${d.path} contains no measured pages: its kind is "${d.detail}".`,
  },
  'result-broken': {
    exit: EXIT.usage,
    say: (d: Of<'path', 'detail'>) =>
      `${d.path} is not as Quiesce wrote it (${d.detail ?? 'its values do not go together'}). Use an unchanged copy.`,
  },
  'report-format': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail' | 'suggestion'>) =>
      `${d.path} is the capacity of a server, which cannot be written as ${d.detail}. Choose from --format ${d.suggestion}.`,
  },
  'merge-capacity': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) =>
      `${d.path} is the capacity of a server, which has no shards to merge. Use quiesce trend for several results, or quiesce capacity <base> <candidate> to compare two servers.`,
  },
  'trend-missing': {
    exit: EXIT.usage,
    say: () =>
      'Missing argument: where the results are. Give folders of audits, comparisons and capacities, or result.json files, for example: quiesce trend reports/',
  },
  'trend-out-taken': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} already contains another report. Choose another folder with --out.`,
  },
  'trend-empty': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `No result of an audit, a comparison or a capacity in ${d.path}. Choose a folder with results. quiesce audit, quiesce compare and quiesce capacity write them to --out.${d.detail}`,
  },
  // GitHub: what cannot be reported there takes nothing away from the result
  'github-result-missing': {
    exit: EXIT.usage,
    say: () =>
      'One argument is needed, the stored result. Give its folder or its result.json, for example: quiesce github reports/latest',
  },
  'github-no-pull': {
    exit: EXIT.ok,
    say: (d: Of<'detail'>) => `No comment was written: ${d.detail}. Set the pull request with --pull <number>.`,
  },
  'github-no-repository': {
    exit: EXIT.ok,
    say: () =>
      'No comment was written: GITHUB_REPOSITORY is not set. Run this in a job of GitHub Actions, or set it to <owner>/<name>.',
  },
  'github-no-token': {
    exit: EXIT.ok,
    say: () =>
      'No comment was written: there is no GITHUB_TOKEN. The job summary has the full result. For a comment, give this step the token with the permission "pull-requests: write".',
  },
  'github-read-only': {
    exit: EXIT.ok,
    say: (d: Of<'detail'>) =>
      `No comment was written: the token may only read (${d.detail}). The job summary has the full result. Give the job the permission "pull-requests: write". Pull requests from forks cannot have it: for them, use a second workflow (on: workflow_run), as in docs/ci.md.`,
  },
  'github-not-found': {
    exit: EXIT.ok,
    say: (d: Of<'pull'>) =>
      `No comment was written: GitHub has no pull request ${d.pull}, or the token may not see it. Check --pull, and that the pull request still exists.`,
  },
  'github-refused': {
    exit: EXIT.ok,
    say: (d: Of<'detail'>) =>
      `No comment was written: GitHub rejected it (${d.detail}). The job summary has the full result.`,
  },
  'github-unreachable': {
    exit: EXIT.ok,
    say: (d: Of<'detail'>) =>
      `No comment was written: GitHub could not be reached (${d.detail}). The job summary has the full result. Run the job again for a comment.`,
  },
  'github-file-unwritable': {
    exit: EXIT.ok,
    say: (d: Of<'option' | 'detail'>) =>
      `${d.option} could not be written (${d.detail}). Check that it is a file of this job.`,
  },
  // Shards
  'merge-missing': {
    exit: EXIT.usage,
    say: () =>
      'Missing argument: the folders with the results of the shards, or one folder that contains them all, for example: quiesce merge shards/',
  },
  'merge-no-shard': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} contains no result of a shard${d.detail}. Use the folders that "quiesce audit" or "quiesce compare" wrote with --shard.`,
  },
  'merge-twice': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `${d.path} are both shard ${d.detail}, but they differ. Use only one of them.`,
  },
  'merge-foreign': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} are not shards of the same job: ${d.detail}. Use the shards of one job.`,
  },
  'merge-out-taken': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) =>
      `${d.path} is the folder of a shard, whose result would be overwritten. Choose another folder with --out.`,
  },
  'merge-incomplete': {
    exit: EXIT.ok,
    say: (d: Of<'detail'>) => `${d.detail} The comparison uses the blocks that were measured.`,
  },
  'merge-pages-missing': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) => `${d.detail} Measure the missing part again, then merge again.`,
  },
  // The surroundings
  'out-not-writable': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `Cannot write to ${d.path} (${d.detail}). Choose another folder with --out.`,
  },
  'output-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) => `Printing failed (${d.detail}). Files written before are kept, in the folder of --out.`,
  },
  'ended-from-within': {
    exit: EXIT.unmeasured,
    say: () =>
      'A configuration file or a script ended this program (process.exit), so it has no answer. Let it throw an error instead.',
  },
  'out-foreign': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) =>
      `${d.path} contains files that do not belong to a result of Quiesce (${d.detail}). Choose another folder with --out, or write into this one with --force.`,
  },
  'out-in-use': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'pid' | 'detail'>) =>
      `Process ${d.pid} is writing its results to ${d.path}. Choose another folder with --out, or wait until it ends. If that process is not Quiesce, remove ${d.detail}.`,
  },
  'write-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail', 'hasFiles'>) =>
      `Writing ${d.path} failed (${d.detail}). Free some disk space, or choose another folder with --out.${d.hasFiles ? ' Files written before are kept.' : ''}`,
  },
  'invalid-har': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) =>
      `A HAR that Quiesce built is not valid (${d.detail}). This is a bug in Quiesce: please report it with this line.`,
  },
  interrupted: {
    exit: EXIT.interrupted,
    say: (d: Of<never, 'nothingMeasured' | 'path'>) =>
      `Interrupted. ${d.nothingMeasured ? 'Nothing was measured' : 'Finished runs are kept'}.${d.path === undefined ? '' : ` Continue with the same command and --out ${d.path} --resume.`}`,
  },
  // Usage
  'target-missing': {
    exit: EXIT.usage,
    say: () =>
      'Missing argument: what to audit. Give a URL (https://example.com/) or a folder with a built site (./dist), or write a configuration file with "quiesce init". See "quiesce help audit".',
  },
  // The list of pages
  'page-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `${d.path}: ${d.detail}`,
  },
  'page-name-taken': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'url' | 'path'>) =>
      `Two pages are called "${d.detail}": ${d.url} and ${d.path}. Give each page a different name.`,
  },
  'page-not-path': {
    exit: EXIT.usage,
    say: (d: Of<'detail', 'path'>) =>
      `${d.path ? `${d.path}: ` : ''}"${d.detail}" is not a page of both builds. Write its path, as in /products.`,
  },
  'pages-too-many': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `${d.detail} are too many for one comparison. Name the ones that matter with --pages, or limit a sitemap with --max-pages.`,
  },
  'urls-file-unreadable': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `--urls-file: ${d.path} cannot be used (${d.detail}). Write one URL per line.`,
  },
  'sitemap-unreadable': {
    exit: EXIT.unmeasured,
    say: (d: Of<'path' | 'detail'>) =>
      `The sitemap ${d.path} cannot be used: ${d.detail}. Check the URL, or list the pages with --urls-file.`,
  },
  // The server under test
  'serve-incomplete': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'suggestion' | 'detail'>) => `${d.option} needs ${d.suggestion}: ${d.detail}.`,
  },
  'serve-url-taken': {
    exit: EXIT.usage,
    say: (d: Of<'url' | 'detail'>) =>
      `Something already listens at ${d.url}, so that would be measured instead of the server that ${d.detail} starts. Stop it, or measure it by removing --serve-command.`,
  },
  'serve-ended': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'detail', 'build'>) =>
      `${serverOf(d)} ended before ${d.url} answered (${d.detail}). See its output above.`,
  },
  'serve-no-answer': {
    exit: EXIT.unmeasured,
    say: (d: Of<'url' | 'timeout' | 'detail', 'build' | 'isPortChosen'>) =>
      `${d.build === undefined ? d.url : `${serverOf(d)} (${d.url})`} did not answer within ${seconds(d.timeout)} (${d.detail}). ${
        d.isPortChosen
          ? 'Let it listen on the port in PORT, or give it {port} in --serve-command; of a server that cannot, write its own port in --serve-url'
          : 'Check --serve-url'
      }, or increase --serve-timeout.`,
  },
  'serve-lost': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail', 'build' | 'path'>) =>
      `${serverOf(d)} ended while it was measured (${d.detail}). See its output above.${d.path === undefined ? '' : ` Its whole log is ${d.path}.`}`,
  },
  'serve-folder-missing': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `"${d.detail}" is not a folder. With --serve-command, give two folders in which the server is started, or --base-ref.`,
  },
  'setup-failed': {
    exit: EXIT.unmeasured,
    say: (d: Of<'detail'>) => `The --setup command failed (${d.detail}). See its output above.`,
  },
  'setup-endless': {
    exit: EXIT.usage,
    say: (d: Of<'timeout'>) =>
      `The --setup command did not end within ${seconds(d.timeout)}. Put "&" behind what is to go on running: it is stopped with the comparison. Or increase --serve-timeout.`,
  },
  'har-missing': {
    exit: EXIT.usage,
    say: () =>
      'Missing argument: what to analyse. Give HAR files (page.har, page.har.gz), folders with HAR files, or - for standard input. See "quiesce help analyze".',
  },
  'target-not-url': {
    exit: EXIT.usage,
    say: (d: Of<'detail', 'suggestion'>) =>
      `"${d.detail}" is neither a folder here nor a URL.${d.suggestion ? ` Did you mean ${d.suggestion}?` : ' Write a URL with its scheme, as in https://example.com/.'}`,
  },
  'page-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'suggestion'>) =>
      `"${d.detail}" is not a page of the configuration file, a folder or a URL. Did you mean ${d.suggestion}?`,
  },
  'target-har': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} is a recorded HAR, which is not loaded but analysed: quiesce analyze ${d.path}`,
  },
  'target-scheme': {
    exit: EXIT.usage,
    say: (d: Of<'detail'>) =>
      `Quiesce can only load http and https pages, not "${d.detail}". For local files, give the folder: Quiesce serves it during the audit.`,
  },
  'folder-without-index': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} has no index.html. Use the folder that the build writes, such as ./dist.`,
  },
  'option-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'option', 'suggestion'>) =>
      `Unknown option ${d.option}.${d.suggestion ? ` Did you mean ${d.suggestion}?` : ''} See "quiesce help".`,
  },
  'option-foreign': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'suggestion'>) => `Unknown option ${d.option}. ${d.suggestion}`,
  },
  'option-misplaced': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'detail', 'suggestion'>) =>
      `${d.option} is an option of ${d.detail}, not of this command.${d.suggestion ? ` ${d.suggestion}` : ''} See "quiesce help".`,
  },
  'action-input-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'option'>) =>
      `This version of Quiesce does not know the input "${d.option}". Update the version of quiesce that the project installs, or remove the input.`,
  },
  'option-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'detail'>) => `${d.option}: ${d.detail}.`,
  },
  'options-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'detail'>) => `${d.option}(): ${d.detail}.`,
  },
  'options-contradict': {
    exit: EXIT.usage,
    say: (d: Of<'option' | 'detail' | 'suggestion'>) =>
      `${d.option} and ${d.detail} contradict each other: ${d.suggestion}.`,
  },
  'completion-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'detail' | 'suggestion'>) =>
      `${d.detail === '' ? 'Missing argument: the shell' : `There is no completion for "${d.detail}"`}. Choose one of: ${d.suggestion}, for example: quiesce completion bash`,
  },
  'command-missing': {
    exit: EXIT.usage,
    say: () => 'Missing command, for example: quiesce audit https://example.com/ See "quiesce help".',
  },
  'command-unknown': {
    exit: EXIT.usage,
    say: (d: Of<'detail', 'suggestion'>) =>
      `Unknown command "${d.detail}".${d.suggestion ? ` Did you mean ${d.suggestion}?` : ''} See "quiesce help".`,
  },
  'init-exists': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} already exists. Edit it, or overwrite it with --force.`,
  },
  'init-other': {
    exit: EXIT.usage,
    say: (d: Of<'path'>) => `${d.path} already exists and takes precedence. Remove it first.`,
  },
  'config-invalid': {
    exit: EXIT.usage,
    say: (d: Of<'path' | 'detail'>) => `${d.path}: ${d.detail}.`,
  },
} as const satisfies Record<string, Row>;

/** The same, for callers that have checked what a row needs. */
const rows: Readonly<Record<MessageCode, Row>> = TABLE;

/** The name of a row. */
export type MessageCode = keyof typeof TABLE;

/** The names of all rows. */
export const MESSAGE_CODES = Object.keys(TABLE) as readonly MessageCode[];

/** What the row of a code needs; of one of several codes, what all of them need. */
type DetailsOf<C extends MessageCode> = (typeof TABLE)[C]['say'] extends (details: infer D extends Details) => string
  ? D
  : never;

/** What comes after a code: details may be left out where the row needs none. */
export type MessageDetails<C extends MessageCode, More extends readonly unknown[] = []> =
  object extends DetailsOf<C> ? [details?: DetailsOf<C>, ...more: More] : [details: DetailsOf<C>, ...more: More];

/** One line for a code: what happened and what to do. Control characters in foreign text are removed. */
export function messageFor<C extends MessageCode>(code: C, ...given: MessageDetails<C>): string;
export function messageFor(code: MessageCode, details: Details = {}): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes in foreign text are what is removed.
  return rows[code].say(details).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** The exit code that goes with a code. */
export function exitFor(code: MessageCode): number {
  return rows[code].exit;
}

/** An error for the user's eyes: its message is one line out of the table. The exit code is the table's, unless given. */
export interface QuiesceError extends Error {
  readonly code: MessageCode;
  readonly details: Details;
  readonly exit: number;
}

type ErrorMore = ErrorOptions & { readonly exit?: number };

interface QuiesceErrorConstructor {
  new <C extends MessageCode>(code: C, ...given: MessageDetails<C, [options?: ErrorMore]>): QuiesceError;
  readonly prototype: QuiesceError;
}

export const QuiesceError: QuiesceErrorConstructor = class QuiesceError extends Error {
  readonly code: MessageCode;
  readonly details: Details;
  readonly exit: number;

  constructor(code: MessageCode, details: Details = {}, options?: ErrorMore) {
    // Names and addresses in it may come from anywhere: it stays one line.
    super(plain(rows[code].say(details)), options);
    this.name = 'QuiesceError';
    this.code = code;
    this.details = details;
    this.exit = options?.exit ?? exitFor(code);
  }
};
