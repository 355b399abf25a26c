import { expect, it } from 'vitest';
import { createServerWatch, type ServerState } from '../../../../src/jobs/compare/servers/watch.ts';
import type { Build } from '../../../../src/model/compare/build.ts';

const MB = 1024 * 1024;

/** Two servers, their loads taken in turns of one second; `each` changes what they are at a load. */
function watched(
  loads: number,
  each: (servers: Record<Build, { -readonly [K in keyof ServerState]: ServerState[K] }>, load: number) => void,
) {
  const servers = {
    base: { listeners: [1], cpu: 0, memory: 60 * MB },
    candidate: { listeners: [2], cpu: 0, memory: 60 * MB },
  };
  let now = 0;
  const watch = createServerWatch(
    (build) => ({ ...servers[build] }),
    () => now,
  );
  for (let load = 0; load < loads; load += 1) {
    for (const build of ['base', 'candidate'] as const) {
      watch.begin(build);
      now += 1000;
      servers[build].cpu += 200;
      if (build === 'base') each(servers, load);
      watch.end(build);
    }
  }
  return watch;
}

it('says nothing of servers that work when they are asked', () => {
  const watch = watched(20, (servers) => {
    servers.candidate.cpu += 10;
    servers.base.memory += MB;
  });
  watch.logged('base', ['GET /error.js 200', '0 errors', 'ErrorBoundary.tsx compiled', 'level=info']);
  expect(watch.notes()).toEqual([]);
});

it('says which server restarts, works by itself, grows or logs errors', () => {
  const watch = watched(20, (servers, load) => {
    if (load === 8 || load === 9) servers.base.listeners = [load + 100];
    // One of several workers is replaced.
    servers.candidate.listeners = [2, load + 50];
    servers.candidate.cpu += 300;
    servers.candidate.memory += 20 * MB;
  });
  watch.logged('base', [
    'TypeError: x is not a function',
    '{"level":"error","msg":"no"}',
    '{"level":50,"msg":"no"}',
    'fine',
  ]);
  expect(watch.notes()).toEqual([
    { code: 'server-restarted', build: 'base', times: 2 },
    { code: 'server-errors', build: 'base', lines: 3, first: 'TypeError: x is not a function' },
    { code: 'server-grew', build: 'candidate', from: 180 * MB, to: 460 * MB },
    { code: 'server-restless', build: 'candidate', share: 0.3 },
  ]);
});

it('does not call it idle while both are loaded, nor a restart of its own', () => {
  const state = { base: { listeners: [1], cpu: 0, memory: MB }, candidate: { listeners: [2], cpu: 0, memory: MB } };
  let now = 0;
  const watch = createServerWatch(
    (build) => ({ ...state[build] }),
    () => now,
  );
  for (let load = 0; load < 10; load += 1) {
    watch.begin('base');
    watch.begin('candidate');
    now += 1000;
    state.base.cpu += 900;
    state.candidate.cpu += 900;
    watch.end('candidate');
    watch.end('base');
  }
  watch.started('base');
  state.base.listeners = [9];
  watch.begin('base');
  watch.end('base');
  expect(watch.notes()).toEqual([]);
});
