import { EXIT } from '../../src/wording/messages/messages.ts';

/** The exit code of a command as on a machine with nothing else to do: the one that tests is busy with other tests. */
export function exitWithoutHost({
  code,
  stdout,
  stderr,
}: {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): number | null {
  const said = `${stdout}\n${stderr}`.replace(/\s+/g, ' ');
  return code === EXIT.undecided &&
    /machine was busy with other things (?:in|while [\w ]+ (?:was|were) measured)/i.test(said)
    ? EXIT.ok
    : code;
}
