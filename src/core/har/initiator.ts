import { INITIATORS, type Initiator, type StackFrame } from '../../model/network/network.ts';
import { url as address, clean, measured, type Writing } from '../har-codec.ts';
import { fields, list, optional, positive, text } from '../requests/har-fields.ts';

/** How a HAR keeps who asked for a request: in the form of CDP and DevTools, whose lines and columns count from 0. */
export const INITIATOR = { read: initiatorOf, write };

/** A line or a column, from 0. */
function placeIn(value: unknown): number | undefined {
  const number = positive(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
/** Who asked: browsertime writes an address, everybody else what CDP says, as JSON or as its text, with lines from 0. */
function initiatorOf(value: unknown): Initiator | undefined {
  if (typeof value === 'string' && value.startsWith('{')) return initiatorOf(parsed(value));
  if (typeof value === 'string' && value !== '') return { type: 'other', url: value };
  if (typeof value !== 'object' || value === null) return undefined;
  const initiator = fields(value);
  const name = text(initiator.type) ?? 'other';
  const line = placeIn(initiator.lineNumber);
  const stack: StackFrame[] = [];
  let scheduledBy: string | undefined;
  let trace: unknown = initiator.stack;
  for (let depth = 0; depth < DEEPEST_STACK && typeof trace === 'object' && trace !== null; depth += 1) {
    const { callFrames, description, parent } = fields(trace);
    if (depth > 0) scheduledBy ??= text(description);
    for (const item of list(callFrames)) {
      const frame = fields(item);
      stack.push({
        functionName: text(frame.functionName) ?? '',
        url: text(frame.url) ?? '',
        line: (placeIn(frame.lineNumber) ?? -1) + 1,
        column: (placeIn(frame.columnNumber) ?? -1) + 1,
      });
    }
    trace = parent;
  }
  return {
    type: name === 'SignedExchange' ? 'signed-exchange' : (INITIATORS.find((each) => each === name) ?? 'other'),
    ...optional('url', text(initiator.url)),
    ...(line !== undefined && { line: line + 1 }),
    ...(stack.length > 0 && { stack }),
    ...optional('scheduledBy', scheduledBy),
  };
}

/** chrome-har and WebPageTest write the initiator of CDP as text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Chrome keeps 32 asynchronous parents at most; more is no stack. */
const DEEPEST_STACK = 64;

function write({ type, url, line, scheduledBy, stack = [] }: Initiator, writing: Writing) {
  const from0 = (place: number | undefined): number => (measured(place) ?? 0) - 1;
  return {
    type: type === 'signed-exchange' ? 'SignedExchange' : type,
    url: url === undefined ? undefined : address.write(url, writing),
    lineNumber: measured(line) === undefined ? undefined : from0(line),
    // All frames stand in `callFrames`; `parent` only says what scheduled the script.
    ...((stack.length > 0 || scheduledBy !== undefined) && {
      stack: {
        callFrames: stack.map((frame) => ({
          functionName: clean(frame.functionName),
          scriptId: '',
          url: address.write(frame.url, writing),
          lineNumber: from0(frame.line),
          columnNumber: from0(frame.column),
        })),
        ...(scheduledBy !== undefined && { parent: { description: clean(scheduledBy), callFrames: [] } }),
      },
    }),
  };
}
