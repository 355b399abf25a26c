/**
 * `npm test`: everything that CI runs. With arguments, Vitest alone: `npm test -- tests/core/completion/complete.test.ts`.
 *
 * A test that drives a browser or starts programs needs some of the processors. One that fails while other programs had
 * them runs once more at the end, alone, and the summary lists it.
 */
import { spawnSync } from 'node:child_process';
import { createVitest, parseCLI, type TestCase, type TestModule } from 'vitest/node';
import { formatShare } from '../src/wording/text/format.ts';
import { decide, type Failure, watchMachine } from '../tests/support/starved.ts';

const CHECKS = [
  ['biome', 'check', '.'],
  ['tsc', '-p', 'tsconfig.json'],
] as const;

/** On Windows the programs of packages are scripts of its shell. */
const shell = process.platform === 'win32';

function passes([program, ...args]: (typeof CHECKS)[number]): boolean {
  return spawnSync(program, args, { stdio: 'inherit', shell }).status === 0;
}

/** Runs tests with Vitest, and those again that were starved. */
async function passTests(args: readonly string[]): Promise<boolean> {
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  const startedAt = new Map<string, number>();
  const reporter = { onTestModuleStart: ({ id }: TestModule) => void startedAt.set(id, Date.now()) };
  const vitest = await createVitest({ ...options, watch: false, reporters: ['default', reporter] });
  const machine = watchMachine();
  const { testModules, unhandledErrors } = await vitest.start(filter);
  machine.stop();
  const failures = testModules.flatMap((module) => failuresOf(module, startedAt.get(module.id) ?? 0));
  const { red, again } = decide(failures, machine.samples);
  const lines: string[] = [];
  let failed = red.length + unhandledErrors.length;
  for (const { name, taken, module, test } of again) {
    const second = await vitest.runTestSpecifications([module.toTestSpecification(test && [test])]);
    // Vitest gives all files, with what they said before.
    const passed =
      second.unhandledErrors.length === 0 && second.testModules.some((each) => each.id === module.id && didPass(each));
    if (!passed) failed += 1;
    lines.push(` ${passed ? '✓' : '✗'} ${name}: others used ${formatShare(taken)} of the processors\n`);
  }
  await vitest.close();
  if (lines.length > 0) process.stdout.write(`Ran again, alone, because others had the processors:\n${lines.join('')}`);
  return failed === 0;
}

interface Failed extends Failure {
  readonly module: TestModule;
  /** Absent if the file or one of its hooks failed. */
  readonly test?: TestCase;
}

/** What failed in a file. It counts as running from the start of the file, where pages may have been loaded for it. */
function failuresOf(module: TestModule, from: number): readonly Failed[] {
  const { project, relativeModuleId } = module;
  const all = { module, live: /^(?:browser|packaging)/.test(project.name), from };
  if ([module, ...module.children.allSuites()].some((each) => each.errors().length > 0)) {
    return [{ ...all, name: relativeModuleId, to: Date.now() }];
  }
  return [...module.children.allTests('failed')].map((test) => {
    const { startTime, duration } = test.diagnostic() ?? { startTime: from, duration: Number.POSITIVE_INFINITY };
    return { ...all, test, name: `${relativeModuleId} > ${test.fullName}`, to: startTime + duration };
  });
}

/** A file in which nothing failed and something ran. */
function didPass(module: TestModule): boolean {
  return module.ok() && [...module.children.allTests('passed')].length > 0;
}

const args = process.argv.slice(2);
const checked = args.length > 0 || CHECKS.map(passes).every(Boolean);
process.exitCode = (await passTests(args)) && checked ? 0 : 1;
