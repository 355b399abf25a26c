import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isMeasured } from '../../core/counted-runs.ts';
import type { Redactor } from '../../core/har/redact.ts';
import { waterfallOf } from '../../core/waterfall.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { Evidence, RunResult, TargetResult } from '../../model/result/result.ts';
import { representativeRun } from '../../result/representative.ts';
import { storedFile } from '../../shell/disk/stored-file.ts';
import { harsGone, noHars, picturesGone } from '../../wording/compare/missing-files.ts';
import { recordingFile, storedName } from '../../wording/text/text.ts';
import { waterfallInWords } from '../../wording/waterfall.ts';
import { agreed, type Load, readLoads } from '../analyze/har-loads.ts';
import { picturesOf } from '../engine/evidence/files.ts';
import { copyOfStored } from '../engine/evidence/images.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import type { TargetVisuals } from '../engine/result/reported-target.ts';

/** The files of a stored result, and how they are read. */
export interface StoredFiles {
  /** The folder of the result. */
  readonly folder: string;
  /** Set for an analysis: what it judged by. Its HARs may be elsewhere. */
  readonly analysis?: Partial<Policy>;
  readonly signal: AbortSignal;
  /** Takes a line for everything that is missing. */
  readonly warnings: string[];
  onProgress(event: Progress): void;
}

/** Larger pictures are none of ours. */
const LARGEST_PICTURE = 20 * 1024 * 1024;

/** What reports show beside figures: waterfalls, drawn from the HARs of a stored result, and its pictures. */
export class StoredVisuals {
  readonly #files: StoredFiles;
  readonly #hars: HarPages;

  constructor(files: StoredFiles) {
    this.#files = files;
    this.#hars = new HarPages(files.analysis ?? {}, files.signal);
  }

  /**
   * What only the page of a target shows.
   *
   * @param all the waterfalls of all timed runs, or only of the one that stands for the target
   */
  async of(target: TargetResult, all: boolean, redact: Redactor): Promise<TargetVisuals> {
    const timed = target.runs.filter(isMeasured);
    const one = all ? undefined : representativeRun(target.runs);
    const waterfalls = await this.waterfalls(target, one === undefined ? timed : [one]);
    return { waterfalls: redactDeep(waterfalls, redact), thumbnails: await this.thumbnails(target.evidence) };
  }

  /** The waterfalls of these runs, as far as their HARs can be read. */
  async waterfalls(target: TargetResult, runs: readonly RunResult[]): Promise<readonly Waterfall[]> {
    const { analysis, warnings, onProgress } = this.#files;
    const found: { readonly run: RunResult; readonly load: Load }[] = [];
    const missing: string[] = [];
    for (const [i, run] of runs.entries()) {
      const har = storedName('har', run.har) ?? (analysis && recordingFile(run.har));
      if (har === undefined) continue;
      onProgress({ kind: 'reading', file: path.basename(har), index: i + 1, of: runs.length });
      const load = await this.#load(har, run.harHash, target.url);
      if (load) found.push({ run, load });
      else missing.push(har);
    }
    if (missing.length > 0) {
      warnings.push(harsGone(missing, target.target));
    } else if (found.length === 0 && runs.length > 0) {
      warnings.push(noHars(target.target));
    }
    const loads = found.map(({ load }) => load);
    // In an analysis the runs of a page were judged together; an audit's HARs carry what it had learnt.
    const settled = analysis ? agreed(loads) : loads;
    return settled.map(({ visit, policy }, i) =>
      waterfallInWords(waterfallOf(visit, policy, found[i]?.run.index ?? 0)),
    );
  }

  /** What a run has loaded, read from its HAR: a file beside the result, or, of an analysis, the HAR that was analyzed. */
  async #load(har: string, hash: string | undefined, url: string): Promise<Load | undefined> {
    const { folder, analysis } = this.#files;
    const beside = await storedFile(folder, 'har', har);
    if (beside !== undefined) return this.#hars.next(beside, url);
    // Elsewhere, only the very file that was analyzed: who wrote the result has read it.
    const linked = analysis && hash !== undefined ? linkedHar(har, folder) : undefined;
    return linked === undefined ? undefined : this.#hars.next(linked, url, hash);
  }

  /** The small copies of pictures that a page carries in itself. */
  async thumbnails(evidence: Evidence | undefined): Promise<Readonly<Record<string, string>>> {
    const thumbnails: Record<string, string> = {};
    const missing: string[] = [];
    for (const file of picturesOf(evidence)) {
      try {
        const whole = await storedFile(this.#files.folder, 'picture', file);
        if (whole === undefined) throw new Error('no such file');
        if ((await stat(whole)).size > LARGEST_PICTURE) throw new Error('too large');
        thumbnails[file] = copyOfStored(await readFile(whole));
      } catch {
        // Gone, or no picture: the page shows what there is.
        missing.push(file);
      }
    }
    if (missing.length > 0) this.#files.warnings.push(picturesGone(missing));
    return thumbnails;
  }
}

/** Where a link leads that an analysis has kept to its HAR; undefined where it is no such link. */
export function linkedHar(har: string | undefined, folder: string): string | undefined {
  const recording = recordingFile(har);
  if (recording === undefined) return undefined;
  try {
    return path.join(folder, ...recording.split('/').map(decodeURIComponent));
  } catch {
    return undefined;
  }
}

/** The pages of HARs: each file is read once, and each of its pages belongs to one run. */
class HarPages {
  readonly #rules: Partial<Policy>;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, Promise<Load[]>>();

  constructor(rules: Partial<Policy>, signal: AbortSignal) {
    this.#rules = rules;
    this.#signal = signal;
  }

  /**
   * The next page of a file with this address; undefined when there is none, or when the file cannot be read.
   *
   * @param hash of the file's text, where no other file will do
   */
  async next(file: string, url: string, hash?: string): Promise<Load | undefined> {
    const known = this.#files.get(file) ?? this.#read(file);
    this.#files.set(file, known);
    const loads = await known;
    if (hash !== undefined && loads.some((load) => load.hash !== hash)) return undefined;
    const same = loads.findIndex(({ read }) => read.navigation.url === url);
    // Addresses were redacted after they had been loaded; a file with one page leaves no doubt.
    return loads.splice(same < 0 ? 0 : same, 1)[0];
  }

  async #read(file: string): Promise<Load[]> {
    // Between two files Ctrl-C is heard and progress drawn.
    await setImmediate();
    this.#signal.throwIfAborted();
    const { loads } = await readLoads({ name: path.basename(file), path: file }, { policy: this.#rules }, NO_INPUT);
    return [...loads];
  }
}

const NO_INPUT: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };
