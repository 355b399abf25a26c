import { expect, it } from 'vitest';
import { announce } from '../../src/cli/announce.ts';
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
  const output = { json: false, quiet: false, verbose: true };
  announce({ sandboxOffForRoot: false, output }, settings, progress);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"device":"phone"');
  expect(lines[0]).toContain('"browserWs":"wss://fleet.example/…"');
  expect(lines[0]).not.toContain('canary');
  announce({ sandboxOffForRoot: false, output: { ...output, verbose: false } }, settings, progress);
  expect(lines).toHaveLength(1);
});
