import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import type { SourcePlace } from '../../model/main-thread.ts';
import { ANONYMOUS } from './samples.ts';

/** Longest name of a map that is kept: a map inside of its script is its own name. */
export const LONGEST_MAP_NAME = 200;

/** Where a place of a script is in its source; lines and columns count from 1. Undefined where the map does not know. */
export type SourceLookup = (line: number, column: number) => SourcePlace | undefined;

/**
 * Reads a source map.
 *
 * @param text of the file: anything may stand in it
 * @returns undefined for what is none
 */
export function readSourceMap(text: string): SourceLookup | undefined {
  try {
    // Servers put this before JSON so that no page can run it as a script.
    const map = new FlattenMap(
      JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, '')) as ConstructorParameters<typeof FlattenMap>[0],
    );
    return (line, column) => {
      const found = originalPositionFor(map, { line, column: column - 1 });
      if (found.source === null) return undefined;
      // A function begins at its parameters for the engine, behind its name: what stands there is one step back.
      const { name, source } = originalPositionFor(map, { line, column: Math.max(0, column - 2) });
      return {
        ...ownedFile(found.source),
        line: found.line,
        ...(name !== null && source === found.source && { name }),
      };
    };
  } catch {
    return undefined;
  }
}

/** The source map that a script names at its end. */
export function mapNamedBy(script: string): string | undefined {
  return /\/[/*][#@]\s*sourceMappingURL=([^\s*]+)\s*(?:\*\/\s*)?$/.exec(script)?.[1];
}

/**
 * Where a function is in its source. What a map says before the parameters of a function is its name only if the engine
 * knows one, too: of a callback it is the name of what it was passed to, of which the parenthesis is the end.
 */
export function sourceOfFunction(
  lookup: SourceLookup | undefined,
  { name, line, column }: { readonly name: string; readonly line: number; readonly column: number },
): SourcePlace | undefined {
  const source = lookup?.(line, column);
  if (!source || name !== ANONYMOUS) return source;
  const { name: _ofAnother, ...rest } = source;
  return rest;
}

/** A source below its project: without the scheme and the name that bundlers put before it (`webpack://shop/./src/app.ts`), `../../`. */
function pathOf(source: string): string {
  return source
    .replaceAll('\\', '/')
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][\w+.-]*:(?:\/\/[^/]*)?\/*/i, '')
    .replace(/^\[project\]\//, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
}

/**
 * Where it is, and the npm package that it belongs to: the innermost, which a package may bring along itself. What is before
 * that is where a package manager put it, with the version: `.pnpm/chart@2.0.0/node_modules/chart/…`. Of two builds it
 * would be another file.
 */
function ownedFile(source: string): Pick<SourcePlace, 'file' | 'package'> {
  const path = pathOf(source);
  const inside = path.split(/(?:^|\/)node_modules\//).at(-1);
  if (inside === undefined || inside === path) return { file: path };
  // No package begins so: it is a bundler's own folder, such as `.vite/deps`. Source: npm docs, package.json, "name".
  const owner = /^((?:@[\w.-]+\/)?\w[\w.-]*)\//.exec(inside)?.[1];
  return { file: `node_modules/${inside}`, package: owner };
}
