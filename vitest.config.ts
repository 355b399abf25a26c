import { availableParallelism } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { headlessShell } from './tests/support/headless-shell.ts';

/** What drives Chrome says so in its name. */
const BROWSER = ['tests/**/*.browser.test.ts'];

/**
 * Those of them that look at the browsers of their process, put something in the place of a module, or check the times of
 * loads, which those of other files would disturb.
 */
const ALONE = [
  'tests/browser/record/frozen.browser.test.ts',
  'tests/browser/script/steps.browser.test.ts',
  'tests/cli/spawned.browser.test.ts',
];

/** The same, with what only Chrome itself does: processes that are killed, PDFs. */
const ALONE_IN_CHROME = ['tests/jobs/engine/{leftovers,trouble}.browser.test.ts'];

/** Whole audits of pages of all kinds, and what only Chrome itself does: windows, tab icons, requests of its own, its processes. */
const IN_CHROME = [
  'tests/browser/context/window.browser.test.ts',
  'tests/browser/record/{clocks/frames,own-requests}.browser.test.ts',
  'tests/jobs/audit/real-sites.browser.test.ts',
  'tests/jobs/engine/ledger.browser.test.ts',
];

/** One browser for the files of a process; each load has a context of its own. */
const SHARED = { isolate: false };

/** What starts programs (npm, git, the built command), measures the machine, or is simulated thousands of times. */
const PACKAGING = [
  'tests/package.test.ts',
  'tests/browser/script/script-process.test.ts',
  'tests/{action,bench,examples,fixtures,scripts}/**/*.test.ts',
  'tests/cli/{process,spawned-merge,spawned-trend}.test.ts',
  'tests/jobs/capacity/servers.test.ts',
  'tests/jobs/compare/ref-builds.test.ts',
  'tests/shell/{git,process}/**/*.test.ts',
  'tests/shell/host/{facts,micro-benchmark}.test.ts',
  'tests/shell/servers/serve-command.test.ts',
];

/** What takes longest, mostly waiting. It starts first: else the others are done, and all wait for one of these. */
const LONGEST = [
  'tests/cli/spawned.browser.test.ts',
  'tests/jobs/engine/evidence/{evidence,short-endings}.browser.test.ts',
  'tests/jobs/compare/compare.browser.test.ts',
  'tests/browser/record/outline.browser.test.ts',
  'tests/browser/script/steps.browser.test.ts',
  'tests/reporters/waterfall.browser.test.ts',
  'tests/cli/serve.browser.test.ts',
  'tests/jobs/engine/scenarios.browser.test.ts',
  'tests/jobs/capacity/{page-under-load.browser,servers}.test.ts',
  'tests/reporters/accessible.browser.test.ts',
  'tests/browser/context/{access,network,warm-view}.browser.test.ts',
  'tests/jobs/engine/evidence/{film-strip,film}.browser.test.ts',
  'tests/jobs/engine/{hold,isolation,lighthouse,remote,trouble}.browser.test.ts',
  'tests/cli/api-docs.browser.test.ts',
  'tests/reporters/compare-html.browser.test.ts',
  'tests/package.test.ts',
  'tests/fixtures/{truth,server}.test.ts',
  'tests/jobs/compare/ref-builds.test.ts',
];

/** Vitest's order, but for the longest. A machine of a CI system does not know how long a file took the last time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((pattern) => matchesGlob(relative(import.meta.dirname, moduleId), pattern));
      return rank === -1 ? LONGEST.length : rank;
    };
    const inTurn = await super.sort(files);
    return inTurn.toSorted((a, b) => (a.project.name === b.project.name ? rankOf(a) - rankOf(b) : 0));
  }
}

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
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
    // Tests that drive a real Chrome wait for real sockets; the limit only ends what hangs.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // So does this: Vitest's own second is over before a program that waits for its turn has answered.
    expect: { poll: { timeout: 60_000 } },
    // Pages mostly wait: more of them than there are processors.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Pages that are filmed and compared need some of the processor for themselves.
    maxConcurrency: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...BROWSER, ...PACKAGING],
          // Nothing there keeps anything: a process for each file would only load the same modules again, and so would more
          // processes than there are processors.
          isolate: false,
          maxWorkers: availableParallelism(),
          // First, and alone: Vitest wants a group of its own for another number of workers, and Chrome's tests want the processor.
          sequence: { groupOrder: 0 },
        },
      },
      browserProject({
        name: 'browser',
        include: BROWSER,
        exclude: [...ALONE, ...ALONE_IN_CHROME, ...IN_CHROME],
        env: inShell(),
        ...SHARED,
      }),
      browserProject({ name: 'browser-chrome', include: IN_CHROME, ...SHARED }),
      browserProject({ name: 'browser-alone', include: ALONE, env: inShell() }),
      browserProject({ name: 'browser-chrome-alone', include: ALONE_IN_CHROME }),
      {
        extends: true,
        test: {
          name: 'packaging',
          include: PACKAGING,
          // What they change in their process they put back.
          isolate: false,
          // Nothing is filmed there; what is tested at once waits for servers.
          maxConcurrency: 20,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

/** Tests that drive a browser: beside those of the packaging. */
function browserProject(test: NonNullable<TestProjectInlineConfiguration['test']>): TestProjectInlineConfiguration {
  return { extends: true, test: { ...test, sequence: { groupOrder: 1 } } };
}

/** The headless shell where there is one and nobody has named a browser; else what Quiesce finds. */
function inShell(): Record<string, string> {
  const shell = process.env.QUIESCE_BROWSER ? undefined : headlessShell(process.env);
  return shell === undefined ? {} : { QUIESCE_BROWSER: shell };
}
