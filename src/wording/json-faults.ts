import type { JsonFault, JsonPart } from '../core/read-json.ts';

const PARTS: Readonly<Record<JsonPart, string>> = {
  value: 'a value',
  name: 'a name in double quotes',
  colon: 'a colon',
  'comma-or-brace': 'a comma or "}"',
  'comma-or-bracket': 'a comma or "]"',
  nothing: 'nothing',
};

/** Why a text is not JSON, a clause. */
export function jsonFaultInWords(fault: JsonFault): string {
  switch (fault.code) {
    case 'cut':
      return `it ends in the middle, where ${PARTS[fault.wanted]} has to come`;
    case 'function-call':
      return `it is a call of a function (HARP, JSONP), of which "${fault.start}" at the beginning and ")" at the end have to be removed`;
    case 'cut-in-text':
      return 'it ends in the middle of a text';
    case 'bad-text':
      return 'a text that holds what it must not';
    case 'not-a-number':
      return `${fault.word} is no JSON, write null or −1`;
    case 'unexpected':
      return `${JSON.stringify(fault.found)} where ${PARTS[fault.wanted]} has to come`;
    case 'after-the-end':
      return 'something after the end';
  }
}
