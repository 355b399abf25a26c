import type { Reporter, TestModule } from 'vitest/node';

/** Lists what passed only when it was tried again: a test that does is broken, or what it tests is. */
export default class Retried implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) =>
      [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky),
    );
    if (flaky.length === 0) return;
    const lines = flaky.map(({ fullName, module }) => `  ${module.relativeModuleId} > ${fullName}`);
    process.stderr.write(`\nPassed only when tried again (${flaky.length}):\n${lines.join('\n')}\n`);
  }
}
