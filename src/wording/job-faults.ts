import type { ImportProblem } from '../core/capacity/import/read-import.ts';
import type { FolderOutOfReach, MixFault, ScriptFault, SiteFault } from '../model/job-fault.ts';
import { kebabCase } from './kebab-case.ts';

/** What is wrong with a script, a clause. */
export function scriptFaultInWords(fault: ScriptFault): string {
  switch (fault.code) {
    case 'no-file':
      return 'no such file';
    case 'unknown-extension':
      return 'name a .js, .mjs or .ts file';
    case 'exports-function':
      return 'its default export is a function, not an object with before or measure';
    case 'exports-nothing':
      return 'it exports neither before nor measure';
    case 'no-object':
      return `its default export is ${fault.value}`;
    case 'no-function':
      return `its ${fault.name} is not a function`;
    case 'late':
      return `its code outside before and measure did not finish within ${Math.round(fault.limit / 100) / 10} s`;
    case 'not-imported':
      return fault.line === undefined ? fault.message : `line ${fault.line}: ${fault.message}`;
  }
}

/** What is wrong with a line of a mix of requests, a clause. */
export function mixFaultInWords(fault: MixFault): string {
  switch (fault.code) {
    case 'no-url':
      return `"${fault.given}" is neither a URL nor a path`;
    case 'other-server':
      return `${fault.origin} is not the server under test`;
    case 'no-weight':
      return `"${fault.given}" is not a weight: use a number above 0 and up to 1000`;
  }
}

/** Why a file of another load-testing tool cannot be read, a clause. */
export function importProblemInWords(
  found: ImportProblem | { readonly problem: 'no-load-test' | 'no-connections' },
): string {
  const line = 'line' in found ? found.line : undefined;
  return {
    empty: 'it is empty',
    'no-load-test': 'it is not the result of a load test',
    'no-connections':
      'it does not say how many connections were used: give them with --levels, in the order of the files',
    'unknown-json': 'it is not the JSON summary of k6 or autocannon',
    'no-level': 'no column is called level, users, connections or concurrency',
    'no-throughput': 'no column is called throughput or requests/s',
    'no-rows': 'the table has no rows',
    'bad-figure': `${line === undefined ? 'it' : `line ${line}`} has no number of connections from 1 on, no throughput, or a figure that cannot be`,
  }[found.problem];
}

/** Why a built folder has no site that could be measured, and what to do. */
export function siteFaultInWords(fault: SiteFault): string {
  switch (fault.code) {
    case 'no-folder':
      return fault.built
        ? 'there is no such folder after the build. Name the folder that it writes with --dist'
        : 'there is no such folder. Build it with --build, or name another with --dist';
    case 'outside':
      return 'a symbolic link points outside the repository. Let the build write into a folder inside it';
    case 'no-page':
      return 'it has no index.html. Set --dist to the folder that contains the page';
  }
}

/** Why a browser cannot load a folder of this machine, a clause. */
export function outOfReachInWords(why: FolderOutOfReach): string {
  return why === 'browser-elsewhere' ? 'it runs on another machine' : 'that address does not belong to this machine';
}

/** The options that a comparison's conditions come from, where their names differ. */
const CONDITIONS: Readonly<Record<string, string>> = {
  base: 'base',
  candidate: 'candidate',
  looks: '--max-pairs or --looks',
  gates: '--gate',
  includesLate: '--late-content',
  observation: 'patience',
};

/** What was another when a comparison began: `cpu` is "--cpu". */
export const resumeConditionInWords = (name: string): string => CONDITIONS[name] ?? `--${kebabCase(name)}`;
