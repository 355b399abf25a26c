/** A command that a runner found in a log. */
export interface RunnerCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** Commands that a runner knows; others are text. */
const KNOWN = new Set(
  'add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output stop-commands warning'.split(
    ' ',
  ),
);

/**
 * The commands that GitHub's runner finds in what a step printed, those stopped by `stop-commands` left out. Source:
 * actions/runner, ActionCommand.cs (both forms) and ActionCommandManager.cs.
 */
export function commandsIn(log: string): readonly RunnerCommand[] {
  const found: RunnerCommand[] = [];
  let stoppedUntil: string | undefined;
  // A stream is read line by line as .NET ends lines.
  for (const line of log.split(/\r\n|\r|\n/)) {
    if (stoppedUntil !== undefined) {
      const parsed = newForm(line, new Set([stoppedUntil]));
      if (parsed) stoppedUntil = undefined;
      continue;
    }
    const parsed = newForm(line, KNOWN) ?? oldForm(line);
    if (parsed === undefined) continue;
    if (parsed.command === 'stop-commands') stoppedUntil = parsed.message;
    else found.push(parsed);
  }
  return found;
}

/** `::name key=value,key=value::message` at the beginning of a line. */
function newForm(line: string, known: ReadonlySet<string>): RunnerCommand | undefined {
  const text = line.trimStart();
  if (!text.startsWith('::')) return undefined;
  const end = text.indexOf('::', 2);
  if (end < 0) return undefined;
  const head = text.slice(2, end);
  const space = head.indexOf(' ');
  const command = space < 0 ? head : head.slice(0, space);
  if (!known.has(command)) return undefined;
  const given =
    space < 0
      ? []
      : head
          .slice(space + 1)
          .trim()
          .split(',');
  return { command, properties: properties(given, unescapeProperty), message: unescapeValue(text.slice(end + 2)) };
}

/** `##[name key=value;key=value]message` anywhere in a line. */
function oldForm(line: string): RunnerCommand | undefined {
  const start = line.indexOf('##[');
  const end = line.indexOf(']', start);
  if (start < 0 || end < 0) return undefined;
  const head = line.slice(start + 3, end);
  const space = head.indexOf(' ');
  const command = space < 0 ? head : head.slice(0, space);
  if (!KNOWN.has(command)) return undefined;
  const given = space < 0 ? [] : head.slice(space + 1).split(';');
  return { command, properties: properties(given, (value) => value), message: line.slice(end + 1) };
}

function properties(given: readonly string[], read: (value: string) => string): Readonly<Record<string, string>> {
  const pairs = given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const);
  const kept = pairs.filter(([key, value]) => key !== '' && value !== '');
  return Object.fromEntries(kept.map(([key, value]) => [key.trim(), read(value)]));
}

const unescapeValue = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');

const unescapeProperty = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
