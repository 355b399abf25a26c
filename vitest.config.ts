import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { headlessShell } from './tests/support/headless-shell.ts';

/** Drives a browser: the headless shell where there is one. */
const BROWSER = 'tests/**/*.browser.test.ts';

/**
 * Needs Chrome itself (windows, tab icons, requests and processes of its own), looks at all browsers of its process, or puts
 * something in the place of a module.
 */
const CHROME = 'tests/**/*.chrome.test.ts';

/**
 * A program that others starve once is tried once more, and Vitest marks the test. What fails twice is wrong. Tests of the
 * unit project have no such excuse.
 */
const LIVE = { retry: 1, sequence: { groupOrder: 1 } };

/** Starts programs (npm, git, the built command), measures the machine, or is simulated thousands of times. */
const PACKAGING = ['tests/**/*.program.test.ts', 'tests/{action,bench,examples,fixtures,scripts}/**/*.test.ts'];

export default defineConfig({
  // Vite's transformer does not read tsconfig's jsx settings for test files outside its root's graph.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // What the HTML report carries is bundled out of the source as it is now.
    globalSetup: 'tests/support/generate.ts',
    // Imports its JSON schemas without saying that they are JSON, which Node wants to hear and Vite does not.
    server: { deps: { inline: [/@actions[\\/]workflow-parser/] } },
    // Commands that tests start take a third less to start where others have left compiled code, also when a test gives them
    // a folder of their own for temporary files.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled'),
      // Tests that give a home folder mean what is in it.
      XDG_CACHE_HOME: '',
    },
    // Tests that drive a real Chrome wait for real sockets; the limit only ends what hangs.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // So does this: Vitest's own second is over before a program that waits for its turn has answered.
    expect: { poll: { timeout: 60_000 } },
    // Pages mostly wait: more of them than there are processors.
    maxWorkers: 5,
    // Pages that are filmed and compared need some of the processor for themselves.
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [BROWSER, CHROME, ...PACKAGING],
          // Nothing there keeps anything: a process for each file would only load the same modules again, and so would more
          // processes than there are processors.
          isolate: false,
          maxWorkers: availableParallelism(),
          // First, and alone: Vitest wants a group of its own for another number of workers, and Chrome's tests want the processor.
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER],
          env: inShell(),
          // One browser for the files of a process; each load has a context of its own.
          isolate: false,
          ...LIVE,
        },
      },
      { extends: true, test: { name: 'chrome', include: [CHROME], ...LIVE } },
      {
        extends: true,
        test: {
          name: 'packaging',
          include: PACKAGING,
          // What they change in their process they put back.
          isolate: false,
          // Nothing is filmed there; what is tested at once waits for servers.
          maxConcurrency: 20,
          ...LIVE,
        },
      },
    ],
  },
});

/** The headless shell where there is one and nobody has named a browser; else what Quiesce finds. */
function inShell(): Record<string, string> {
  const shell = process.env.QUIESCE_BROWSER ? undefined : headlessShell(process.env);
  return shell === undefined ? {} : { QUIESCE_BROWSER: shell };
}
