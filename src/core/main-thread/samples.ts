import type { Ms } from '../../model/units.ts';
import { fields, finite, list } from '../requests/har-fields.ts';
import { detailOf, filled, type TraceEvent } from './trace-events.ts';

/** How often a profiler looks which function runs, ms: as often as DevTools does. */
export const SAMPLE_EVERY_MS: Ms = 0.2;

/** What a function without a name is called. */
export const ANONYMOUS = '(anonymous)';

/** A function on the stack of a thread. Lines and columns count from 1. */
export interface StackFrame {
  readonly url: string;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  /** Who called it, as far as that has an address. */
  readonly caller: StackFrame | undefined;
}

/** What a thread was running at a moment; without a frame it was no script, or it is not known. */
export interface Sample {
  /** Microseconds. */
  readonly at: number;
  readonly frame: StackFrame | undefined;
}

interface ProfileNode {
  readonly parent: number | undefined;
  readonly name: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Scripts that are not the page's: those of extensions, and those by which a program drives the page. */
const FOREIGN = /^(?:chrome-extension|chrome|devtools|pptr|extensions|v8|node):/i;
/** The profiler's own: it stands where a stack would be while garbage is collected. */
const COLLECTOR = '(garbage collector)';

/**
 * The samples of the CPU profiles of one thread, in order of time.
 *
 * @param profiles events called `Profile` of that thread
 * @param chunks events called `ProfileChunk` of its process
 */
export function samplesOf(profiles: readonly TraceEvent[], chunks: readonly TraceEvent[]): readonly Sample[] {
  return profiles
    .flatMap((profile) => {
      const own = chunks.filter(({ id, pid }) => id === profile.id && pid === profile.pid);
      return readProfile(profile, own);
    })
    .toSorted((a, b) => a.at - b.at);
}

function readProfile(profile: TraceEvent, chunks: readonly TraceEvent[]): readonly Sample[] {
  const startTime = finite(detailOf(profile).startTime) ?? profile.ts;
  const pieces = chunks
    .toSorted((a, b) => a.ts - b.ts)
    .map((chunk) => {
      const { cpuProfile, timeDeltas } = detailOf(chunk);
      const { nodes, samples } = fields(cpuProfile);
      return { nodes: list(nodes), samples: list(samples), timeDeltas: list(timeDeltas) };
    });
  // Garbage collection counts for the function that was running.
  return readPieces(startTime, pieces, (last) => last);
}

/**
 * The samples of a CPU profile that was taken without a trace. Garbage belongs to nobody: who runs when it is collected has
 * little to do with who made it.
 *
 * @param raw `Profiler.Profile`: anything may stand in it
 */
export function samplesOfProfile(raw: unknown): readonly Sample[] {
  const { nodes, startTime, samples, timeDeltas } = fields(raw);
  const parents = new Map(list(nodes).flatMap((node) => list(fields(node).children).map((child) => [child, node])));
  const withParents = list(nodes).map((node) => {
    const parent = parents.get(fields(node).id);
    return parent === undefined ? node : { ...fields(node), parent: fields(parent).id };
  });
  const piece = { nodes: withParents, samples: list(samples), timeDeltas: list(timeDeltas) };
  return readPieces(finite(startTime) ?? 0, [piece], () => undefined);
}

/** A part of a profile: nodes that are new in it, what was seen, and how long after the sample before, microseconds. */
interface ProfilePiece {
  readonly nodes: readonly unknown[];
  readonly samples: readonly unknown[];
  readonly timeDeltas: readonly unknown[];
}

/** @param collecting who is running while garbage is collected, given who was before */
function readPieces(
  startTime: number,
  pieces: readonly ProfilePiece[],
  collecting: (last: StackFrame | undefined) => StackFrame | undefined,
): readonly Sample[] {
  const nodes = new Map<number, ProfileNode>();
  const frames = new Map<number, StackFrame | undefined>();
  const samples: Sample[] = [];
  let at = startTime;
  let last: StackFrame | undefined;
  for (const piece of pieces) {
    for (const node of piece.nodes) addNode(nodes, node);
    for (const [i, id] of piece.samples.entries()) {
      at += finite(piece.timeDeltas[i]) ?? 0;
      const number = finite(id) ?? -1;
      const isCollecting = nodes.get(number)?.name === COLLECTOR;
      if (!isCollecting) last = frameOf(number, nodes, frames);
      samples.push({ at, frame: isCollecting ? collecting(last) : last });
    }
  }
  return samples;
}

function addNode(nodes: Map<number, ProfileNode>, raw: unknown): void {
  const { id, parent, callFrame } = fields(raw);
  const { functionName, url, lineNumber, columnNumber } = fields(callFrame);
  const number = finite(id);
  if (number === undefined) return;
  const address = filled(url) ?? '';
  nodes.set(number, {
    parent: finite(parent),
    name: filled(functionName) ?? ANONYMOUS,
    url: FOREIGN.test(address) ? '' : address,
    line: (finite(lineNumber) ?? 0) + 1,
    column: (finite(columnNumber) ?? 0) + 1,
  });
}

/** The innermost function with an address: what the browser does itself counts for its caller. */
function frameOf(
  id: number,
  nodes: ReadonlyMap<number, ProfileNode>,
  frames: Map<number, StackFrame | undefined>,
): StackFrame | undefined {
  // Without recursion: stacks may be thousands of calls deep. Parents that lead in a circle are hostile.
  const path: number[] = [];
  let known: StackFrame | undefined;
  for (let next: number | undefined = id; next !== undefined && path.length <= nodes.size; ) {
    if (frames.has(next)) {
      known = frames.get(next);
      break;
    }
    path.push(next);
    next = nodes.get(next)?.parent;
  }
  for (const each of path.toReversed()) {
    const node = nodes.get(each);
    if (node && node.url !== '') {
      const { name, url, line, column } = node;
      known = { name, url, line, column, caller: known };
    }
    frames.set(each, known);
  }
  return known;
}

/** Gives what was running at moments that ascend. */
export type SampleReader = (from: number, to: number) => readonly Sample[];

/**
 * A reader for pieces of time that ascend: each is cut where another sample is nearer. A sample stands for the time until
 * half-way to its neighbours.
 */
export function createSampleReader(samples: readonly Sample[]): SampleReader {
  let next = 0;
  const startOf = (i: number): number => {
    const [before, at] = [samples[i - 1]?.at, samples[i]?.at ?? Number.POSITIVE_INFINITY];
    // Whole microseconds, as the trace has them: so the pieces add up.
    return before === undefined ? Number.NEGATIVE_INFINITY : Math.round((before + at) / 2);
  };
  return (from, to) => {
    while (next + 1 < samples.length && startOf(next + 1) <= from) next += 1;
    const pieces: Sample[] = [];
    for (let i = next; i < samples.length && (i === next || startOf(i) < to); i += 1) {
      pieces.push({ at: Math.max(from, startOf(i)), frame: samples[i]?.frame });
    }
    return pieces;
  };
}
