import type { Ms } from '../../model/units.ts';
import type { Island, RowMark, Vocabulary } from './island.ts';

/** One row of a waterfall as it is drawn, on the server and in the browser. Times are milliseconds. */
export interface ShownRow {
  /** Its position in the waterfall, from 0 on: the order in which requests began. */
  readonly index: number;
  readonly url: string;
  /** Host and port; empty where the address has none. */
  readonly host: string;
  readonly method: string;
  readonly type: string;
  /** One of `GROUPS`. */
  readonly group: string;
  readonly status?: number;
  readonly mimeType: string;
  readonly protocol: string;
  readonly fromCache: string;
  readonly priority: string;
  readonly initiator: string;
  readonly outcome: string;
  readonly startedAt: Ms;
  readonly endsAt: Ms;
  readonly open: boolean;
  readonly failed: boolean;
  /** True when a link to the address is safe. */
  readonly followed: boolean;
  /** Positions in `PHASES`. */
  readonly phases: readonly { readonly name: number; readonly from: Ms; readonly to: Ms }[];
  readonly ticks: readonly Ms[];
  readonly pieces: number;
  readonly transferSize?: number;
  readonly contentSize: number;
  /** The position of the row whose answer asked for this one. */
  readonly initiatorRow?: number;
  /** Which step of the critical path it is, from 1 on. */
  readonly step?: number;
  readonly mark?: RowMark;
  readonly background?: {
    readonly kind: string;
    readonly because: string;
    readonly confidence: string;
    readonly countsUntil?: Ms;
    /** True in the first row that has this reason: it tells it for all. */
    readonly tells: boolean;
  };
}

/** One waterfall as it is drawn. Times are milliseconds. */
export interface ShownWaterfall {
  readonly run: number;
  readonly end: Ms;
  readonly rows: readonly ShownRow[];
  readonly milestones: readonly { readonly label: string; readonly at: Ms; readonly look: string }[];
  readonly quiet?: { readonly from: Ms; readonly to: Ms };
  readonly raw?: { readonly state: string; readonly at?: Ms };
  readonly tasks?: readonly { readonly from: Ms; readonly to: Ms }[];
  /** What came on the wire: the highest rate in bytes a second, and spans with their height as a share of it. */
  readonly wire?: {
    readonly peak: number;
    readonly spans: readonly { readonly from: Ms; readonly to: Ms; readonly share: number }[];
  };
  /** Positions of rows, in order of time. */
  readonly critical: readonly number[];
}

/** A waterfall out of its island. Self-contained (see `client-elements.ts`): server and browser draw from the same rows. */
export function readIsland(
  { words, urls, kinds, reasons }: Vocabulary,
  island: Island,
  marks: readonly (RowMark | '')[],
): ShownWaterfall {
  const word = (position: number | undefined): string => words[position ?? 0] ?? '';
  const told = new Set<number>();
  const steps = new Map(island.critical.map((index, step) => [index, step + 1]));
  let start = 0;
  const rows = island.rows.map((values, index): ShownRow => {
    const [url = 0, kind = 0, delta = 0, phases, transfer = 0, content = 0, initiator, above = 0] = values;
    const [, , , , , , , , pieces = 0, ticks, flags = 0, outcome, reason = 0, counts = 0, mark = 0] = values;
    start += delta;
    const address = word(urls[url * 2] as number) + String(urls[url * 2 + 1] ?? '');
    const [method, type, mimeType, protocol, fromCache, priority, group, status = 0] = kinds[kind] ?? [];
    let at = start;
    const spans: { name: number; from: Ms; to: Ms }[] = [];
    const lengths = phases || [];
    for (let i = 0; i + 1 < lengths.length; i += 2) {
      const from = at;
      at += lengths[i + 1] ?? 0;
      // One beyond the last phase is a gap.
      if ((lengths[i] ?? 8) < 8) spans.push({ name: lengths[i] ?? 0, from: from / 10, to: at / 10 });
    }
    let tick = start;
    const because = reasons[reason - 1];
    const step = steps.get(index);
    const tells = because !== undefined && !told.has(reason);
    told.add(reason);
    const marked = marks[mark] ?? '';
    return {
      index,
      url: address,
      host: /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(address)?.[1] ?? '',
      method: word(method),
      type: word(type),
      group: word(group),
      mimeType: word(mimeType),
      protocol: word(protocol),
      fromCache: word(fromCache),
      priority: word(priority),
      initiator: word(initiator),
      outcome: word(outcome),
      startedAt: start / 10,
      endsAt: at / 10,
      open: (flags & 1) !== 0,
      failed: (flags & 2) !== 0,
      followed: (flags & 4) === 0,
      phases: spans,
      ticks: (ticks || []).map((after) => {
        tick += after;
        return tick / 10;
      }),
      pieces,
      contentSize: content,
      ...(status > 0 && { status }),
      ...(transfer !== null && { transferSize: transfer }),
      ...(above !== 0 && { initiatorRow: index - above }),
      ...(step !== undefined && { step }),
      ...(marked !== '' && { mark: marked }),
      ...(because && {
        background: {
          kind: word(because[0]),
          because: word(because[1]),
          confidence: word(because[2]),
          tells,
          ...((flags & 8) !== 0 && { countsUntil: (start + counts) / 10 }),
        },
      }),
    };
  });

  let task = 0;
  const lengths = island.tasks ?? [];
  const tasks: { from: Ms; to: Ms }[] = [];
  for (let i = 0; i + 1 < lengths.length; i += 2) {
    const from = task + (lengths[i] ?? 0);
    task = from + (lengths[i + 1] ?? 0);
    tasks.push({ from: from / 10, to: task / 10 });
  }
  const { wire, quiet, raw } = island;
  const heights = wire?.heights ?? [];
  const spans: { from: Ms; to: Ms; share: number }[] = [];
  let place = 0;
  for (let i = 0; wire !== undefined && i + 1 < heights.length; i += 2) {
    place += heights[i] ?? 0;
    const from = (place++ * wire.step) / 10;
    spans.push({ from, to: from + wire.step / 10, share: (heights[i + 1] ?? 0) / 100 });
  }
  return {
    run: island.run,
    end: island.end / 10,
    rows,
    milestones: island.marks.map(([label, at, look]) => ({ label: word(label), at: at / 10, look: word(look) })),
    critical: island.critical,
    ...(quiet && { quiet: { from: quiet[0] / 10, to: quiet[1] / 10 } }),
    ...(raw && { raw: { state: word(raw[0]), ...(raw[1] !== undefined && { at: raw[1] / 10 }) } }),
    ...(island.tasks && { tasks }),
    ...(wire && { wire: { peak: wire.peak, spans } }),
  };
}
