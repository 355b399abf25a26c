/** What jobs get, made of the options that were gathered. */

import { join } from 'node:path';
import { secretsInAddress } from '../core/access/browser-address.ts';
import { secretsOf } from '../core/access/secrets.ts';
import { DEFAULT_POLICY } from '../core/completion/default-policy.ts';
import { type Secrecy, secrecyOf, withLoginsIn } from '../core/har/secrecy.ts';
import { shardIn } from '../core/shards.ts';
import { sourceInEnvironment } from '../core/source.ts';
import { defined } from '../core/text/defined.ts';
import { PORT_PLACE } from '../core/text/port-place.ts';
import type { Access } from '../model/access.ts';
import { BUILDS, type Build } from '../model/compare/build.ts';
import type { Header } from '../model/network/network.ts';
import type { Settings } from '../model/result/result.ts';
import { ownCacheFolder } from '../shell/disk/cache-folder.ts';
import { QuiesceError } from '../wording/messages/messages.ts';
import { storedGate } from './gates.ts';
import { type Environment, type Gathered, readOptions } from './gather.ts';
import { capacity } from './options/capacity.ts';
import { comparing } from './options/comparing.ts';
import { completion } from './options/completion.ts';
import { conditions } from './options/conditions.ts';
import { measuring } from './options/measuring.ts';
import { optionsFor, type ValuesOf } from './options.ts';
import type {
  Loading,
  PageLoading,
  ResolvedAnalyze,
  ResolvedAudit,
  ResolvedBrowser,
  ResolvedCapacity,
  ResolvedCompare,
  ResolvedDoctor,
  ResolvedGithub,
  ResolvedJob,
  ResolvedMerge,
  ResolvedReport,
  ResolvedServer,
  ResolvedServers,
  ResolvedSide,
  ResolvedTrend,
} from './resolved.ts';
import { readStorageState } from './storage-state.ts';
import { valuesIn } from './values-in.ts';

/**
 * An audit.
 *
 * @throws QuiesceError when there is nothing to audit, or something is asked for by halves.
 */
export function resolveAudit(gathered: Gathered<'audit'>): ResolvedAudit {
  const { values, words, env } = gathered;
  const { urlsFile, sitemap, maxPages } = values;
  const loading = pageLoading(values, env);
  const pages = [
    ...gathered.pages.map(({ url, name, values: own }, i) =>
      defined({ loading: pageLoading(own, env), url, name, place: `pages[${i}]` }),
    ),
    ...words.map((url) => ({ loading, url, place: '' })),
  ];
  const server = resolveServer(values);
  // A page keeps its address from one audit to the next: trends and earlier results are found by it.
  if (server?.url.includes(PORT_PLACE)) {
    throw new QuiesceError('option-invalid', {
      option: '--serve-url',
      detail: `${PORT_PLACE} is only for quiesce compare; write the port that the server listens on, as in http://localhost:3000/`,
    });
  }
  const isAnything = pages.length > 0 || urlsFile !== undefined || sitemap !== undefined || server !== undefined;
  if (!isAnything) throw new QuiesceError('target-missing');
  return defined({
    ...resolveJob(
      gathered,
      [loading, ...pages.map((page) => page.loading)].map(({ options }) => options.access),
      [...pages.map(({ url }) => url), sitemap, server?.url],
    ),
    pages,
    loading,
    lists: defined({ urlsFile, sitemap, maxPages }),
    server,
  });
}

/**
 * A comparison.
 *
 * @throws QuiesceError when there are not two builds to compare, or something is asked for by halves.
 */
export function resolveCompare(gathered: Gathered<'compare'>): ResolvedCompare {
  const { values, stored, env } = gathered;
  const { resume, failFast, out, urlsFile, sitemap, maxPages, budgetTime } = values;
  if (resume && out === undefined) {
    throw new QuiesceError('option-invalid', {
      option: '--resume',
      detail: 'needs --out with the folder of the comparison to continue',
    });
  }
  const whole = resolveCompared(values, stored, env);
  const named = gathered.pages.map(({ url: path, name, values: own, stored: ofPage }, i) =>
    defined({
      path,
      name,
      place: values.pages === undefined ? `pages[${i}]` : '--pages',
      ...resolveCompared(own, { ...stored, ...ofPage }, env),
    }),
  );
  const isSeveral = named.length > 0 || urlsFile !== undefined || sitemap !== undefined;
  const accesses = [whole, ...named].flatMap(({ sides }) => [sides.base.access, sides.candidate.access]);
  const all = [whole, ...named];
  const ofStep = all.flatMap(({ design }) => design.gates).find(({ step }) => step !== undefined);
  if (ofStep && !all.some(({ sides }) => BUILDS.some((build) => sides[build].script !== undefined))) {
    throw new QuiesceError('option-invalid', {
      option: '--gate',
      detail: `"${storedGate(ofStep)}" names a step, so it needs --script`,
    });
  }
  const servers = resolveServers(values);
  const variables = servers ? [...servers.env.base, ...servers.env.candidate] : [];
  const job = resolveJob(
    gathered,
    accesses,
    [...gathered.words, sitemap],
    variables.map(({ value }) => value),
  );
  if (isSeveral && job.shard !== undefined) {
    throw new QuiesceError('options-contradict', {
      option: '--shard',
      detail: '--pages',
      suggestion: 'leave one of them out, because one machine compares all pages',
    });
  }
  return defined({
    ...job,
    builds: resolveBuilds(gathered, servers),
    servers,
    ...whole,
    pages: isSeveral ? { named, lists: defined({ urlsFile, sitemap, maxPages }) } : undefined,
    budgetTime,
    resume,
    failFast,
  });
}

/** How builds are loaded and decided on, or one of their pages. */
function resolveCompared(
  values: ValuesOf<'compare'>,
  stored: Settings,
  env: Environment,
): Pick<ResolvedCompare, 'loading' | 'sides' | 'design' | 'lab'> {
  const loading = resolveLoading(values, env);
  const {
    gate: gates,
    resume: _resume,
    failFast: _failFast,
    budgetTime: _time,
    ...design
  } = valuesIn(comparing, values);
  return {
    loading,
    sides: resolveSides(values, loading, env),
    design: { ...design, gates },
    lab: Object.fromEntries(LAB_OPTIONS.flatMap((name) => (stored[name] === undefined ? [] : [[name, stored[name]]]))),
  };
}

/** What both sides get, and then each its own; a header or cookie of the side's own replaces one of its name. */
function resolveSides(
  values: ValuesOf<'compare'>,
  { options: { access }, script }: Loading,
  env: Environment,
): ResolvedCompare['sides'] {
  const sideOf = (build: Build): ResolvedSide => {
    const headers = values[`${build}Header`] ?? [];
    const cookies = values[`${build}Cookie`] ?? [];
    const block = values[`${build}Block`] ?? [];
    const path = values[`${build}ScriptBefore`];
    return {
      access: {
        ...access,
        headers: [...access.headers.filter((each) => !headers.some((own) => isSameHeader(own, each))), ...headers],
        cookies: [...access.cookies.filter((each) => !cookies.some(({ name }) => name === each.name)), ...cookies],
        block: [...access.block, ...block],
      },
      script: path === undefined ? script : { path, timeout: values.scriptTimeout, env },
      query: values[`${build}Query`],
    };
  };
  return { base: sideOf('base'), candidate: sideOf('candidate') };
}

function isSameHeader(one: Header, other: Header): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase();
}

/** Options that make loads what they are. */
const LAB_OPTIONS = optionsFor('compare')
  .filter(({ group, kind }) => ['Lab conditions', 'Access', 'Server under test'].includes(group) && kind !== 'duration')
  .map(({ name }) => name);

/** An analysis of HARs. @throws QuiesceError when none is named */
export function resolveAnalyze({ values, words, stored, ci }: Gathered<'analyze'>): ResolvedAnalyze {
  if (words.length === 0) throw new QuiesceError('har-missing');
  const { out, format, force, commit, failOn, metric = [], budget = [], timeout } = values;
  const source = sourceNamed(commit) ?? sourceInEnvironment(ci);
  return {
    ...defined({ out, source }),
    formats: format,
    force,
    stored,
    files: words,
    policy: { ...valuesIn(completion, values), ...defined({ timeout }) },
    metrics: metric,
    budgets: budget,
    failOn,
  };
}

/**
 * How much a server can take.
 *
 * @throws QuiesceError when there is no server, or something is asked for that excludes each other
 */
export function resolveCapacity({ values, words, stored, env, ci }: Gathered<'capacity'>): ResolvedCapacity {
  const { import: imports, rate: rates, iMayLoadThisHost: permitted, ...load } = valuesIn(capacity, values);
  const { levels, thinkTime, engine, requests, drivers } = load;
  if (words.length > 2 || (words.length === 0) === (imports.length === 0)) throw new QuiesceError('capacity-missing');
  const exclude = (option: string, other: string, suggestion: string): never => {
    throw new QuiesceError('options-contradict', { option, detail: other, suggestion });
  };
  if (rates && levels) exclude('--rate', '--levels', 'leave one of them out');
  if (rates && thinkTime !== undefined) exclude('--rate', '--think-time', 'leave one of them out');
  if (engine === 'k6' && requests) exclude('--requests', '--engine k6', 'k6 measures each level for --level-time');
  if (engine === 'k6' && drivers) exclude('--drivers', '--engine k6', 'k6 uses all CPUs');
  const { out, format, force, commit } = values;
  const access = accessIn(values);
  const audited = readOptions('audit', words, {}, { env, isRoot: false });
  const { urlsFile, timeout, seed, budget: budgets = [] } = values;
  return {
    ...load,
    ...secrecy([access], values.browserWs, words),
    ...defined({ out, rates, urlsFile, seed, commit: sourceNamed(commit), ci: sourceInEnvironment(ci) }),
    formats: format,
    force,
    stored,
    urls: words,
    imports,
    timeout,
    access,
    pageOptions: { conditions: resolveLoading(audited.values, env).options.conditions, access },
    permitted,
    budgets,
    browser: resolveBrowser(values, env),
  };
}

/** A trend. @throws QuiesceError when no results are named */
export function resolveTrend({ values, words, stored }: Gathered<'trend'>): ResolvedTrend {
  if (words.length === 0) throw new QuiesceError('trend-missing');
  const { out, format, force, by, metric, failOn } = values;
  return { ...defined({ out }), formats: format, force, stored, paths: words, by, metrics: metric, failOn };
}

/** Reports of a stored result. @throws QuiesceError unless one is named */
export function resolveReport({ values: { out, format, force }, words }: Gathered<'report'>): ResolvedReport {
  const [result] = words;
  if (result === undefined || words.length > 1) throw new QuiesceError('result-missing');
  return { ...defined({ out }), formats: format, force, result };
}

/** Joining shards. @throws QuiesceError when none are named */
export function resolveMerge({ values: { out, format, force, failOn }, words }: Gathered<'merge'>): ResolvedMerge {
  if (words.length === 0) throw new QuiesceError('merge-missing');
  return { ...defined({ out }), formats: format, force, dirs: words, failOn };
}

/** Telling GitHub of a result. @throws QuiesceError unless one is named */
export function resolveGithub({ values, words, env }: Gathered<'github'>): ResolvedGithub {
  const [result] = words;
  if (result === undefined || words.length > 1) throw new QuiesceError('github-result-missing');
  return { ...defined(values), result, env };
}

/** Examining this machine, and what comparing a page with itself is given there. */
export function resolveDoctor({ values, stored, env }: Gathered<'doctor'>): ResolvedDoctor {
  const { aa, maxPairs, browser, browserWs, browserArg, sandbox } = values;
  const self =
    aa === undefined
      ? undefined
      : resolveCompare(
          readOptions(
            'compare',
            [aa, aa],
            defined({
              ...{ maxPairs, browser, browserWs, sandbox },
              browserArg: [...browserArg],
              minEffect: '5%',
              format: ['html' as const, 'json' as const],
            }),
            { env, isRoot: false },
          ),
        );
  return defined({ stored, browser: resolveBrowser(values, env), self });
}

// --- Parts --------------------------------------------------------------------------------------------------------

function pageLoading(values: ValuesOf<'audit'>, env: Environment): PageLoading {
  return { ...resolveLoading(values, env), runs: values.runs };
}

function resolveLoading(values: ValuesOf<'audit'> | ValuesOf<'compare'>, env: Environment): Loading {
  const { script, scriptTimeout } = values;
  const { timeout, metric, budget = [], lighthouse, install: _install, ...measured } = valuesIn(measuring, values);
  const { lateContent, ...judged } = valuesIn(completion, values);
  const { observation } = DEFAULT_POLICY;
  // A budget for one of its figures needs one run.
  const needsLighthouse = budget.some(({ source }) => source.kind.startsWith('lighthouse'));
  return {
    ...measured,
    policy: { timeout, observation, ...judged },
    options: {
      ...defined({ metrics: metric }),
      conditions: valuesIn(conditions, values),
      access: accessIn(values),
    },
    ...(script !== undefined && { script: { path: script, timeout: scriptTimeout, env } }),
    budgets: budget,
    lighthouseRuns: lighthouse ?? (needsLighthouse ? 1 : 0),
    includesLate: lateContent === 'include',
  };
}

function accessIn(
  values: Pick<ValuesOf<'capacity'>, 'header' | 'cookie' | 'basicAuth' | 'storageState' | 'ignoreCertificateErrors'> &
    Partial<Pick<ValuesOf<'audit'>, 'block'>>,
): Access {
  const { header: headers, cookie: cookies, basicAuth, storageState, block = [], ignoreCertificateErrors } = values;
  const state = storageState === undefined ? undefined : readStorageState(storageState);
  return defined({ headers, cookies, block, ignoreCertificateErrors, basicAuth, state });
}

function resolveJob(
  { values, stored, env, ci }: Gathered<'audit'> | Gathered<'compare'>,
  accesses: readonly Access[],
  addresses: readonly (string | undefined)[],
  others: readonly string[] = [],
): ResolvedJob {
  const { out, format, force, failOn, harContent, harSecrets, commit, browserWs } = values;
  const { shard, from, problem } = shardIn(values.shard, ci);
  if (problem) throw new QuiesceError('option-invalid', { option: '--shard', detail: problem });
  if (shard && !format.includes('json')) {
    throw new QuiesceError('option-invalid', {
      option: '--shard',
      detail: 'needs json in --format, because "quiesce merge" reads result.json',
    });
  }
  return {
    stored,
    ...secrecy(accesses, browserWs, addresses, others),
    formats: format,
    force,
    failOn,
    har: { content: harContent, secrets: harSecrets },
    browser: resolveBrowser(values, env),
    ...defined({ out, commit: sourceNamed(commit), ci: sourceInEnvironment(ci), shard, shardFrom: from }),
  };
}

function resolveBrowser(
  {
    browser,
    browserWs,
    browserArg,
    sandbox = true,
    install = false,
  }: Pick<ValuesOf<'doctor'>, 'browser' | 'browserWs' | 'browserArg' | 'sandbox'> & { readonly install?: boolean },
  env: Environment,
): ResolvedBrowser {
  return { ...defined({ browser, browserWs }), browserArg, sandbox, env, install };
}

/** What the user gave to get in, to all pages and to the browser, and what keeps it from being written down. */
function secrecy(
  all: readonly Access[],
  browserWs: string | undefined,
  addresses: readonly (string | undefined)[],
  others: readonly string[] = [],
): Secrecy {
  const given = secrecyOf({
    texts: [...all.flatMap(secretsOf), ...secretsInAddress(browserWs ?? ''), ...others],
    headers: all.flatMap(({ headers, basicAuth }) => [
      ...headers.map(({ name }) => name.toLowerCase()),
      ...(basicAuth ? ['authorization'] : []),
    ]),
  });
  return withLoginsIn(addresses, given);
}

function sourceNamed(commit: string | undefined) {
  return commit === undefined ? undefined : { commit: commit.toLowerCase() };
}

function resolveServer({
  serveCommand,
  serveUrl,
  serveTimeout,
}: Pick<ValuesOf<'audit'>, 'serveCommand' | 'serveUrl' | 'serveTimeout'>): ResolvedServer | undefined {
  if (serveCommand !== undefined && serveUrl !== undefined) {
    if (serveCommand.includes(PORT_PLACE) && !serveUrl.includes(PORT_PLACE)) {
      throw new QuiesceError('serve-incomplete', {
        option: `--serve-command with ${PORT_PLACE}`,
        suggestion: `--serve-url with ${PORT_PLACE}`,
        detail: `the port that is chosen, as in http://localhost:${PORT_PLACE}/`,
      });
    }
    return { command: serveCommand, url: serveUrl, timeout: serveTimeout };
  }
  if (serveUrl !== undefined) {
    throw new QuiesceError('serve-incomplete', {
      option: '--serve-url',
      suggestion: '--serve-command',
      detail: 'if the server is already running, use its address as the target instead',
    });
  }
  if (serveCommand === undefined) return undefined;
  throw new QuiesceError('serve-incomplete', {
    option: '--serve-command',
    suggestion: '--serve-url',
    detail: 'the address at which the server answers, such as http://localhost:3000',
  });
}

function resolveServers(values: ValuesOf<'compare'>): ResolvedServers | undefined {
  const { setup, baseEnv, candidateEnv } = values;
  const server = resolveServer(values);
  if (server) return { ...server, ...defined({ setup }), env: { base: baseEnv ?? [], candidate: candidateEnv ?? [] } };
  const given = Object.entries({ '--setup': setup, '--base-env': baseEnv, '--candidate-env': candidateEnv });
  const [option] = given.find(([, value]) => value !== undefined) ?? [];
  if (option === undefined) return undefined;
  throw new QuiesceError('serve-incomplete', {
    option,
    suggestion: '--serve-command and --serve-url',
    detail: 'the command that starts the server of each build, and its address',
  });
}

function resolveBuilds(
  { values, words, env }: Gathered<'compare'>,
  servers: ResolvedServers | undefined,
): ResolvedCompare['builds'] {
  const { baseRef, build, dist, buildCache } = values;
  if (baseRef === undefined) {
    const typed = build !== undefined ? '--build' : dist !== undefined ? '--dist' : undefined;
    if (typed !== undefined) {
      throw new QuiesceError('build-incomplete', {
        option: typed,
        suggestion: '--base-ref',
        detail: 'the branch, tag or commit to build and compare with, such as origin/main',
      });
    }
    const [base, candidate] = words;
    if (base === undefined || candidate === undefined) throw new QuiesceError('builds-missing');
    if (words.length > 2) throw new QuiesceError('builds-too-many', { detail: String(words.length) });
    return { targets: [base, candidate] };
  }
  if (words.length > 0) throw new QuiesceError('builds-twice');
  if (servers) {
    return { refs: defined({ baseRef, build, useCache: buildCache, cacheFolder: join(ownCacheFolder(env), 'trees') }) };
  }
  if (dist === undefined) {
    throw new QuiesceError('build-incomplete', {
      option: '--base-ref',
      suggestion: '--dist',
      detail: 'the folder with the built site, such as dist; or --serve-command, to start the server of each build',
    });
  }
  const cacheFolder = join(ownCacheFolder(env), 'builds');
  return { refs: defined({ baseRef, build, dist, useCache: buildCache, cacheFolder }) };
}
