/** Scripts with which shells complete commands, options and their values. */

import { OPTIONS, type Option, optionsFor } from '../settings/options.ts';
import type { Command } from './command.ts';
import { visible } from './help.ts';

/** Shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** A word behind a command, with what it means. */
interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** A first word, and what may follow it. */
interface Completed extends Word {
  readonly options: readonly Option[];
  /** Words that may follow it; files when there are none. */
  readonly next: readonly Word[];
}

/** The script of a shell. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](completed(visible(commands)));
}

function completed(commands: readonly Command[]): readonly Completed[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const known = firsts.map((word): Completed => {
    const own = commands.filter(({ name }) => name.split(' ')[0] === word);
    const meaning = own[0]?.summary ?? '';
    const second = own.flatMap(({ name, summary }) => {
      const next = name.split(' ')[1];
      return next === undefined ? [] : [{ word: next, meaning: summary }];
    });
    const next = word === 'completion' ? SHELLS.map((shell) => ({ word: shell, meaning: '' })) : second;
    return { word, meaning, next, options: own.flatMap(({ options }) => (options ? optionsFor(options) : [])) };
  });
  const next = [...known, { word: 'all', meaning: 'all commands and options' }];
  return [...known, { word: 'help', meaning: 'the commands, or all options of one command', options: [], next }];
}

/** Words with which an option is typed: "-n", "--runs". */
const typed = ({ short, flag }: Option): readonly string[] => [...(short === undefined ? [] : [`-${short}`]), flag];

const words = (all: readonly Word[]): string => all.map(({ word }) => word).join(' ');

function bash(commands: readonly Completed[]): string {
  const choices = OPTIONS.filter(({ choices }) => choices !== undefined);
  return `# Completion of quiesce for bash, from "quiesce completion bash".
_quiesce() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      ${commands.map(({ word }) => word).join('|')}) command="\${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$before" in
${choices.map((option) => `    ${typed(option).join('|')}) words="${option.choices?.join(' ')}" ;;`).join('\n')}
    ${OPTIONS.filter(({ argument, choices }) => argument?.startsWith('<') && choices === undefined)
      .flatMap(typed)
      .join('|')}) COMPREPLY=(); return ;;
  esac
  if [[ -z "$words" ]]; then
    case "$command" in
      "") words="${words(commands)}"; [[ "$current" == -* ]] && words="--help --version" ;;
${commands
  .map(({ word, next, options }) => {
    const flags = [...options.flatMap(typed), '--help'].join(' ');
    return `      ${word}) if [[ "$current" == -* ]]; then words="${flags}"; else words="${words(next)}"; fi ;;`;
  })
  .join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Without a word of ours, files.
complete -o bashdefault -o default -F _quiesce quiesce
`;
}

function zsh(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const described = ({ word, meaning }: Word): string =>
    quoted(`${word.replaceAll(':', '\\:')}${meaning === '' ? '' : `:${meaning.replaceAll(':', '\\:')}`}`);
  const list = (all: readonly Word[]): string => `(${all.map(described).join(' ')})`;
  const flags = (options: readonly Option[]): readonly Word[] =>
    options.flatMap((option) => typed(option).map((word) => ({ word, meaning: option.description })));
  return `#compdef quiesce
# Completion of quiesce for zsh, from "quiesce completion zsh".
_quiesce() {
  local current="\${words[CURRENT]}" before="\${words[CURRENT-1]}" command="" word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$word" in
      ${commands.map(({ word }) => word).join('|')}) command="$word"; break ;;
    esac
  done
  case "$before" in
${OPTIONS.filter(({ choices }) => choices !== undefined)
  .map((option) => `    ${typed(option).join('|')}) compadd -- ${option.choices?.map(quoted).join(' ')}; return ;;`)
  .join('\n')}
    ${OPTIONS.filter(({ argument, choices }) => argument?.startsWith('<') && choices === undefined)
      .flatMap(typed)
      .join('|')}) _files; return ;;
  esac
  if [[ -z "$command" ]]; then
    found=${list(commands)}
    _describe 'command' found
    return
  fi
  case "$command" in
${commands
  .map(
    ({ word, next, options }) =>
      `    ${word}) if [[ "$current" == -* ]]; then found=${list(flags(options))}; else found=${list(next)}; fi ;;`,
  )
  .join('\n')}
  esac
  if (( \${#found} )); then _describe 'word' found; else _files; fi
}
if [[ "\${funcstack[1]}" == "_quiesce" ]]; then _quiesce "$@"; else compdef _quiesce quiesce; fi
`;
}

function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const first = commands.map(
    ({ word, meaning }) => `complete -c quiesce -n __fish_use_subcommand -f -a ${word} -d ${quoted(meaning)}`,
  );
  const after = commands.flatMap(({ word, next, options }) => {
    const condition = `-n '__fish_seen_subcommand_from ${word}'`;
    const following = next.map(
      (each) => `complete -c quiesce ${condition} -f -a ${each.word} -d ${quoted(each.meaning)}`,
    );
    const own = options.map(({ flag, short, argument, choices, description }) =>
      [
        `complete -c quiesce ${condition} -l ${flag.slice(2)}`,
        ...(short === undefined ? [] : [`-s ${short}`]),
        ...(choices === undefined ? (argument?.startsWith('<') ? ['-r'] : []) : [`-x -a ${quoted(choices.join(' '))}`]),
        `-d ${quoted(description)}`,
      ].join(' '),
    );
    return [...following, ...own];
  });
  return ['# Completion of quiesce for fish, from "quiesce completion fish".', ...first, ...after, ''].join('\n');
}
