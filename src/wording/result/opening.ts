/** Why `--open` opens nothing. */
export function openRefused(because: 'ci' | 'no-terminal'): string {
  const why = { ci: 'this is a CI job', 'no-terminal': 'the output is not a terminal' }[because];
  return `--open: the report was not opened, because ${why}.`;
}

/** That the report could not be opened. */
export const openFailed = (file: string): string => `--open: ${file} could not be opened. Open it in your browser.`;
