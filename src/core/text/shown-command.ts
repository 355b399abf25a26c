/**
 * A line for the shell as it may be reported and stored: what variables are set to in it is left out, for that is how
 * passwords get into such lines, and so are values of options that sound like one.
 */
export function shownCommand(command: string): string {
  return command
    .replace(/(^|[\s;&|(])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S+)/g, '$1$2=[redacted]')
    .replace(
      /(--?[\w-]*(?:pass(?:word|wd)?|token|secret|key|auth|credential)[\w-]*)([= ]+)("[^"]*"|'[^']*'|[^\s-]\S*)/gi,
      '$1$2[redacted]',
    );
}
