/** The rules and thresholds of page complete, found in their source, and other versions of them for a try. */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const CORE = fileURLToPath(new URL('../../src/core/', import.meta.url));

/** Where the rules are. */
const ROOMS = ['background', 'background/content', 'background/detectors', 'completion', 'evidence', 'visual'] as const;
/** What reports show of a film, and what is said of an answer, decide nothing. */
const NO_RULES: ReadonlySet<string> = new Set([
  'draw-difference.ts',
  'empty.ts',
  'estimate.ts',
  'key-frames.ts',
  'mostly-complete.ts',
  'progress.ts',
  'shrink.ts',
  'learnt-policy.ts',
  'waiting-for.ts',
  'warm-up.ts',
]);
const FILES = [
  'rendering/painted.ts',
  'short-ending.ts',
  'time/completed-at.ts',
  'time/end-of-content.ts',
  'time/lags.ts',
  'time/last-between.ts',
] as const;

/** A function that says something of a page, or of a request. */
export interface Rule {
  /** File and function: `last-change/lastInFilm`. */
  readonly name: string;
  readonly file: string;
  /** Where it begins in the file: its declaration, and its name. */
  readonly start: number;
  readonly nameStart: number;
  readonly exported: boolean;
  /** What it gives when it is switched off, as code; `args` are its arguments. */
  readonly off: string;
  /** True of its result when it says something. */
  readonly says: string;
}

/** A number in the rules. */
export interface Threshold {
  /** File and constant: `last-change/FILMED_WITHIN_MS`. */
  readonly name: string;
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function sourceFiles(): readonly string[] {
  const inRooms = ROOMS.flatMap((room) =>
    readdirSync(path.join(CORE, room)).flatMap((file) =>
      file.endsWith('.ts') && !NO_RULES.has(file) ? [path.join(room, file)] : [],
    ),
  );
  return [...inRooms, ...FILES].map((file) => path.join(CORE, file));
}

const nameIn = (file: string, name: string): string => `${path.basename(file, '.ts')}/${name}`;

/** Reads all rules and thresholds. */
export function readRules(): { readonly rules: readonly Rule[]; readonly thresholds: readonly Threshold[] } {
  const rules: Rule[] = [];
  const thresholds: Threshold[] = [];
  for (const file of sourceFiles()) {
    const source = readFileSync(file, 'utf8');
    for (const statement of parseSync(file, source).program.body as unknown as readonly Node[]) {
      const exported = statement.type === 'ExportNamedDeclaration';
      const declaration = exported ? (statement.declaration as Node | null) : statement;
      if (declaration?.type === 'FunctionDeclaration') {
        const rule = ruleOf(declaration, source);
        if (rule) rules.push({ ...rule, name: nameIn(file, rule.name), file, start: statement.start, exported });
      }
      if (declaration?.type === 'VariableDeclaration' && declaration.kind === 'const') {
        thresholds.push(...thresholdsOf(declaration, file, source));
      }
    }
  }
  return { rules, thresholds };
}

function ruleOf(node: Node, source: string): Omit<Rule, 'file' | 'start' | 'exported'> | undefined {
  const {
    id,
    returnType,
    params,
    async: isAsync,
    generator,
  } = node as unknown as {
    readonly id: Node & { readonly name: string };
    readonly returnType: Node | null;
    readonly params: readonly Node[];
    readonly async: boolean;
    readonly generator: boolean;
  };
  if (!returnType || isAsync || generator) return undefined;
  const type = source.slice(returnType.start, returnType.end).replace(/^:\s*/, '');
  const [first] = params;
  const ofFirst = first && source.slice(first.start, first.end).replace(/^\w+\??:\s*/, '');
  const rule = { name: id.name, nameStart: id.start };
  if (type === 'boolean' || / is /.test(type)) return { ...rule, off: 'false', says: 'said === true' };
  if (/\| undefined$/.test(type)) return { ...rule, off: 'undefined', says: 'said !== undefined' };
  if (/^readonly .*\[\]$/.test(type)) {
    // What takes some of the same away is off when it takes nothing away.
    return ofFirst === type
      ? {
          ...rule,
          off: 'args[0]',
          says: 'said.length !== args[0].length || said.some((each, i) => each !== args[0][i])',
        }
      : { ...rule, off: '[]', says: 'said.length > 0' };
  }
  if (/^ReadonlySet</.test(type)) return { ...rule, off: 'new Set()', says: 'said.size > 0' };
  if (/^ReadonlyMap</.test(type)) return { ...rule, off: 'new Map()', says: 'said.size > 0' };
  return undefined;
}

function thresholdsOf(declaration: Node, file: string, source: string): readonly Threshold[] {
  const declarators = declaration.declarations as readonly (Node & { readonly id: Node; readonly init: Node | null })[];
  return declarators.flatMap(({ id, init }) => {
    const name = id.name as string | undefined;
    if (!name || !/^[A-Z][A-Z0-9_]*$/.test(name) || !init) return [];
    return numbersIn(init, name).flatMap(({ node, name: full }): readonly Threshold[] => {
      const value = numberOf(node, source);
      return value === undefined ? [] : [{ name: nameIn(file, full), file, start: node.start, end: node.end, value }];
    });
  });
}

/** Numbers in a constant, by their name: itself, or its properties. */
function numbersIn(node: Node, name: string): readonly { readonly node: Node; readonly name: string }[] {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return numbersIn(node.expression as Node, name);
  if (node.type === 'ObjectExpression') {
    return (node.properties as readonly Node[]).flatMap((property) => {
      const { key, value } = property as unknown as { readonly key?: Node; readonly value?: Node };
      const own = (key?.name ?? key?.value) as string | undefined;
      return own === undefined || !value ? [] : numbersIn(value, `${name}.${own}`);
    });
  }
  return [{ node, name }];
}

function numberOf({ type, start, end }: Node, source: string): number | undefined {
  const text = source.slice(start, end).replaceAll('_', '');
  if (!['Literal', 'BinaryExpression', 'UnaryExpression'].includes(type) || !/^[\d.eExXa-fA-F\s*/+()-]+$/.test(text)) {
    return undefined;
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Other rules than those in the source. */
export interface Variant {
  /** Rules that say nothing. */
  readonly without?: readonly Rule[];
  /** Thresholds with another value. */
  readonly with?: readonly (Threshold & { readonly other: number })[];
  /** Call `globalThis.saysSomething` with the name of each rule that says something. */
  readonly listen?: readonly Rule[];
}

/**
 * From now on modules are loaded like this.
 *
 * @param scope modules whose address ends in this are changed; those that they import end in it, too
 */
export function loadVariant({ without = [], with: others = [], listen = [] }: Variant, scope: string): void {
  const edits = new Map<string, { readonly at: number; readonly end: number; readonly text: string }[]>();
  const edit = (file: string, at: number, end: number, text: string): void => {
    edits.set(file, [...(edits.get(file) ?? []), { at, end, text }]);
  };
  const wrap = ({ file, start, nameStart, name, exported }: Rule, body: string): void => {
    const own = name.slice(name.indexOf('/') + 1);
    edit(file, start, nameStart + own.length, `function own_${own}`);
    edit(file, Number.POSITIVE_INFINITY, 0, `\n${exported ? 'export ' : ''}function ${own}(...args) { ${body} }`);
  };
  for (const rule of without) wrap(rule, `return ${rule.off};`);
  for (const rule of listen) {
    const own = rule.name.slice(rule.name.indexOf('/') + 1);
    wrap(
      rule,
      `const said = own_${own}(...args); if (${rule.says}) globalThis.saysSomething(${JSON.stringify(rule.name)}); return said;`,
    );
  }
  for (const { file, start, end, other } of others) edit(file, start, end, String(other));
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isOurs =
        context.parentURL?.endsWith(scope) && resolved.url.startsWith('file:') && resolved.url.endsWith('.ts');
      return isOurs ? { ...resolved, url: `${resolved.url}${scope}` } : resolved;
    },
    load(url, context, next) {
      const own =
        url.endsWith(scope) && url.startsWith('file:') ? edits.get(fileURLToPath(url.split('?')[0] ?? url)) : undefined;
      const loaded = next(url, context);
      if (!own) return loaded;
      let text = String(loaded.source);
      for (const { at, end, text: other } of own.toSorted((a, b) => b.at - a.at)) {
        text = Number.isFinite(at) ? text.slice(0, at) + other + text.slice(end) : text + other;
      }
      return { ...loaded, source: text };
    },
  });
}
