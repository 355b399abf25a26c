import { expect, test } from 'vitest';
import { syntheticRecording } from '../../bench/support/synthetic.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';
import { auditReport } from '../../src/jobs/engine/reports/report-model.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { runInWords } from '../../src/wording/result/run.ts';
import { waterfallInWords } from '../../src/wording/waterfall.ts';
import { summarise } from './example-report.ts';

/** Addresses as pages have them: two hosts of the page, three of others, hashes, sizes, versions. */
function realistic(url: string): string {
  const number = Number(/(\d+)(?:\/component|$)/.exec(url)?.[1] ?? 0);
  if (number === 0 || url.includes('/api/')) return url.replace('bench.test', 'www.garden-chairs.example');
  const hash = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
  const paths = [
    `https://static.garden-chairs.example/build/assets/js/chunk-${number}-components.${hash}.js`,
    `https://static.garden-chairs.example/build/assets/css/page-${number}.${hash}.css`,
    `https://img.garden-chairs.example/media/catalogue/products/${41_000 + number * 7}/gallery/front-view.webp?width=640&quality=75&v=${hash}`,
    `https://img.garden-chairs.example/media/catalogue/products/${41_000 + number * 7}/thumb.avif?width=160&dpr=2`,
    `https://www.garden-chairs.example/api/v2/catalogue/recommendations?placement=${number}&limit=12&locale=en-GB`,
    `https://fonts.example/s/inter/v18/UcCO3FwrK3iLTeHuS_nVMrMxCp50SjIw2boKoduKmMEVuLyfAZ9${hash}.woff2`,
  ];
  return paths[number % paths.length] ?? url;
}

/** One load; no two take the same time. */
function recordingOf(run: number, requests: number): Recording {
  const recording = syntheticRecording(requests);
  const slow = 1 + ((run * 37) % 11) / 100;
  return {
    ...recording,
    events: recording.events.map((event) => ({
      ...event,
      at: event.at * slow,
      ...(event.kind === 'request' && { url: realistic(event.url) }),
    })),
  };
}

function reportOf(runs: number, requests: number): AuditReport {
  const loads = Array.from({ length: runs }, (_, i) => {
    const visit = visitOf(recordingOf(i + 1, requests), DEFAULT_POLICY);
    const run = {
      index: i + 1,
      role: 'timed',
      ok: true,
      ...runInWords(measure(visit, DEFAULT_POLICY), visit.recording.navigation.url),
    } as const;
    return { run, waterfall: waterfallInWords(waterfallOf(visit, DEFAULT_POLICY, i + 1)) };
  });
  const all = loads.map(({ run }) => run);
  const url = 'https://www.garden-chairs.example/';
  return auditReport(
    {
      version: 1,
      kind: 'audit',
      tool: { name: 'quiesce', version: '1.0.0' },
      browser: { product: 'Chrome/150.0.0.0' },
      startedAt: '2026-01-01T00:00:00.000Z',
      settings: {},
      targets: [{ target: url, url, runs: all, summary: summarise(all), background: all[0]?.background ?? [] }],
    },
    [loads.map(({ waterfall }) => waterfall)],
  );
}

test('a report of five loads with a hundred requests each weighs no more than 256 kB', () => {
  const html = renderHtml(reportOf(5, 100));
  expect(html.match(/role="row" title=/g)).toHaveLength(100);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(256_000);
});

test('a load more adds less than a quarter of what the first took', () => {
  const sizes = [1, 2].map((runs) => Buffer.byteLength(renderHtml(reportOf(runs, 100))));
  const [one = 0, two = 0] = sizes;
  expect(two - one).toBeLessThan(12_000);
});
