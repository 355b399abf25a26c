import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vite's transformer does not read tsconfig's jsx settings for test files outside its root's graph.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    // Imports its JSON schemas without saying that they are JSON, which Node wants to hear and Vite does not.
    server: { deps: { inline: [/@actions[\\/]workflow-parser/] } },
    // Tests that drive a real Chrome wait for real sockets; the limit only ends what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two browsers at once on two cores already fill a small CI machine.
    maxWorkers: 2,
    // Pages that are filmed and compared need some of the processor for themselves.
    maxConcurrency: 2,
  },
});
