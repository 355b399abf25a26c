import { type CsvProblem, readCsv } from './csv.ts';
import { type ImportedLevel, isPossible } from './imported-level.ts';
import { readJson } from './json.ts';

/** What a file of another tool holds. */
export interface Imported {
  /** 'k6', 'autocannon', or 'a table'. */
  readonly tool: string;
  readonly levels: readonly ImportedLevel[];
}

/** Why a file cannot be read. */
export type ImportProblem = { readonly problem: 'empty' | 'unknown-json' } | CsvProblem;

/** Reads what another tool measured, by what is in the file. */
export function readImport(text: string): Imported | ImportProblem {
  const read = readTool(text);
  return 'problem' in read || read.levels.every(isPossible) ? read : { problem: 'bad-figure' };
}

function readTool(text: string): Imported | ImportProblem {
  const content = text.replace(/^\ufeff/, '').trim();
  if (content === '') return { problem: 'empty' };
  if (/^[[{]/.test(content)) {
    const json = parsed(content);
    return (json !== undefined && readJson(json)) || { problem: 'unknown-json' };
  }
  const levels = readCsv(content);
  return 'problem' in levels ? levels : { tool: 'a table', levels };
}

/** One value, or one a line. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    try {
      return content.split(/\r?\n/).flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
    } catch {
      return undefined;
    }
  }
}
