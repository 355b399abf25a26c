import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'vite';
import { describe, expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Who may import whom. A folder may always import from itself; `packages` are the npm and node: modules it may name. */
const MAY_IMPORT: readonly {
  readonly from: string;
  readonly to: readonly string[];
  readonly packages: 'any' | readonly string[];
  /** Packages of which only `import type` is allowed: nothing of them is there when the code runs. */
  readonly typesOf?: readonly string[];
  readonly because: string;
}[] = [
  { from: 'model', to: [], packages: [], because: 'the words that everything else is written in' },
  {
    from: 'core',
    to: ['model'],
    // Plain functions over JSON, over source maps, over packed bytes, over pixels, over XML, and over names of hosts.
    packages: [
      '@jridgewell/trace-mapping',
      'fflate',
      'pixelmatch',
      'sax',
      'third-party-web/dist/entities-nostats.json',
      'tldts',
    ],
    typesOf: [
      'devtools-protocol',
      'devtools-protocol/types/protocol.d.ts',
      'devtools-protocol/types/protocol-mapping.d.ts',
      'har-format',
    ],
    because: 'judgement must give the same answer in a test, a browser tab and next year',
  },
  {
    from: 'result',
    to: ['model', 'core'],
    packages: [],
    because: 'what a stored result says is read off it in one place, by every reporter alike',
  },
  {
    from: 'wording',
    to: ['model', 'core', 'result'],
    packages: [],
    because: 'the only place where facts become sentences',
  },
  {
    from: 'report',
    to: ['model', 'core', 'result', 'wording'],
    packages: [],
    because: 'what is shown of a result, and in which words, is decided once, for every format',
  },
  {
    from: 'reporters',
    // Small functions over values that are there: they decide nothing.
    to: [
      'model',
      'result',
      'wording',
      'report',
      'core/counted-runs.ts',
      'core/time/median.ts',
      'core/text/defined.ts',
      'core/metrics/figure.ts',
    ],
    // Of Node only pure functions: hashes, packed bytes, and the styles of a terminal.
    packages: [
      'preact',
      'preact/hooks',
      'preact/jsx-runtime',
      'preact-render-to-string',
      'node:crypto',
      'node:util',
      'node:zlib',
    ],
    because: 'a report shows what was decided; it must not be able to decide again',
  },
  {
    from: 'browser',
    to: ['model', 'core', 'wording', 'shell'],
    packages: 'any',
    because: 'everything that speaks to Chrome, and nothing that knows of jobs or reports',
  },
  {
    from: 'shell',
    to: ['model', 'core', 'wording'],
    packages: 'any',
    because: 'effects stay thin and know nothing of jobs, reports or flags',
  },
  {
    from: 'settings',
    to: [
      'model',
      'core',
      'wording',
      'browser/context/known-devices.ts',
      'shell/disk/cache-folder.ts',
      'shell/disk/read-pieces.ts',
      'reporters/formats.ts',
    ],
    packages: 'any',
    because: 'the only place that reads argument texts, the environment and configuration files',
  },
  {
    from: 'jobs',
    to: ['model', 'core', 'result', 'wording', 'report', 'reporters', 'browser', 'shell', 'settings'],
    packages: 'any',
    because: 'the only place where judgement and effects meet',
  },
  {
    from: 'cli',
    to: ['settings', 'jobs', 'report', 'reporters', 'wording', 'model', 'core/har/redact.ts'],
    packages: 'any',
    because: 'arguments in, text out; what it does, the library can do as well',
  },
  {
    from: 'api.ts',
    to: ['settings', 'jobs', 'model', 'core/text/defined.ts'],
    packages: [],
    because: 'the front door of the library: reads options, starts jobs, and does nothing else',
  },
  {
    from: 'index.ts',
    to: ['api.ts', 'jobs', 'wording', 'core', 'model', 'browser/script', 'reporters/formats.ts'],
    packages: [],
    because: 'the public API joins exports and does nothing itself',
  },
  {
    from: 'core.ts',
    to: ['core', 'model', 'wording', 'jobs/analyze/judge-har.ts'],
    packages: [],
    because: 'the judgement by itself and its words, for those who embed it',
  },
];

/** Names that a pure folder never speaks: each is a clock, a dice, a wire or a screen. */
const IMPURE = [
  'Date.now',
  'new Date()',
  'Math.random',
  'performance.now',
  'crypto',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
  'console',
  'fetch',
  'require',
];
const PURE = ['model', 'core', 'result', 'wording', 'report', 'reporters'];

/** Names that say nothing about what is in a file. */
const EMPTY_NAMES = ['data', 'info', 'manager', 'helper', 'helpers', 'util', 'utils', 'process', 'common', 'misc'];

/** In one folder of src. */
const MOST_FILES = 25;

interface Source {
  /** From src/, with forward slashes. */
  readonly path: string;
  readonly imports: readonly string[];
  /** Those that are more than types. */
  readonly runtimeImports: readonly string[];
  /** Those that are only needed once the code runs. */
  readonly lazyImports: readonly string[];
  readonly names: ReadonlySet<string>;
  readonly isTypesOnly: boolean;
}

const sources = listFiles('').map(parse);

describe('who may import whom', () => {
  test.each(MAY_IMPORT)('$from imports only what it may: $because', ({ from, to, packages, typesOf }) => {
    const wrong = sources
      .filter((source) => isIn(source.path, from))
      .flatMap((source) => source.imports.map((specifier) => ({ source, specifier })))
      .filter(({ source, specifier }) => {
        if (!specifier.startsWith('.')) {
          const typesOnly = typesOf?.includes(specifier) === true && !source.runtimeImports.includes(specifier);
          return packages !== 'any' && !packages.includes(specifier) && !typesOnly;
        }
        const target = resolveImport(source.path, specifier);
        return !isIn(target, from) && !to.some((allowed) => isIn(target, allowed));
      })
      .map(({ source, specifier }) => `${source.path} imports ${specifier}`);
    expect(wrong).toEqual([]);
  });

  test('every file belongs to a row of the table', () => {
    const homeless = sources.filter((source) => !MAY_IMPORT.some(({ from }) => isIn(source.path, from)));
    expect(homeless.map((source) => source.path)).toEqual([]);
  });

  test('relative imports name a file that is there, with its extension', () => {
    const known = new Set(sources.map((source) => source.path));
    const lost = sources.flatMap((source) =>
      source.imports
        .filter((specifier) => specifier.startsWith('.') && !specifier.endsWith('.json'))
        .filter((specifier) => !known.has(resolveImport(source.path, specifier)))
        .map((specifier) => `${source.path} imports ${specifier}`),
    );
    expect(lost).toEqual([]);
  });

  test('no file imports itself in a circle', () => {
    expect(circles()).toEqual([]);
  });

  test('no room of core leads back to itself through others', () => {
    const room = (path: string): string => path.split('/').slice(0, 2).join('/');
    const core = sources.filter((source) => isIn(source.path, 'core')).map((source) => source.path);
    const inCore = new Set(core);
    const targets = new Map<string, string[]>();
    for (const [path, imported] of importsByFile()) {
      if (!inCore.has(path)) continue;
      const others = imported.filter((target) => inCore.has(target)).map(room);
      targets.set(room(path), [...(targets.get(room(path)) ?? []), ...others.filter((to) => to !== room(path))]);
    }
    expect(circles(targets)).toEqual([]);
  });
});

// Reading the code that speaks to Chrome takes longer than these commands do.
test.each([
  'cli/main.ts',
  'jobs/github/github.ts',
  'jobs/init/init.ts',
  'jobs/merge/merge.ts',
  'jobs/report/report.ts',
  'jobs/trend/trend.ts',
])('%s loads no code that speaks to Chrome', (entry) => {
  const loaded = new Set([entry]);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  for (const path of loaded) {
    const { runtimeImports = [], lazyImports = [] } = byPath.get(path) ?? {};
    for (const specifier of runtimeImports.filter((it) => it.startsWith('.') && !lazyImports.includes(it))) {
      loaded.add(resolveImport(path, specifier));
    }
  }
  // A list of devices, which is data.
  loaded.delete('browser/context/known-devices.ts');
  expect([...loaded].filter((path) => isIn(path, 'browser'))).toEqual([]);
});

describe('what is pure stays pure', () => {
  test.each(PURE)('%s names no clock, chance, timer, process or console', (folder) => {
    const wrong = sources
      .filter((source) => isIn(source.path, folder))
      .flatMap((source) => IMPURE.filter((name) => source.names.has(name)).map((name) => `${source.path}: ${name}`));
    expect(wrong).toEqual([]);
  });

  test('model holds types, and the lists that types are read off', () => {
    const wrong = sources.filter((source) => isIn(source.path, 'model') && !source.isTypesOnly);
    expect(wrong.map((source) => source.path)).toEqual([]);
  });
});

test('a folder has few enough files to look through', () => {
  const counts = new Map<string, number>();
  for (const file of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) counts.set(file.parentPath, (counts.get(file.parentPath) ?? 0) + 1);
  }
  const crowded = [...counts].filter(([, count]) => count > MOST_FILES);
  expect(crowded.map(([folder, count]) => `${folder.slice(SRC.length)}: ${count}`)).toEqual([]);
});

test('no file is named after nothing', () => {
  const empty = sources.filter(({ path }) => EMPTY_NAMES.includes(basename(path).replace(/(\.d)?\.tsx?$/, '')));
  expect(empty.map(({ path }) => path)).toEqual([]);
});

test('the parser sees every kind of import, and no comment', () => {
  const source = parseText(
    'example.ts',
    `// import './comment.ts'; Date.now()
     import type { A } from './type.ts';
     import b, { type C } from './value.ts';
     export * from './star.ts';
     export { d } from './named.ts';
     type Q = import('./inline.ts').T;
     const text = "import './string.ts'; Math.random()";
     const late = () => import('./late.ts');
     const mine = { process: 1 }.process;
     setTimeout(() => globalThis.console.log(performance.now(), new Date()), 1);`,
  );
  expect(source.imports.toSorted()).toEqual(
    ['./inline.ts', './late.ts', './named.ts', './star.ts', './type.ts', './value.ts'].toSorted(),
  );
  expect(source.runtimeImports.toSorted()).toEqual(['./late.ts', './named.ts', './star.ts', './value.ts']);
  expect(source.lazyImports).toEqual(['./late.ts']);
  expect(IMPURE.filter((name) => source.names.has(name))).toEqual([
    'new Date()',
    'performance.now',
    'setTimeout',
    'console',
  ]);
});

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(SRC, folder)).flatMap((name) => {
    const path = posix.join(folder, name);
    if (statSync(join(SRC, path)).isDirectory()) return listFiles(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

function parse(path: string): Source {
  return parseText(path, readFileSync(join(SRC, path), 'utf8'));
}

function parseText(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const imports = new Set<string>();
  const runtimeImports = new Set<string>();
  const lazyImports = new Set<string>();
  const names = new Set<string>();
  // Property names are no names of globals: `{ process: 1 }`, `row.process`.
  const properties = new Set<unknown>();
  const add = (node: { value?: unknown } | null | undefined, isType: boolean) => {
    if (typeof node?.value !== 'string') return;
    imports.add(node.value);
    if (!isType) runtimeImports.add(node.value);
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => {
      const source = node.source as { value?: unknown };
      add(source, false);
      if (typeof source.value === 'string') lazyImports.add(source.value);
    },
    TSImportType: (node) => add(node.source, true),
    Property: (node) => {
      if (!node.computed && !node.shorthand) properties.add(node.key);
    },
    TSPropertySignature: (node) => {
      properties.add(node.key);
    },
    MemberExpression: (node) => {
      if (node.computed) return;
      properties.add(node.property);
      if (node.object.type !== 'Identifier') return;
      names.add(`${node.object.name}.${(node.property as { name: string }).name}`);
      if (['globalThis', 'window', 'self'].includes(node.object.name)) {
        names.add((node.property as { name: string }).name);
      }
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        names.add('new Date()');
      }
    },
    Identifier: (node) => {
      if (!properties.has(node)) names.add(node.name);
    },
  }).visit(program);
  const isTypesOnly = program.body.every(
    (node) =>
      (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
      (node.type === 'ExportNamedDeclaration' && node.exportKind === 'type') ||
      (node.type === 'ExportAllDeclaration' && node.exportKind === 'type') ||
      node.type === 'TSInterfaceDeclaration' ||
      node.type === 'TSTypeAliasDeclaration' ||
      isList(node.type === 'ExportNamedDeclaration' ? node.declaration : node),
  );
  return {
    path,
    imports: [...imports],
    runtimeImports: [...runtimeImports],
    lazyImports: [...lazyImports],
    names,
    isTypesOnly,
  };
}

type Statement = ReturnType<typeof parseSync>['program']['body'][number];

/** `const X = … as const satisfies …`, which computes nothing. */
function isList(node: Statement | null): boolean {
  if (node?.type !== 'VariableDeclaration' || node.kind !== 'const') return false;
  return node.declarations.every(({ init }) => init?.type === 'TSSatisfiesExpression');
}

function resolveImport(from: string, specifier: string): string {
  return posix.normalize(posix.join(dirname(from), specifier));
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The files that each file imports, at once or later. */
function importsByFile(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter((it) => it.startsWith('.')).map((it) => resolveImport(path, it)),
    ]),
  );
}

function circles(targets = importsByFile()): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.push([...trail.slice(start), path].join(' → '));
      return;
    }
    if (done.has(path)) return;
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of targets.keys()) visit(path, []);
  return found;
}
