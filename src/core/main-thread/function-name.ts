import type { NamedPlace } from '../../model/main-thread.ts';

/**
 * What a function is called, before it was minified where that is known. In a file of its own: the report's script has it,
 * too, and nothing of what finds functions.
 */
export function nameOfFunction({ name, source }: Pick<NamedPlace, 'name' | 'source'>): string {
  return source?.name ?? name;
}
