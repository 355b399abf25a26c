import { BAD_FIGURE, readCsv } from './csv.ts';
import { type ImportedLevel, isPossible } from './imported-level.ts';
import { readJson } from './json.ts';

/** What a file of another tool holds. */
export interface Imported {
  /** 'k6', 'autocannon', or 'a table'. */
  readonly tool: string;
  readonly levels: readonly ImportedLevel[];
}

/** Why a file cannot be read, a clause. */
export interface ImportProblem {
  readonly problem: string;
}

/** Reads what another tool measured, by what is in the file. */
export function readImport(text: string): Imported | ImportProblem {
  const read = readTool(text);
  return 'problem' in read || read.levels.every(isPossible) ? read : { problem: `it ${BAD_FIGURE}` };
}

function readTool(text: string): Imported | ImportProblem {
  const content = text.replace(/^\ufeff/, '').trim();
  if (content === '') return { problem: 'it is empty' };
  if (/^[[{]/.test(content)) {
    const json = parsed(content);
    return (json !== undefined && readJson(json)) || { problem: 'it is not the JSON summary of k6 or autocannon' };
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
