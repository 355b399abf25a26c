import { QuiesceError } from '../../wording/messages.ts';
import type { Command } from '../command.ts';
import { completionScript, SHELLS } from '../completion.ts';

/** `quiesce completion <shell>` */
export const completion: Command = {
  name: 'completion',
  argument: '<shell>',
  summary: 'print completion for bash, zsh or fish',
  details:
    'Prints a script for your shell. It completes commands, options and their values, and files everywhere else. Load it ' +
    'in ~/.bashrc or ~/.zshrc, or write it to ~/.config/fish/completions/quiesce.fish.',
  examples: [
    ['source <(quiesce completion bash)', 'in ~/.bashrc'],
    ['source <(quiesce completion zsh)', 'in ~/.zshrc, after compinit'],
    ['quiesce completion fish | source', 'for this session'],
  ],
  async run(words, _given, world) {
    const [word, ...more] = words;
    const shell = SHELLS.find((each) => each === word);
    if (shell === undefined || more.length > 0) {
      throw new QuiesceError('completion-unknown', { detail: words.join(' '), suggestion: SHELLS.join(', ') });
    }
    // The list of commands has this one in it.
    const { COMMANDS } = await import('./index.ts');
    world.stdout.write(completionScript(shell, COMMANDS));
    return 0;
  },
};
