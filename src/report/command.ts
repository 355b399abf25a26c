import type { Settings } from '../model/result/result.ts';
import { kebabCase } from '../wording/text/kebab-case.ts';

/** What a command names again: which builds and pages, their servers, and the conditions that they are loaded under. */
const REPEATED_OPTIONS = [
  'baseRef',
  'build',
  'dist',
  'serveCommand',
  'serveUrl',
  'setup',
  'pages',
  'device',
  'network',
  'cpu',
  'view',
  'storageState',
  'script',
] as const;
/** What a command need not say. */
const USUAL: Readonly<Record<string, unknown>> = { device: 'desktop', network: 'none', cpu: 1, view: 'cold' };

/** What only one side of a comparison got. Results have no values of headers, cookies and variables: these are to be filled in. */
const OF_ONE_SIDE = /^(?:base|candidate)(?:Header|Cookie|Block|Query|ScriptBefore|Env)$/;

/**
 * The command that measures the same again, as it is typed. Headers, cookies and logins of all loads are left out: they may
 * be secret.
 */
export function commandOf(name: 'audit' | 'compare', targets: readonly string[], settings: Settings): string {
  // A comparison with a branch finds its targets itself.
  const named = settings.baseRef === undefined ? targets : [];
  const keys = [...REPEATED_OPTIONS, ...Object.keys(settings).filter((key) => OF_ONE_SIDE.test(key))];
  const options = keys.flatMap((key) => {
    const value = settings[key];
    // An audit says its pages as targets.
    const isSaid = key === 'pages' && name === 'audit';
    if (value === undefined || value === null || value === USUAL[key] || isSaid) return [];
    return [value].flat().flatMap((each) => [`--${kebabCase(key)}`, quoted(String(each))]);
  });
  // Behind "--" a target may begin with "-".
  const isOptionLike = named.some((target) => target.startsWith('-'));
  const words = named.map(quoted);
  return ['quiesce', name, ...(isOptionLike ? [...options, '--', ...words] : [...words, ...options])].join(' ');
}

/** A word of a shell's line; in quotes where it would be more than one, or more than a word. */
const quoted = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
