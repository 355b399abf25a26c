import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttp2Fixture } from '../../../fixtures/http2.ts';
import type { FixtureServer } from '../../../fixtures/server.ts';
import { auditInChrome } from '../../support/chrome.ts';

/** The folder that a package was unpacked into. */
const folderOf = (name: string): string => fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url));

describe('sites that nobody here wrote, served from their folders over HTTP/1.1', () => {
  // swagger-ui's own page names a demo API on the net, which fails here as it does behind any firewall: it shows an error.
  it.each(['swagger-ui-dist', 'reveal.js'])('%s', async (name) => {
    const { exit, result, problems } = await auditInChrome({ targets: [folderOf(name)], allowBroken: true });
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    const [target] = result.targets;
    const run = target?.runs[1];
    expect(run?.pageComplete).toMatchObject({ state: 'complete', waitingFor: [] });
    expect(run?.metrics?.largestContentfulPaint).toBeGreaterThan(0);
    expect(run?.metrics?.requestCount).toBeGreaterThan(3);
    const { basePage, parse, components, render } = run?.breakdown ?? {
      basePage: 0,
      parse: 0,
      components: 0,
      render: 0,
    };
    expect(basePage + parse + components + render).toBeCloseTo(run?.metrics?.pageComplete ?? 0, 2);
    const { mainThreadTime = 0, waitTime = 0 } = run?.metrics ?? {};
    expect(mainThreadTime + waitTime).toBeCloseTo(run?.metrics?.pageComplete ?? 0, 2);
  });
});

describe('HTTP/2', () => {
  let server: FixtureServer;
  beforeAll(async () => {
    server = await startHttp2Fixture();
  });
  afterAll(() => server.close());

  it('is recorded like HTTP/1.1', async () => {
    const { exit, report, result } = await auditInChrome({
      targets: [server.url('shop')],
      browserArg: ['--ignore-certificate-errors'],
    });
    expect(exit).toBe(0);
    expect(result.targets[0]?.runs[1]?.pageComplete?.state).toBe('complete');
    const rows = report.targets[0]?.waterfalls[0]?.rows ?? [];
    expect(rows.filter((row) => row.protocol === 'h2').length).toBeGreaterThan(15);
    expect(new Set(result.targets[0]?.background.map(({ kind }) => kind))).toEqual(
      new Set(['sse', 'long-poll', 'poll', 'beacon', 'browser-internal']),
    );
  });
});
