import type { Settings } from '../model/result.ts';
import { kebabCase } from '../wording/kebab-case.ts';

/** What a command names again: which builds, and the conditions that they are loaded under. */
const REPEATED_OPTIONS = ['baseRef', 'build', 'dist', 'device', 'network', 'cpu', 'view', 'script'] as const;
/** What a command need not say. */
const USUAL: Readonly<Record<string, unknown>> = { device: 'desktop', network: 'none', cpu: 1, view: 'cold' };

/** The command that measures the same again, as it is typed. Headers, cookies and logins are left out: they may be secret. */
export function commandOf(name: 'audit' | 'compare', targets: readonly string[], settings: Settings): string {
  // A comparison with a branch finds its targets itself.
  const named = settings.baseRef === undefined ? targets : [];
  const options = REPEATED_OPTIONS.flatMap((key) => {
    const value = settings[key];
    if (value === undefined || value === null || value === USUAL[key]) return [];
    return [`--${kebabCase(key)}`, quoted(String(value))];
  });
  // Behind "--" a target may begin with "-".
  const isOptionLike = named.some((target) => target.startsWith('-'));
  const words = named.map(quoted);
  return ['quiesce', name, ...(isOptionLike ? [...options, '--', ...words] : [...words, ...options])].join(' ');
}

/** A word of a shell's line; in quotes where it would be more than one, or more than a word. */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
