import { figureIn, figuresOf, type ImportedLevel, timeIn } from './imported-level.ts';

/** What wrk and wrk2 print, one run after the other. Sources: wrk, src/wrk.c and src/stats.c; wrk2, the same files. */
export function readWrk(text: string): readonly ImportedLevel[] {
  return text
    .split(/^(?=Running )/m)
    .filter((part) => /^Requests\/sec:/m.test(part))
    .map((part): ImportedLevel => {
      const concurrency = figureIn(/threads? and (\d+) connections?/.exec(part)?.[1]);
      const [, requests, seconds] = /^\s*(\d+) requests in ([\d.]+\w+)/m.exec(part) ?? [];
      // "50%" of wrk, "50.000%" of wrk2; the first one is of latencies that are corrected.
      const percent = (share: number) =>
        timeIn(new RegExp(`^\\s*${share}(?:\\.0+)?%\\s+([\\d.]+\\w+)`, 'm').exec(part)?.[1]);
      const [, connect = '0', read = '0', write = '0', timeouts = '0'] =
        /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(part) ?? [];
      const statuses = Number(/Non-2xx or 3xx responses: (\d+)/.exec(part)?.[1] ?? 0);
      const kinds = Object.entries({
        connect: Number(connect),
        read: Number(read),
        write: Number(write),
        timeout: Number(timeouts),
        'HTTP error': statuses,
      }).filter(([, count]) => count > 0);
      const all = Number(requests ?? 0);
      const rate = figureIn(/^Requests\/sec:\s+([\d.]+)/m.exec(part)?.[1]) ?? 0;
      return {
        ...(concurrency !== undefined && { concurrency }),
        figures: figuresOf({
          throughput: all > 0 ? (rate * (all - statuses)) / all : rate,
          mean: timeIn(/^\s*Latency\s+([\d.]+\w+)/m.exec(part)?.[1]),
          p50: percent(50),
          p90: percent(90),
          p95: percent(95),
          p99: percent(99),
          requests: all > 0 ? all - statuses : undefined,
          duration: timeIn(seconds),
          errors: kinds.reduce((sum, [, count]) => sum + count, 0),
          errorKinds: Object.fromEntries(kinds),
        }),
      };
    });
}
