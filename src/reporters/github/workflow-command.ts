import { elide, plain } from '../../wording/text/text.ts';

/** Longest text of an annotation; GitHub shows some lines of it. */
const LONG = 1_000;

/**
 * A line for the log of a GitHub job that becomes an annotation beside it. Texts may be anything: a line break or a colon
 * in them neither ends the command nor begins another. Source: GitHub's runner, ActionCommand.cs.
 */
export function workflowCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${property(shown(title))}::${value(shown(message))}`;
}

const shown = (text: string): string => elide(plain(text), LONG);

const value = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => value(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
