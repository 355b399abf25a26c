import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping';
import type { SourcePlace } from '../../model/main-thread.ts';

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
      const file = fileOf(found.source);
      const owner = packageOf(found.source);
      return {
        file,
        line: found.line,
        ...(name !== null && source === found.source && { name }),
        ...(owner !== undefined && { package: owner }),
      };
    };
  } catch {
    return undefined;
  }
}

/** Without what bundlers put before it: `webpack://shop/./src/app.ts`, `../../src/app.ts`. */
function fileOf(source: string): string {
  return source
    .replace(/^(?:webpack|rollup|vite|turbopack|parcel)[\w-]*:\/+(?:[^/]*\/(?=\.\/|node_modules\/|src\/))?/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/^(?:\.{1,2}\/)+/, '');
}

/** The npm package of a file: the innermost, which a package may bring along itself. */
function packageOf(source: string): string | undefined {
  const inside = source.split('node_modules/').at(-1);
  if (inside === undefined || inside === source) return undefined;
  // pnpm's folder is followed by the real one.
  return /^((?:@[\w.-]+\/)?[\w.-]+)\//.exec(inside)?.[1];
}
