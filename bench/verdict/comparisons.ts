/**
 * Comparisons beside tachometer's, on the same pages and in the same browser, in turns: how many loads and seconds they
 * take, how wide their intervals are, and how often they call equal builds different.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import { EXIT } from '../../src/wording/messages/messages.ts';
import { seconds } from '../support/seconds.ts';
import { storedLoads } from '../support/stored-loads.ts';
import { installTachometer, type TachometerAnswer, tachometer } from '../support/tachometer.ts';
import { page, servePages } from '../support/timed-pages.ts';

const BIN = 'bin/quiesce.js';
const CLI = fileURLToPath(new URL(`../../${BIN}`, import.meta.url));
/** What the candidate takes longer, as a share. */
const EFFECT = 0.05;
/** Rounds of the script's loop: about 0.3 s on the machine of the table. */
const ROUNDS = 60e6;
/** How long the answer takes that the other page waits for, ms. */
const ANSWER_MS = 400;
/** The page's own mark, which tachometer reads. */
const MARK = 'done';

export interface ComparisonsOptions {
  /** Where results may be written. */
  readonly folder: string;
  readonly chrome: string;
  /** Comparisons of builds that differ, of each of these pages, and of equal ones. */
  readonly repeat: number;
  readonly differing: readonly Differing[];
  readonly identical: number;
  /** The number of the first comparison, from 1: its seed, and that of the neighbour, follow from it. */
  readonly first: number;
  /** Without tachometer. */
  readonly alone: boolean;
  /** Another checkout of Quiesce, built: it compares the builds that differ, too. */
  readonly earlier: string | undefined;
}

/** What Quiesce says of candidate against base. */
interface QuiesceAnswer {
  readonly decision: CompareResult['decision'];
  readonly pairs: number;
  /** Its 95% interval of the relative difference, as shares; absent with too few pairs. */
  readonly low?: number;
  readonly high?: number;
  /** Until the last load that the answer needed was over; loads that find out which code differs come after it. */
  readonly answered?: number;
  readonly seconds: number;
}

interface Answers {
  readonly quiesce: readonly QuiesceAnswer[];
  /** Of the other checkout, where there is one. */
  readonly earlier?: readonly QuiesceAnswer[];
  readonly tachometer: readonly TachometerAnswer[];
}

/** Pages of which one build is slower: one computes, the other waits for the network. */
export const DIFFERING = ['script', 'network'] as const;
export type Differing = (typeof DIFFERING)[number];

/** All comparisons, by what was compared. */
export type Comparisons = Readonly<Record<Differing | 'identical', Answers>>;

/** Measures what is asked for more than 0 times. Quiesce alone where tachometer cannot be installed. */
export async function compareBesideTachometer(options: ComparisonsOptions): Promise<Partial<Comparisons>> {
  if (options.repeat + options.identical === 0) return {};
  const wanted = options.alone ? Promise.resolve(undefined) : installTachometer();
  const installed = await wanted.catch((error: unknown) => {
    console.error(`tachometer is left out: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  });
  const server = await servePages(pages());
  const measure = async (
    [base, candidate]: readonly [string, string],
    times: number,
    { busy, earlier }: { readonly busy: boolean; readonly earlier?: string | undefined },
  ): Promise<Answers> => {
    const answers = {
      quiesce: [] as QuiesceAnswer[],
      tachometer: [] as TachometerAnswer[],
      ...(earlier !== undefined && { earlier: [] as QuiesceAnswer[] }),
    };
    for (let i = options.first - 1; i < options.first - 1 + times; i++) {
      const pages = { base: server.origin + base, candidate: server.origin + candidate };
      const neighbour = busy ? startNeighbour(i) : undefined;
      try {
        answers.quiesce.push(await quiesce(CLI, pages, i, options.folder));
        console.error(`${base} ${candidate}: ${JSON.stringify(answers.quiesce.at(-1))}`);
        if (earlier !== undefined) {
          answers.earlier?.push(await quiesce(path.join(earlier, BIN), pages, i, options.folder));
          console.error(`${base} ${candidate}: earlier ${JSON.stringify(answers.earlier?.at(-1))}`);
        }
        if (installed === undefined) continue;
        // With no time limit it would go on for ever on equal builds.
        answers.tachometer.push(
          await tachometer(installed, { ...pages, mark: MARK, chrome: options.chrome, minutes: 3 }),
        );
        console.error(`${base} ${candidate}: tachometer ${JSON.stringify(answers.tachometer.at(-1))}`);
      } finally {
        neighbour?.disconnect();
      }
    }
    return answers;
  };
  try {
    const differing: [Differing, Answers][] = [];
    for (const page of options.repeat > 0 ? options.differing : []) {
      const busy = page === 'script';
      const answers = await measure([`/${page}`, `/${page}-slower`], options.repeat, {
        busy,
        earlier: options.earlier,
      });
      differing.push([page, answers]);
    }
    return {
      ...Object.fromEntries(differing),
      ...(options.identical > 0 && {
        identical: await measure(['/script', '/script-again'], options.identical, { busy: true }),
      }),
    };
  } finally {
    server.close();
  }
}

/** The rows of the table, of what was measured. */
export function comparisonRows({ script, network, identical }: Partial<Comparisons>): readonly (readonly string[])[] {
  const rows: readonly (readonly [Answers | undefined, (answers: Answers) => readonly string[]])[] = [
    [script, (answers) => ['5% on a page of pure script, beside a neighbour', ...found(answers)]],
    [script, (answers) => ['width of its interval after the same time', ...widths(answers)]],
    [network, (answers) => ['5% on a page that waits for the network', ...found(answers)]],
    [identical, (answers) => ['equal builds beside a neighbour, called different', ...calledDifferent(answers)]],
  ];
  return rows.flatMap(([answers, row]) => (answers ? [row(answers)] : []));
}

const NOT_MEASURED = 'not measured';
const isCalled = ({ decision }: QuiesceAnswer): boolean => decision === 'slower' || decision === 'faster';
const isExcluded = ({ low, high }: TachometerAnswer): boolean => low > 0 || high < 0;
const shareOf = <A>(all: readonly A[], which: (each: A) => boolean): string =>
  `${all.filter(which).length} of ${all.length}`;

function found({ quiesce: ours, earlier = [], tachometer: theirs }: Answers): readonly string[] {
  const pairsOf = (all: readonly QuiesceAnswer[]): number => median(all.map((each) => each.pairs));
  const loads = median(theirs.map((each) => each.loads));
  const beside = [
    ...(theirs.length > 0
      ? [`tachometer: ${loads} loads of each, ${inSeconds(theirs)}, found in ${shareOf(theirs, isExcluded)}`]
      : []),
    ...(earlier.length > 0
      ? [`earlier: ${pairsOf(earlier)} pairs, ${inSeconds(earlier)}, found in ${shareOf(earlier, isCalled)}`]
      : []),
  ];
  return [
    `${pairsOf(ours)} pairs, answered after ${inSeconds(ours.map(answer))}, over after ${inSeconds(ours)}, found in ${shareOf(ours, isCalled)}`,
    beside.join('; ') || NOT_MEASURED,
  ];
}

/** An interval shrinks with the square root of the loads, and those of a tool take the same time each. */
function widths({ quiesce: ours, tachometer: theirs }: Answers): readonly string[] {
  const share = Math.sqrt(median(theirs.map(secondsOf)) / median(ours.map(answer).map(secondsOf)));
  return [
    inPercent(median(ours.flatMap(widthOf))),
    theirs.length === 0 ? NOT_MEASURED : `tachometer: ${inPercent(median(theirs.flatMap(widthOf)) * share)}`,
  ];
}

function calledDifferent({ quiesce: ours, tachometer: theirs }: Answers): readonly string[] {
  const invalid = ours.filter(({ decision }) => decision === 'invalid').length;
  const beside = invalid === 0 ? '' : ` (${invalid} not valid: the machine changed)`;
  return [
    `${shareOf(ours, isCalled)}${beside}, ${inSeconds(ours)}`,
    theirs.length === 0 ? NOT_MEASURED : `tachometer: ${shareOf(theirs, isExcluded)}, ${inSeconds(theirs)}`,
  ];
}

/** When it was known, where that is told. */
const answer = ({ answered, seconds: all }: QuiesceAnswer): { readonly seconds: number } => ({
  seconds: answered ?? all,
});
const secondsOf = ({ seconds }: { readonly seconds: number }): number => seconds;
const median = (all: readonly number[]): number => estimateMedian(all)?.median ?? Number.NaN;
const inSeconds = (all: readonly { readonly seconds: number }[]): string =>
  `${median(all.map(secondsOf)).toFixed(0)} s`;
const inPercent = (share: number): string => `±${(50 * share).toFixed(1)}%`;
const widthOf = ({ low, high }: { readonly low?: number; readonly high?: number }): readonly number[] =>
  low === undefined || high === undefined ? [] : [high - low];

async function quiesce(
  cli: string,
  { base, candidate }: { readonly base: string; readonly candidate: string },
  seed: number,
  folder: string,
): Promise<QuiesceAnswer> {
  const out = path.join(folder, 'comparison');
  const args = [cli, 'compare', base, candidate, '--seed', String(seed + 1)];
  // A gate that fails is an answer, and so is a comparison that is not valid because the machine changed.
  const isAnswer = (exit: number): boolean => exit === EXIT.gate || exit === EXIT.undecided;
  const began = Date.now();
  const took = await seconds([...args, '--out', out, '--format', 'json,har', '--quiet'], isAnswer);
  const ended = await lastTimedEnd(out);
  const { decision, design, comparisons } = JSON.parse(
    await readFile(path.join(out, 'result.json'), 'utf8'),
  ) as CompareResult;
  await rm(out, { recursive: true });
  const { low, high } = comparisons.find(({ metric }) => metric === 'pageComplete')?.difference ?? {};
  return {
    decision,
    pairs: design.pairs,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
    ...(ended !== undefined && { answered: (ended - began) / 1000 }),
    seconds: took,
  };
}

/** When the last timed load of a comparison was over, ms since the epoch; undefined where its HARs do not tell. */
async function lastTimedEnd(out: string): Promise<number | undefined> {
  const ends = (await storedLoads(out)).flatMap(({ role, startedAt, observedUntil }) =>
    role === 'timed' && observedUntil !== undefined ? [startedAt + observedUntil] : [],
  );
  return ends.length > 0 ? Math.max(...ends) : undefined;
}

const startNeighbour = (seed: number): ChildProcess =>
  fork(fileURLToPath(new URL('../support/neighbour.ts', import.meta.url)), [String(seed + 1)]);

/** Pages that say by a mark when they are done. */
function pages(): Readonly<Record<string, string>> {
  const done = `document.querySelector('h1').textContent = 'Done'; performance.mark('${MARK}');`;
  const scripted = (script: string): string => page(`<script>${script}</script>`);
  const computing = (rounds: number): string =>
    scripted(`let hash = 0; for (let i = 0; i < ${rounds}; i++) hash = (Math.imul(hash, 31) + i) | 0; ${done}`);
  const waiting = (ms: number): string =>
    scripted(`fetch('/answer?${ms}').then((r) => r.text()).then(() => { ${done} });`);
  return {
    '/script': computing(ROUNDS),
    '/script-again': computing(ROUNDS),
    '/script-slower': computing(ROUNDS * (1 + EFFECT)),
    '/network': waiting(ANSWER_MS),
    '/network-slower': waiting(ANSWER_MS * (1 + EFFECT)),
  };
}
