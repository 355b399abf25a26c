import { otherBuild } from '../../../core/changes/other-build.ts';
import { cutTo } from '../../../core/text/cut-to.ts';
import { BUILDS, type Build, type PerBuild } from '../../../model/compare/build.ts';
import type { ServerNote } from '../../../model/result/note.ts';
import type { Bytes, Ms } from '../../../model/units.ts';

/** What the processes of a server are at a moment. */
export interface ServerState {
  /** Those that listen; empty where that is not known. */
  readonly listeners: readonly number[];
  /** CPU time of all so far. */
  readonly cpu: Ms;
  readonly memory: Bytes;
}

/** Watches two servers over a comparison. */
export interface ServerWatch {
  /** It has been started: what it is from now on counts. */
  started(build: Build): void;
  /** Lines of its log. */
  logged(build: Build, lines: readonly string[]): void;
  /** Between these two it is loaded. */
  begin(build: Build): void;
  end(build: Build): void;
  notes(): readonly ServerNote[];
}

/** A line that tells of an error, as loggers and runtimes write it: not "error.js", nor "0 errors". */
const ERROR =
  /\b(?:ERROR|FATAL|CRITICAL|(?:[A-Z]\w*)?(?:Error|Exception)(?=:|\b\s*$| at ))\b|"level":\s*(?:"(?:error|fatal)"|[56]0\b)|\bunhandled|^panic:|Traceback \(most recent/;
/** Letters that are kept of such a line. */
const LONGEST_LINE = 160;
/** Loads that fill a server's caches: its memory is compared from there on. */
const FILLING_LOADS = 6;
/** Growth that is no noise: to this multiple, and by so many bytes. */
const GROWTH = 2;
const GROWTH_BYTES = 50 * 1024 * 1024;
/** Share of a processor that an idle server may use, and how long it must have been watched for that, ms. */
const IDLE_SHARE = 0.05;
const IDLE_WATCH_MS = 5_000;

/** What is known of one server. */
interface Known {
  before?: ServerState;
  /** Where it was when the other one's load began. */
  idleFrom?: { readonly at: Ms; readonly cpu: Ms };
  idle: { cpu: Ms; time: Ms };
  loads: number;
  memory?: { readonly from: Bytes; to: Bytes };
  restarts: number;
  errors: { lines: number; first?: string };
}

/**
 * @param read undefined where the system does not tell, or it does not run
 * @param now ms
 */
export function createServerWatch(read: (build: Build) => ServerState | undefined, now: () => Ms): ServerWatch {
  const fresh = (): Known => ({ idle: { cpu: 0, time: 0 }, loads: 0, restarts: 0, errors: { lines: 0 } });
  const known: PerBuild<Known> = { base: fresh(), candidate: fresh() };
  /** How many loads of each there are now. */
  const loading = { base: 0, candidate: 0 };
  return {
    started(build) {
      known[build].before = undefined;
      known[build].memory = undefined;
      known[build].loads = 0;
    },
    logged(build, lines) {
      const { errors } = known[build];
      for (const line of lines.filter((each) => ERROR.test(each))) {
        errors.lines += 1;
        errors.first ??= cutTo(line.trim(), LONGEST_LINE);
      }
    },
    begin(build) {
      // Where both are loaded at once, none is idle.
      const other = otherBuild(build);
      loading[build] += 1;
      known[build].idleFrom = undefined;
      const state = loading[other] > 0 ? undefined : read(other);
      known[other].idleFrom = state && { at: now(), cpu: state.cpu };
    },
    end(build) {
      loading[build] -= 1;
      const own = known[build];
      const other = known[otherBuild(build)];
      const state = read(build);
      if (state) {
        own.loads += 1;
        const { before } = own;
        const isOther = before && !before.listeners.some((pid) => state.listeners.includes(pid));
        if (isOther && before.listeners.length > 0 && state.listeners.length > 0) own.restarts += 1;
        own.before = state;
        if (own.loads === FILLING_LOADS) own.memory = { from: state.memory, to: state.memory };
        else if (own.memory) own.memory.to = state.memory;
      }
      const idle = other.idleFrom && read(otherBuild(build));
      if (other.idleFrom && idle && idle.cpu >= other.idleFrom.cpu) {
        other.idle.cpu += idle.cpu - other.idleFrom.cpu;
        other.idle.time += now() - other.idleFrom.at;
      }
      other.idleFrom = undefined;
    },
    notes: () => BUILDS.flatMap((build) => notesOn(build, known[build])),
  };
}

function notesOn(build: Build, { restarts, errors, memory, idle }: Known): readonly ServerNote[] {
  const share = idle.time >= IDLE_WATCH_MS ? idle.cpu / idle.time : 0;
  const { lines, first } = errors;
  const grew = memory && memory.to > GROWTH * memory.from && memory.to - memory.from > GROWTH_BYTES;
  return [
    ...(restarts > 0 ? [{ code: 'server-restarted', build, times: restarts } as const] : []),
    ...(first === undefined ? [] : [{ code: 'server-errors', build, lines, first } as const]),
    ...(grew ? [{ code: 'server-grew', build, ...memory } as const] : []),
    ...(share > IDLE_SHARE ? [{ code: 'server-restless', build, share } as const] : []),
  ];
}
