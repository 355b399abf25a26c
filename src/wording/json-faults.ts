import type { JsonFault, JsonPart } from '../core/read-json.ts';

const PARTS: Readonly<Record<JsonPart, string>> = {
  value: 'a value',
  name: 'a property name in double quotes',
  colon: 'a colon',
  'comma-or-brace': 'a comma or "}"',
  'comma-or-bracket': 'a comma or "]"',
  nothing: 'nothing',
};

/** Why a text is not JSON, a clause. */
export function jsonFaultInWords(fault: JsonFault): string {
  switch (fault.code) {
    case 'cut':
      return `it ends where ${PARTS[fault.wanted]} is expected`;
    case 'function-call':
      return `it is a function call (HARP, JSONP): remove "${fault.start}" at the beginning and ")" at the end`;
    case 'cut-in-text':
      return 'it ends in the middle of a string';
    case 'bad-text':
      return 'a string with a character that is not allowed in it';
    case 'not-a-number':
      return `${fault.word} is not JSON, write null or −1`;
    case 'unexpected':
      return `expected ${PARTS[fault.wanted]} before ${JSON.stringify(fault.found)}`;
    case 'after-the-end':
      return 'something after the end';
  }
}
