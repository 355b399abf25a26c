import path from 'node:path';
import { agree, observeRun } from '../../core/background/content/consensus.ts';
import { DEFAULT_POLICY } from '../../core/completion/default-policy.ts';
import { fields, list } from '../../core/requests/har-fields.ts';
import { type HarRecording, isLoss, readHar } from '../../core/sources/har.ts';
import { visitOfHar } from '../../core/sources/har-visit.ts';
import { defined } from '../../core/text/defined.ts';
import { placeBeforeCuts } from '../../core/text/json-cutter.ts';
import { readJson } from '../../core/text/read-json.ts';
import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { OwnMetric } from '../../model/metrics/metrics.ts';
import type { HarFault } from '../../model/network/har-fault.ts';
import type { Visit } from '../../model/network/visit.ts';
import { type FoundHar, type HarText, readHarText, STDIN } from '../../shell/disk/har-files.ts';
import { fileInWords } from '../../wording/messages/file-errors.ts';
import { harFaultInWords } from '../../wording/messages/har-faults.ts';
import { messageFor } from '../../wording/messages/messages.ts';
import { formatCount, listed } from '../../wording/text/format.ts';
import { type Problem, problem, problemOf } from '../engine/problem.ts';
import { policyOver } from './judge-har.ts';

/** One page of a file, judged. */
export interface Load {
  readonly group: string;
  readonly file: FoundHar;
  /** Of the file's text, SHA-256. */
  readonly hash: string;
  readonly read: HarRecording;
  /** How many pages the file holds. */
  readonly pages: number;
  readonly policy: Policy;
  readonly visit: Visit;
}

/** The pages of a file, and what is wrong with it. */
export interface HarLoads {
  readonly loads: readonly Load[];
  /** Why it could not be read, or not all of it. */
  readonly problems: readonly Problem[];
  /** Faults that did not keep anything from being read, a line each. */
  readonly warnings: readonly string[];
}

/** Requests that an analysis judges at most, in all of its files: each takes some 10 kB of memory until the reports are written. */
const MOST_REQUESTS = 60_000;

/** So many faults of a file are listed one by one: enough to see what kind of a file it is. */
const LISTED_FAULTS = 4;

/** What the user gives to HARs. */
export interface GivenToHars {
  /** What they are judged by, instead of what the file says. */
  readonly policy?: Partial<Policy>;
  /** The user's own metrics. */
  readonly metrics?: readonly OwnMetric[];
}

/**
 * Reads a HAR and judges every page of it.
 *
 * @param stdin what the file name `-` reads
 * @param before requests of the files that were read before
 */
export async function readLoads(
  file: FoundHar,
  { policy: rules = {}, metrics }: GivenToHars,
  stdin: AsyncIterable<Uint8Array | string>,
  before = 0,
): Promise<HarLoads> {
  const shown = fileInWords(file.name);
  let found: HarText;
  try {
    if ('problem' in file) throw file.problem;
    found = await readHarText(file, stdin);
  } catch (error) {
    return none([problemOf(error)]);
  }
  const { text, cuts, hash } = found;
  const json = readJson(text);
  if (!json.ok) {
    const { line, column } = placeBeforeCuts(json, text, cuts);
    if (/^\s*<(?:!doctype|html|head|body)/i.test(text)) return none([problem('har-html', { path: shown })]);
    return none([problem('har-not-json', { path: shown, line, column, detail: json.problem })]);
  }
  const requests = list(fields(fields(json.value).log).entries).length;
  if (before + requests > MOST_REQUESTS) {
    const tooMany = `it contains more than ${formatCount(MOST_REQUESTS, 'request')}`;
    const detail =
      requests > MOST_REQUESTS ? tooMany : `together with the files before it, ${tooMany}; analyse it by itself`;
    return none([problem('har-unreadable', { path: shown, detail })]);
  }
  const { recordings, faults } = readHar(json.value);
  const lost = faults.filter(isLoss);
  if (recordings.length === 0) {
    // A log without entries is no fault of the format, and yet there is nothing to judge.
    const reasons: readonly HarFault[] = [lost, faults].find(({ length }) => length > 0) ?? [{ code: 'no-entries' }];
    return none(
      few(reasons).map((detail, i) => problem(i === 0 ? 'har-invalid' : 'har-left-out', { path: shown, detail })),
    );
  }
  const loads = recordings.map((recorded): Load => {
    const read = { ...recorded, navigation: { ...recorded.navigation, ...defined({ metrics }) } };
    const policy = policyOver(read.policy ?? DEFAULT_POLICY, rules);
    const visit = visitOfHar(read, policy);
    return { group: groupOf(file, read), file, hash, read, pages: recordings.length, policy, visit };
  });
  const flaws = faults.filter((each) => !isLoss(each));
  return {
    loads,
    // What is left out may have mattered; other faults did not keep anything from being read.
    problems: few(lost).map((detail) => problem('har-left-out', { path: shown, detail })),
    warnings: few(flaws).map((detail) => messageFor('har-flawed', { path: shown, detail })),
  };
}

const few = (faults: readonly HarFault[]): readonly string[] => listed(faults.map(harFaultInWords), LISTED_FAULTS);

function none(problems: readonly Problem[]): HarLoads {
  return { loads: [], problems, warnings: [] };
}

/** As an audit names its HARs: the runs of one target are in one folder. */
const RUN_OF_AN_AUDIT = /^(?:(.+)-)?(?:run|evidence|ablation)(?:-\d+)?\.har(?:\.gz)?$/i;

/** The same address is the same target within a file (iterations) and within an audit's folder; a warm cache is not. */
function groupOf(file: FoundHar, read: HarRecording): string {
  const name = 'path' in file && file.path !== undefined ? file.path : STDIN;
  const ofAudit = read.exact ? RUN_OF_AN_AUDIT.exec(path.basename(name)) : null;
  // The same address under two names is two pages: they were loaded under other conditions.
  const audited = ofAudit ? [path.dirname(name), ofAudit[1] ?? ''] : [name];
  return JSON.stringify([...audited, read.navigation.url, read.cached]);
}

/** An endpoint is background in all runs or in none: what one run saw and another did not is settled over all. */
export function agreed(loads: readonly Load[]): readonly Load[] {
  const timed = loads.filter(({ read }) => (read.role ?? 'timed') === 'timed');
  const proved = loads.find(({ policy }) => policy.learnt !== undefined)?.policy.learnt ?? [];
  if (timed.length < 2) return loads;
  const learnt: readonly EndpointRule[] = agree(
    timed.map(({ visit }) => observeRun(visit)),
    proved,
  );
  if (learnt.length === proved.length) return loads;
  return loads.map((load) => {
    if (load.read.role === 'ablation') return load;
    const policy = { ...load.policy, learnt };
    return { ...load, policy, visit: visitOfHar(load.read, policy) };
  });
}
