import { messageFor } from '../messages/messages.ts';
import { andMore } from '../text/format.ts';

/** HARs of a target that cannot be read: its runs have no waterfall. There is one at least. */
export function harsGone(files: readonly string[], target: string): string {
  const [first = ''] = files;
  if (files.length === 1) return messageFor('har-gone', { path: first, detail: 'its waterfall is' });
  const path = `${first} ${andMore(files.length - 1)} of ${target}`;
  return messageFor('har-gone', { path, detail: 'their waterfalls are' });
}

/** A target whose result names no HAR. */
export function noHars(target: string): string {
  return `${target}: no HAR was kept, so there is no waterfall.`;
}

/** Pictures that cannot be read. There is one at least. */
export function picturesGone([first = '', ...others]: readonly string[]): string {
  const what = others.length > 0 ? ` ${andMore(others.length)} cannot be read: they are` : ' cannot be read: it is';
  return `${first}${what} left out.`;
}
