import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/**
 * Holds that a text is the one in `tests/approved`. `vitest <test> -u` writes the file anew: its difference is what a reviewer reads.
 */
export async function expectApproved(name: string, text: string): Promise<void> {
  const file = new URL(`../approved/${name}.txt`, import.meta.url);
  await expect(`${text.trimEnd()}\n`).toMatchFileSnapshot(fileURLToPath(file));
}

/** What is said, below its titles. */
export interface Said {
  readonly [title: string]: string | undefined | readonly (string | undefined)[] | Said;
}

/** Sentences below their titles, as one text. */
export function outlined(said: Said, indent = ''): string {
  return Object.entries(said)
    .map(([title, texts]) => {
      const inside = `${indent}  `;
      const lines = [texts].flat() as readonly (string | undefined | Said)[];
      return `${indent}${title}\n${lines.map((each) => (typeof each === 'object' ? outlined(each, inside) : `${inside}${each === undefined || each === '' ? '(nothing)' : each}\n`)).join('')}`;
    })
    .join(indent === '' ? '\n' : '');
}

/** A fact without its code, which is the name of its row. */
type Rest<T, C> = T extends { readonly code: infer Own } ? (C extends Own ? Omit<T, 'code'> : never) : never;

/** Samples of every code of a kind of facts: a code without a row does not compile. */
export type Samples<T extends { readonly code: string }> = {
  readonly [C in T['code']]: readonly [Rest<T, C>, ...Rest<T, C>[]];
};

/** What is said of each sample, below its code and figures. */
export function wordsOf<T extends { readonly code: string }>(samples: Samples<T>, say: (fact: T) => string): Said {
  const rows = Object.entries(samples) as readonly (readonly [string, readonly object[]])[];
  return Object.fromEntries(
    rows.flatMap(([code, facts]) =>
      facts.map((fact) => [`${code} ${shown(fact)}`.trimEnd(), say({ code, ...fact } as T)]),
    ),
  );
}

/** Figures of a sample, none of an empty one. */
function shown(fact: object): string {
  const text = JSON.stringify(fact, (_, value) => (value instanceof Error ? value.message : value));
  return text === '{}' ? '' : text;
}

/**
 * The lines of a text that the usual one has not, and the other way round, each group below the line that it stands after;
 * the whole text where that is shorter.
 */
export function changedLines(usual: string, text: string): string {
  const [before, after] = [usual.split('\n'), text.split('\n')];
  // Lengths of the longest common parts from each pair of lines on.
  const width = after.length + 1;
  const common = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let stood: string | undefined = '(at the beginning)';
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    if (i < before.length && before[i] === after[j]) {
      stood = before[i] === '' ? stood : before[i];
      i += 1;
      j += 1;
      continue;
    }
    if (stood !== undefined) lines.push(`  ${stood}`);
    stood = undefined;
    if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${before[i++]}`);
    else lines.push(`+ ${after[j++]}`);
  }
  return lines.length < after.length ? `${lines.join('\n')}\n` : text;
}
