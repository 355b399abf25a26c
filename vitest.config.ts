import { defineConfig } from 'vitest/config';

/** What drives browsers, starts programs or puts something in the place of a module. */
const OUTWARD = [
  'tests/*.test.ts',
  'tests/{action,app,cli,shell}/**/*.test.ts',
  'tests/core/har/consumers.test.ts',
  'tests/**/*.browser.test.ts',
];

export default defineConfig({
  // Vite's transformer does not read tsconfig's jsx settings for test files outside its root's graph.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Imports its JSON schemas without saying that they are JSON, which Node wants to hear and Vite does not.
    server: { deps: { inline: [/@actions[\\/]workflow-parser/] } },
    // Tests that drive a real Chrome wait for real sockets; the limit only ends what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Pages mostly wait: three files at a time fill two cores.
    maxWorkers: 3,
    // Pages that are filmed and compared need some of the processor for themselves.
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'outward',
          include: OUTWARD,
          // A machine that is shared may stand still for seconds, and what a page does in them is then another story.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: OUTWARD,
          // Nothing there keeps anything: a process for each file would only load the same modules again.
          isolate: false,
        },
      },
    ],
  },
});
