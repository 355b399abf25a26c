import { QuiesceError } from '../wording/messages/messages.ts';
import { OPTIONS } from './options.ts';

/** The same error as a caller of the library reads it, who types no commands: options have the names that they have there. */
export function inLibraryWords(error: unknown): unknown {
  if (error instanceof QuiesceError) error.message = libraryWords(error.message);
  return error;
}

/** A message of the command line in words of the library. Commands that are to be typed stay as they are. */
function libraryWords(message: string): string {
  return message
    .replace(/, or write a configuration file with "quiesce init"/, '')
    .replace(/ See "quiesce help[^"]*"\./, '')
    .split(/("quiesce [^"]*")/)
    .map((part) => (part.startsWith('"quiesce ') ? part : withoutFlags(part)))
    .join('');
}

/** `--out` is "out", `--no-evidence` is "evidence: false"; what its value is called in the help says nothing here. */
function withoutFlags(text: string): string {
  return text.replace(/(?<![\w-])(--[a-z][a-z0-9-]*)(?: <[^>]*>)?/g, (typed, flag: string) => {
    const option = OPTIONS.find((each) => each.flag === flag);
    if (option === undefined) return typed;
    return option.negated ? `"${option.name}: false"` : `"${option.name}"`;
  });
}
