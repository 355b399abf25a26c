import { z } from 'zod';
import { inGroup, type OptionRecords } from '../option.ts';
import { parsed, text } from '../value-schemas.ts';
import { access } from './access.ts';

/** Names and values as an address has them: `flag=on&user=2`. */
const query = parsed(text('must be a query such as flag=on'), (given) => {
  const plain = given.replace(/^\?/, '');
  return /^[^\s#?]+$/.test(plain)
    ? { value: plain }
    : { problem: 'must be a query such as flag=on, without spaces and #' };
});

/** What only one side of a comparison gets: then both sides may be the same address. */
const COMPARING = { commands: ['compare'] } as const;
const { short: _short, brief: _brief, default: _headers, ...header } = access.header;
const { default: _cookies, ...cookie } = access.cookie;
const { default: _patterns, ...block } = access.block;

/** Records of both sides; each name says for which it is. */
export const sides = inGroup('Access', {
  baseHeader: { ...header, description: 'the same as --header, only for the base; repeatable', ...COMPARING },
  candidateHeader: { ...header, description: 'the same, only for the candidate', ...COMPARING },
  baseCookie: { ...cookie, description: 'the same as --cookie, only for the base; repeatable', ...COMPARING },
  candidateCookie: { ...cookie, description: 'the same, only for the candidate', ...COMPARING },
  baseBlock: { ...block, description: 'the same as --block, only for the base; repeatable', ...COMPARING },
  candidateBlock: { ...block, description: 'the same, only for the candidate', ...COMPARING },
  baseQuery: {
    argument: '<query>',
    description: 'query that is added to the address of the base: flag=off',
    kind: 'text',
    schema: query,
    ...COMPARING,
  },
  candidateQuery: {
    argument: '<query>',
    description: 'the same for the candidate: flag=on',
    kind: 'text',
    schema: query,
    ...COMPARING,
  },
  baseScriptBefore: {
    argument: '<file>',
    description: 'module with before(page), run before each load of the base instead of --script',
    kind: 'text',
    schema: access.script.schema as z.ZodType<string>,
    isPath: true,
    ...COMPARING,
  },
  candidateScriptBefore: {
    argument: '<file>',
    description: 'the same for the candidate',
    kind: 'text',
    schema: access.script.schema as z.ZodType<string>,
    isPath: true,
    ...COMPARING,
  },
} as const satisfies OptionRecords);
