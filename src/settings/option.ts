import type { z } from 'zod';

/** A command as it is typed, without the program's name. */
export type CommandName =
  | 'audit'
  | 'compare'
  | 'analyze'
  | 'capacity'
  | 'trend'
  | 'report'
  | 'merge'
  | 'github'
  | 'init'
  | 'doctor';

/** How the text of a flag or variable becomes a value. */
type OptionKind = 'switch' | 'text' | 'number' | 'duration' | 'list';

/** Headings of the help, in its order. */
export const OPTION_GROUPS = [
  'Pages',
  'Server under test',
  'Measuring',
  'Comparing',
  'Load',
  'Building',
  'Lab conditions',
  'Access',
  'When the page is complete',
  'Several machines',
  'Results',
  'On GitHub',
  'Browser',
  'Configuration and output',
] as const;
type OptionGroup = (typeof OPTION_GROUPS)[number];

/** One option. Its key in the list is its name in configuration files, in library calls and, with dashes, its flag. */
export interface OptionRecord {
  /** One letter, as other tools have it: `-n` for `--runs`. */
  readonly short?: string;
  /** Placeholder of its value in the help; none for a switch. */
  readonly argument?: string;
  /** For options that most people need: a short clause for the first screen of the help. */
  readonly brief?: string;
  /** Values that shells complete, where they are few. */
  readonly choices?: readonly string[];
  /** One clause for the help. */
  readonly description: string;
  readonly group: OptionGroup;
  readonly kind: OptionKind;
  /** Checks a value and makes of it what jobs work with; its messages read on after the option's name. */
  readonly schema: z.ZodType;
  /** As it would be given. */
  readonly default?: unknown;
  /** The default in words, where the value itself would not say it. */
  readonly defaultText?: string;
  /** The flag switches it off: `--no-sandbox`. */
  readonly negated?: true;
  /** May be given several times; the values add up. */
  readonly repeatable?: true;
  /** What separates the values of a list inside one text. Applied to variables, and to flags unless repeatable. */
  readonly separator?: RegExp;
  /** A path: in a configuration file it is relative to that file. */
  readonly isPath?: true;
  /** What is no path all the same: a name on the PATH, a URL, the standard input. */
  readonly notAPath?: RegExp;
  /** A password may stand in it: messages never repeat its value. */
  readonly secret?: true;
  /** What results store of it, where that is not the value itself: without secrets, and JSON. */
  stored?(value: unknown, given: unknown): unknown;
  /** It cannot differ between the pages of one audit. */
  readonly wholeAudit?: true;
  /** Whom it concerns: the job unless said otherwise, only this command line, or the search for the configuration file. */
  readonly scope?: 'output' | 'lookup';
  readonly commands: readonly CommandName[];
  /** What is different for a command. */
  readonly for?: OptionVariants;
}

/** `undefined`: the command has nothing of what others have. Programs that use the library may be strict about that. */
type OptionVariants = {
  readonly [C in CommandName]?: {
    readonly [P in Varied]?: OptionRecord[P] | undefined;
  };
};

type Varied =
  | 'argument'
  | 'description'
  | 'schema'
  | 'default'
  | 'defaultText'
  | 'repeatable'
  | 'separator'
  | 'stored'
  | 'group';

/** Options of one group, by name. */
export type OptionRecords = Readonly<Record<string, Omit<OptionRecord, 'group'>>>;

/** Options that stand under one heading of the help. */
export function inGroup<R extends OptionRecords>(group: OptionGroup, records: R) {
  const all = Object.entries(records).map(([name, record]) => [name, { ...record, group }]);
  return Object.fromEntries(all) as { readonly [N in keyof R]: R[N] & { readonly group: OptionGroup } };
}

/** Results store an option as it was given when jobs work with something else. */
export const asGiven = (_value: unknown, given: unknown): unknown => given;

/** Commands that load pages. */
export const LOADING = ['audit', 'compare'] as const;
/** Commands that judge loads. */
export const JUDGING = ['audit', 'compare', 'analyze'] as const;
/** Commands that start a browser. */
export const BROWSING = ['audit', 'compare', 'capacity', 'doctor'] as const;
/** Commands that write reports. */
export const WRITING = ['audit', 'compare', 'analyze', 'capacity', 'trend', 'report', 'merge'] as const;
/** Commands that read a configuration file. */
export const CONFIGURED = [
  'audit',
  'compare',
  'analyze',
  'capacity',
  'trend',
  'report',
  'merge',
  'github',
  'doctor',
] as const;
