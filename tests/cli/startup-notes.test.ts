import { expect, it } from 'vitest';
import { withStartupNotes } from '../../src/cli/startup-notes.ts';
import { noted } from '../../src/jobs/engine/progress-events.ts';
import { resolvedAudit } from '../support/jobs.ts';

it('tells the settings on request, and none of what gets one in', () => {
  const lines: string[] = [];
  const progress = { show() {}, live() {}, close() {}, note: (line: string) => void lines.push(line) };
  const settings = resolvedAudit({
    targets: ['http://x/'],
    browserWs: 'wss://ann:canary-1@fleet.example/session/canary-2?token=canary-3',
    basicAuth: 'ann:canary-4',
    header: ['X-Way-In: canary-5'],
    cookie: ['session=canary-6'],
    device: 'phone',
  });
  const output = { json: false, open: false, quiet: false, verbose: true };
  withStartupNotes({ sandboxOffForRoot: false, misspelt: [], output }, settings, progress);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"device":"phone"');
  expect(lines[0]).toContain('"browserWs":"wss://fleet.example/…"');
  expect(lines[0]).not.toContain('canary');
  withStartupNotes(
    { sandboxOffForRoot: false, misspelt: [], output: { ...output, verbose: false } },
    settings,
    progress,
  );
  expect(lines).toHaveLength(1);
});

it('tells notes when the browser starts: an error before that stands alone', () => {
  const lines: string[] = [];
  const progress = { show: () => lines.push('shown'), live() {}, close() {}, note: (line: string) => lines.push(line) };
  const output = { json: false, open: false, quiet: false, verbose: false };
  const job = { stored: {}, shard: { index: 2, of: 4 }, shardFrom: 'CI_NODE_INDEX' };
  const announced = withStartupNotes(
    { sandboxOffForRoot: true, misspelt: [{ name: 'QUIESCE_RUN', suggestion: 'QUIESCE_RUNS' }], output },
    job,
    progress,
  );
  expect(lines).toEqual([]);
  announced.show(noted({ code: 'empty-shard', index: 3, of: 3, pages: 2 }));
  announced.show({ kind: 'browser-started', product: 'Chrome/1' });
  announced.show({ kind: 'browser-started', product: 'Chrome/1' });
  const sandbox = expect.stringContaining('without its sandbox');
  const misspelt = 'QUIESCE_RUN is not a variable of Quiesce; did you mean QUIESCE_RUNS?';
  const shard = 'Shard 2 of 4, as CI_NODE_INDEX says; --shard 1/1 does all the work.';
  expect(lines).toEqual(['shown', misspelt, shard, sandbox, 'shown', 'shown']);
});
