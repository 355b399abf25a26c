/**
 * Everything that can go wrong, in one table: what happened, and what to do next. A row is found by the code that also
 * stands in result.json.
 */

/** Process exit codes that scripts may rely on. */
export const EXIT = { ok: 0, gate: 1, usage: 2, unmeasured: 3, undecided: 4, interrupted: 130 } as const;

/** What a row may speak of. */
export interface Details {
  readonly url?: string;
  readonly detail?: string;
  readonly path?: string;
  readonly option?: string;
  readonly suggestion?: string;
  readonly timeout?: number;
  readonly status?: number;
  /** Of a place in a file, both from 1. */
  readonly line?: number;
  readonly column?: number;
}

interface Row {
  readonly exit: (typeof EXIT)[keyof typeof EXIT];
  say(details: Details): string;
}

const seconds = (ms: number | undefined): string => (ms === undefined ? 'the limit' : `${Math.round(ms / 100) / 10} s`);

const TABLE = {
  // The target
  'host-not-found': {
    exit: EXIT.unmeasured,
    say: (d) => `No such host: ${d.url}. Check the spelling, or that this machine resolves the name.`,
  },
  'connection-refused': {
    exit: EXIT.unmeasured,
    say: (d) => `Nothing listens at ${d.url} (${d.detail}). Start the server, or check the port.`,
  },
  'connection-failed': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The connection to ${d.url} broke (${d.detail}). Check that the server is up and speaks the URL's scheme.`,
  },
  'tls-invalid': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The certificate of ${d.url} is not valid (${d.detail}). Mend it, or for a test server pass --ignore-certificate-errors.`,
  },
  'http-error': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} answered HTTP ${d.status}, not a page. Check the address, or what the server wants (a login, a header).`,
  },
  'not-a-page': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.url} is not a page but ${d.detail}. Name the HTML page that a user opens.`,
  },
  'redirect-loop': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} redirects in a circle (${d.detail}). Mend the redirects, or name the page they should end at.`,
  },
  'no-answer': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} did not answer within ${seconds(d.timeout)}. Check the server, or wait longer with --timeout.`,
  },
  truncated: {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} stopped in the middle of the document (${d.detail}). Check the server's log for what ended it.`,
  },
  'navigation-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.url} could not be loaded (${d.detail}).`,
  },
  'conditions-refused': {
    exit: EXIT.unmeasured,
    say: (d) => `The browser refused a condition for ${d.url} (${d.detail}). Leave it out, or try a newer browser.`,
  },
  'page-crashed': {
    exit: EXIT.unmeasured,
    say: (d) => `The page ${d.url} crashed its renderer. Open it in a browser by hand; memory is the usual cause.`,
  },
  // Scripts
  'script-invalid': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} is no script (${d.detail}). Export before(page) or measure(page, step) from it; docs/recipes.md shows one.`,
  },
  'script-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} failed ${d.detail}`,
  },
  // Lighthouse and budgets: neither keeps anything from being measured
  'lighthouse-failed': {
    exit: EXIT.ok,
    say: (d) => `Lighthouse gave no result for ${d.url} (${d.detail}). Everything else was measured without it.`,
  },
  'budget-failed': {
    exit: EXIT.gate,
    say: (d) => `Budget exceeded: ${d.detail}`,
  },
  'budget-unknown': {
    exit: EXIT.undecided,
    say: (d) => `Budget not checked: ${d.detail}`,
  },
  // The browser
  'browser-not-found': {
    exit: EXIT.unmeasured,
    say: () => 'No Chrome, Chromium or Edge found. Run "quiesce browser install", or name one with --browser <path>.',
  },
  'browser-not-executable': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} cannot be started as a browser (${d.detail}). Check --browser / QUIESCE_BROWSER.`,
  },
  'browser-start-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `The browser ${d.path} did not start (${d.detail}). ${d.suggestion}`,
  },
  'browser-unreachable': {
    exit: EXIT.unmeasured,
    say: (d) => `No browser to measure in answers at ${d.url} (${d.detail}). Check --browser-ws.`,
  },
  'browser-died': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The browser died while it loaded ${d.url}, twice. Look for the out-of-memory killer in the system's log.`,
  },
  'browser-lost': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The connection to the browser broke while it loaded ${d.url}, twice. Look at the browser's log, and at what may end sessions on the way to it, such as a time-out of a grid or a proxy.`,
  },
  'folder-out-of-reach': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} would be served at 127.0.0.1 on this machine, where the browser at ${d.url} cannot load it: ${d.detail}. ${d.suggestion}, or leave --browser-ws out.`,
  },
  'browser-download-failed': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The browser could not be downloaded (${d.detail}). Install Chrome or Chromium with the system's package manager, or name one with --browser <path>.`,
  },
  'never-complete': {
    exit: EXIT.undecided,
    say: (d) =>
      `${d.url} was not complete within ${seconds(d.timeout)}, ${d.detail}. Name background traffic with --background, or wait longer with --timeout.`,
  },
  // Comparisons
  'builds-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name two builds to compare, the base first: two URLs or two folders with built sites; or have them built with --base-ref. "quiesce help compare" shows how.',
  },
  'builds-same': {
    exit: EXIT.usage,
    say: (d) =>
      `Both builds are ${d.detail}: there is nothing to compare. Name two, or see with "quiesce doctor --aa <url>" how steady this machine is.`,
  },
  // Builds of two states of a repository
  'builds-twice': {
    exit: EXIT.usage,
    say: () => 'Name two targets or --base-ref, not both: with --base-ref the candidate is the work tree as it stands.',
  },
  'build-incomplete': {
    exit: EXIT.usage,
    say: (d) => `${d.option} needs ${d.suggestion}: ${d.detail}.`,
  },
  'git-missing': {
    exit: EXIT.unmeasured,
    say: () =>
      'There is no git on the PATH, and --base-ref needs it. Install it, or build both states yourself and name the two folders.',
  },
  'git-no-work-tree': {
    exit: EXIT.usage,
    say: (d) =>
      `--base-ref: ${d.path} is not in a work tree of git that can be used (${d.detail}). ${
        /dubious ownership/.test(d.detail ?? '')
          ? "It belongs to somebody else, as in containers; to use it all the same: git config --global --add safe.directory '*'"
          : 'Run Quiesce where the project is checked out.'
      }`,
  },
  'ref-unknown': {
    exit: EXIT.usage,
    say: (d) => `--base-ref: this repository knows no commit "${d.detail}". ${d.suggestion}`,
  },
  'ref-checkout-failed': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.detail} could not be checked out beside the work tree (${d.suggestion}). What git said last stands above.`,
  },
  'ref-without-folder': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.detail} has no folder ${d.path}, in which the build would run. Run Quiesce in a folder that both have, such as the repository's own.`,
  },
  'build-command-failed': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `Building ${d.detail} failed (${d.suggestion}). What it said last stands above; mend it, or the command of --build.`,
  },
  'build-without-site': {
    exit: EXIT.usage,
    say: (d) => `${d.detail} has no site in ${d.path}: ${d.suggestion}.`,
  },
  'metric-unknown': {
    exit: EXIT.usage,
    say: (d) => `${d.option ?? '--gate'}: there is no metric "${d.detail}". Take out of ${d.suggestion}.`,
  },
  'resume-nothing': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} holds no interrupted comparison. Name its folder with --out, or leave --resume out to begin one.`,
  },
  'resume-waiting': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} holds a comparison that was interrupted after ${d.detail}. Go on with it with --resume, or name another folder with --out.`,
  },
  'resume-other': {
    exit: EXIT.usage,
    say: (d) =>
      `The comparison in ${d.path} was begun with another ${d.detail}. Give the same to go on with it, or name another folder with --out.`,
  },
  'resume-broken': {
    exit: EXIT.usage,
    say: (d) => `${d.path} cannot be read (${d.detail}). Name another folder with --out to begin anew.`,
  },
  'build-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `The ${d.detail} could not be measured.`,
  },
  'build-never-complete': {
    exit: EXIT.undecided,
    say: (d) =>
      `The ${d.detail} was not complete within ${seconds(d.timeout)} in any run, so there is nothing to compare. Name background traffic with --background, or wait longer with --timeout.`,
  },
  'builds-failing': {
    exit: EXIT.undecided,
    say: (d) =>
      `Ended after ${d.detail}: blocks with a failed load do not count. Look at what fails before comparing times.`,
  },
  'self-comparison-failed': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.url} could not be compared with itself. ${d.detail}`,
  },
  'gate-failed': {
    exit: EXIT.gate,
    say: (d) => `Gate failed: ${d.detail}`,
  },
  'host-unfit': {
    exit: EXIT.undecided,
    say: (d) => `The host was not fit to measure. ${d.detail}`,
  },
  'comparison-invalid': {
    exit: EXIT.undecided,
    say: (d) => `The comparison is invalid. ${d.detail}`,
  },
  // HAR files
  'har-unreadable': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} cannot be read: ${d.detail}. Check the path.`,
  },
  'har-folder-empty': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} holds no HAR. Name a folder with files that end in .har or .har.gz.`,
  },
  'har-empty': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} is empty. Export the HAR again.`,
  },
  'har-gzip-broken': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} is gzipped, but ${d.detail}. Fetch or export it again.`,
  },
  'har-zip': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} is a zip archive. Unpack it, and name the .har that is in it.`,
  },
  'har-not-json': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} is not JSON, line ${d.line}, column ${d.column}: ${d.detail}. Export the HAR again.`,
  },
  'har-invalid': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.path} cannot be analysed: ${d.detail}`,
  },
  'har-left-out': {
    exit: EXIT.undecided,
    say: (d) => `${d.path}: ${d.detail}`,
  },
  'har-flawed': {
    exit: EXIT.ok,
    say: (d) => `${d.path}: ${d.detail}`,
  },
  'har-never': {
    exit: EXIT.undecided,
    say: (d) =>
      `${d.path}: ${d.url} was not complete when the recording ended; it waited for ${d.detail}. Name background traffic with --background.`,
  },
  'har-unconfirmed': {
    exit: EXIT.undecided,
    say: (d) => `${d.path}: ${d.url} is not confirmed to be complete. ${d.detail}`,
  },
  // Stored results
  'har-gone': {
    exit: EXIT.ok,
    say: (d) => `${d.path} cannot be read: ${d.detail} left out.`,
  },
  'result-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name the stored result to write the reports of again: its result.json, or the folder that holds it. "quiesce help report" shows how.',
  },
  'result-unreadable': {
    exit: EXIT.usage,
    say: (d) => `${d.path} cannot be read: ${d.detail}. Check the path.`,
  },
  'result-not-json': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is not JSON. Name the result.json that Quiesce wrote.`,
  },
  'result-foreign': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is no result of Quiesce. Name the result.json that it wrote.`,
  },
  'result-version': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} is of ${d.detail}, which this Quiesce does not read. Take the Quiesce that wrote it, or a newer one.`,
  },
  'result-kind': {
    exit: EXIT.usage,
    say: (d) => `${d.path} holds no measured pages: it is of the kind "${d.detail}".`,
  },
  'result-broken': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is not what Quiesce wrote (${d.detail}). Take an unchanged copy.`,
  },
  'trend-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name where the results lie: folders of audits and comparisons (reports/), or result.json files. "quiesce help trend" shows how.',
  },
  'trend-out-taken': {
    exit: EXIT.usage,
    say: (d) => `${d.path} holds a result with a report of its own. Name another folder with --out.`,
  },
  'trend-empty': {
    exit: EXIT.usage,
    say: (d) =>
      `No result of an audit or a comparison in ${d.path}. Name a folder that holds some: quiesce audit and compare write them to --out.${d.detail}`,
  },
  // GitHub: what cannot be told there takes nothing away from the result
  'github-result-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name the stored result to tell GitHub of: its result.json, or the folder that holds it. "quiesce help github" shows how.',
  },
  'github-no-pull': {
    exit: EXIT.ok,
    say: (d) => `No comment was written: ${d.detail}. --pull <number> names the pull request.`,
  },
  'github-no-token': {
    exit: EXIT.ok,
    say: () =>
      'No comment was written: there is no GITHUB_TOKEN. The summary of the job says it all; for a comment give this step the token, with the permission "pull-requests: write".',
  },
  'github-read-only': {
    exit: EXIT.ok,
    say: (d) =>
      `No comment was written: the token may only read (${d.detail}). The summary of the job says it all. Give the job the permission "pull-requests: write"; for pull requests of forks, which cannot have it, a second workflow on: workflow_run posts the comment (README, "On every pull request").`,
  },
  'github-not-found': {
    exit: EXIT.ok,
    say: (d) =>
      `No comment was written: GitHub knows no ${d.detail}, or the token may not see it. Check --pull, and that the pull request is still there.`,
  },
  'github-refused': {
    exit: EXIT.ok,
    say: (d) => `No comment was written: GitHub refused it (${d.detail}). The summary of the job says it all.`,
  },
  'github-unreachable': {
    exit: EXIT.ok,
    say: (d) =>
      `No comment was written: GitHub did not take it (${d.detail}). The summary of the job says it all; run the job again for a comment.`,
  },
  'github-file-unwritable': {
    exit: EXIT.ok,
    say: (d) => `${d.option} could not be written to (${d.detail}). Check that it names a file of this job.`,
  },
  // Shards
  'merge-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name the folders with the results of the shards, or one that holds them all. "quiesce help merge" shows how.',
  },
  'merge-no-shard': {
    exit: EXIT.usage,
    say: (d) =>
      `${d.path} holds no result of a shard${d.detail}. Name the folders that "quiesce audit" or "quiesce compare" wrote with --shard.`,
  },
  'merge-twice': {
    exit: EXIT.usage,
    say: (d) => `${d.path} both are shard ${d.detail}, and not the same. Name one of them.`,
  },
  'merge-foreign': {
    exit: EXIT.usage,
    say: (d) => `${d.path} are not shards of one job: ${d.detail}. Name those of one job.`,
  },
  'merge-out-taken': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is the folder of a shard, whose result would be lost. Name another one with --out.`,
  },
  'merge-incomplete': {
    exit: EXIT.ok,
    say: (d) => `${d.detail}. The comparison is without the rest.`,
  },
  'merge-pages-missing': {
    exit: EXIT.unmeasured,
    say: (d) => `${d.detail}. Measure what is missing again, and merge once more.`,
  },
  // The surroundings
  'out-not-writable': {
    exit: EXIT.usage,
    say: (d) => `Cannot write to ${d.path} (${d.detail}). Name another folder with --out.`,
  },
  'write-failed': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `Writing ${d.path} failed (${d.detail}). Free some room, or name another folder with --out; what was written before is kept.`,
  },
  'invalid-har': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `A HAR that Quiesce built is not valid (${d.detail}). This is a bug in Quiesce: please report it with this line.`,
  },
  interrupted: {
    exit: EXIT.interrupted,
    say: (d) =>
      `Interrupted. ${d.detail ?? 'The finished runs are kept'}${d.suggestion ? `; go on with ${d.suggestion}` : ''}.`,
  },
  // Usage
  'target-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name what to audit: a URL (https://example.com/) or a folder with a built site (./dist). "quiesce init" writes a configuration file; "quiesce help audit" shows how.',
  },
  // The list of pages
  'page-invalid': {
    exit: EXIT.usage,
    say: (d) => `${d.path}: ${d.detail}`,
  },
  'page-name-taken': {
    exit: EXIT.usage,
    say: (d) => `Two pages are called "${d.detail}": ${d.url} and ${d.path}. Give each a name of its own.`,
  },
  'urls-file-unreadable': {
    exit: EXIT.usage,
    say: (d) => `--urls-file: ${d.path} cannot be used (${d.detail}). Write a URL on each line.`,
  },
  'sitemap-unreadable': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `The sitemap ${d.path} cannot be used: ${d.detail}. Check the address, or name the pages with --urls-file.`,
  },
  // The server under test
  'serve-incomplete': {
    exit: EXIT.usage,
    say: (d) => `${d.option} needs ${d.suggestion}: ${d.detail}.`,
  },
  'serve-url-taken': {
    exit: EXIT.usage,
    say: (d) =>
      `Something listens at ${d.url} already, so it would be measured and not what ${d.detail} starts. End it, or leave --serve-command out to measure it.`,
  },
  'serve-ended': {
    exit: EXIT.unmeasured,
    say: (d) => `The server ended before ${d.url} answered (${d.detail}). What it said last stands above.`,
  },
  'serve-no-answer': {
    exit: EXIT.unmeasured,
    say: (d) =>
      `${d.url} did not answer within ${seconds(d.timeout)} (${d.detail}). Check --serve-url, or wait longer with --serve-timeout.`,
  },
  'serve-lost': {
    exit: EXIT.unmeasured,
    say: (d) => `The server ended while it was measured (${d.detail}). What it said last stands above.`,
  },
  'har-missing': {
    exit: EXIT.usage,
    say: () =>
      'Name what to analyse: HAR files (page.har, page.har.gz), folders with some, or - for the standard input. "quiesce help analyze" shows how.',
  },
  'target-not-url': {
    exit: EXIT.usage,
    say: (d) =>
      `"${d.detail}" is neither a folder here nor a URL. Write a URL with its scheme, as in https://example.com/.`,
  },
  'target-scheme': {
    exit: EXIT.usage,
    say: (d) =>
      `Quiesce loads http and https pages, not "${d.detail}". For files, name the folder: it is served for the audit.`,
  },
  'folder-without-index': {
    exit: EXIT.usage,
    say: (d) => `${d.path} has no index.html. Name the folder that the build writes, such as ./dist.`,
  },
  'option-unknown': {
    exit: EXIT.usage,
    say: (d) =>
      `Unknown option ${d.option}.${d.suggestion ? ` Did you mean ${d.suggestion}?` : ''} "quiesce help" lists them.`,
  },
  'option-misplaced': {
    exit: EXIT.usage,
    say: (d) => `${d.option} belongs behind its command: quiesce ${d.detail} … ${d.option}. "quiesce help" lists them.`,
  },
  'option-invalid': {
    exit: EXIT.usage,
    say: (d) => `${d.option}: ${d.detail}.`,
  },
  'options-contradict': {
    exit: EXIT.usage,
    say: (d) => `${d.option} and ${d.detail} contradict each other: ${d.suggestion}.`,
  },
  'command-unknown': {
    exit: EXIT.usage,
    say: (d) =>
      `Unknown command "${d.detail}".${d.suggestion ? ` Did you mean ${d.suggestion}?` : ''} "quiesce help" lists them.`,
  },
  'init-exists': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is there already. Change it by hand, or write a new one over it with --force.`,
  },
  'init-other': {
    exit: EXIT.usage,
    say: (d) => `${d.path} is there already, and is what would be read. Remove it first.`,
  },
  'config-invalid': {
    exit: EXIT.usage,
    say: (d) => `${d.path}: ${d.detail}.`,
  },
} as const satisfies Record<string, Row>;

/** The name of a row. */
export type MessageCode = keyof typeof TABLE;

/** One line for a code: what happened and what to do. Control characters in foreign text are removed. */
export function messageFor(code: MessageCode, details: Details = {}): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes in foreign text are what is removed.
  return TABLE[code].say(details).replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** The exit code that goes with a code. */
export function exitFor(code: MessageCode): number {
  return TABLE[code].exit;
}

/** An error for the user's eyes: its message is one line out of the table. The exit code is the table's, unless given. */
export class UsageError extends Error {
  readonly code: MessageCode;
  readonly details: Details;
  readonly exit: number;

  constructor(code: MessageCode, details: Details = {}, options?: ErrorOptions & { readonly exit?: number }) {
    super(messageFor(code, details), options);
    this.name = 'UsageError';
    this.code = code;
    this.details = details;
    this.exit = options?.exit ?? exitFor(code);
  }
}
