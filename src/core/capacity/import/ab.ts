import { figureIn, figuresOf, type ImportedLevel } from './imported-level.ts';

/** What ApacheBench prints, one run after the other. Source: httpd, support/ab.c, output_results. */
export function readAb(text: string): readonly ImportedLevel[] {
  return text
    .split(/^(?=This is ApacheBench|Benchmarking )/m)
    .filter((part) => /^Requests per second:/m.test(part))
    .map((part): ImportedLevel => {
      const after = (label: string) => figureIn(new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(part)?.[1]);
      const percent = (share: number) => figureIn(new RegExp(`^\\s*${share}%\\s+(\\d+)`, 'm').exec(part)?.[1]);
      const complete = after('Complete requests') ?? 0;
      // Answers of another length are counted as failed, and are none where a page differs from load to load.
      const length = figureIn(/Length: (\d+)/.exec(part)?.[1]) ?? 0;
      const errors = Math.max(0, (after('Failed requests') ?? 0) - length) + (after('Non-2xx responses') ?? 0);
      const seconds = after('Time taken for tests');
      const rate = after('Requests per second') ?? 0;
      const good = Math.max(0, complete - errors);
      const concurrency = after('Concurrency Level');
      return {
        ...(concurrency !== undefined && { concurrency }),
        figures: figuresOf({
          throughput: complete > 0 ? (rate * good) / complete : rate,
          mean: after('Time per request'),
          p50: percent(50),
          p90: percent(90),
          p95: percent(95),
          p99: percent(99),
          requests: complete > 0 ? good : undefined,
          duration: seconds === undefined ? undefined : seconds * 1000,
          errors,
        }),
      };
    });
}
