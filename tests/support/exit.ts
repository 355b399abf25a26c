import { EXIT } from '../../src/wording/messages.ts';

/** The exit code of a command as on a machine with nothing else to do: the one that tests is busy with other tests. */
export function exitWithoutHost({
  code,
  stderr,
}: {
  readonly code: number | null;
  readonly stderr: string;
}): number | null {
  return code === EXIT.undecided && stderr.includes('The host was not fit to measure') ? EXIT.ok : code;
}
