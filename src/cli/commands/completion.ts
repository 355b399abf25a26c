import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';
import { completionScript, SHELLS } from '../completion.ts';

/** `quiesce completion <shell>`. `all`: the list of commands, which has this one in it. */
export const completion = (all: () => readonly Command[]): Command => ({
  name: 'completion',
  argument: '<shell>',
  summary: 'print completion for bash, zsh or fish',
  details:
    'Prints a script for your shell. It completes commands, options and their values, and files everywhere else. Write it ' +
    'to where your shell looks for such scripts, and start a new shell.',
  examples: [
    ['quiesce completion bash > ~/.local/share/bash-completion/completions/quiesce', 'with bash-completion'],
    ['quiesce completion zsh > ~/.zfunc/_quiesce', 'if ~/.zfunc is in your fpath'],
    ['quiesce completion fish > ~/.config/fish/completions/quiesce.fish', 'for fish'],
  ],
  async run(words, _given, world) {
    const [word, ...more] = words;
    const shell = SHELLS.find((each) => each === word);
    if (shell === undefined || more.length > 0) {
      throw new QuiesceError('completion-unknown', { detail: words.join(' '), suggestion: SHELLS.join(', ') });
    }
    world.stdout.write(completionScript(shell, all()));
    return 0;
  },
});
