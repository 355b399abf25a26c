import { COMMENT, shapeOfProtobuf, shapeOfText } from '../background/content/message-shape.ts';
import { bytesOfBase64 } from '../text/base64.ts';

/** A part of a body that is read while it comes: an event, a line or a piece. */
interface BodyPart {
  readonly bytes: number;
  readonly shape: string;
  readonly places: readonly string[];
  readonly wider?: readonly string[];
  readonly fields?: readonly string[];
}

/** Splits a body into its parts as it arrives. */
export interface BodyStream {
  /** Takes the next bytes; returns the parts that are whole now. */
  add(bytes: Uint8Array): readonly BodyPart[];
}

/** Types that are written for readers of parts. Sources: HTML (event streams), ndjson.org, RFC 7464 (JSON sequences), React. */
const STREAM_TYPE =
  /^(?:text\/event-stream|application\/(?:x-)?(?:nd-?json|jsonl(?:ines)?|json-seq|stream\+json|json-lines)|text\/(?:plain|markdown|x-ndjson|x-component))\b/i;
/** Types whose messages are framed: a byte of flags and four of length before each. Sources: gRPC-Web, Connect. */
const FRAMED_TYPE = /^application\/(?:grpc-web|connect)\b/i;
/** A part that does not end is no part: what is longer is cut into pieces, characters. */
const LONGEST_PART = 65_536;

/** Is this an answer whose body may be read part by part? One that says how long it is comes whole. */
export function isBodyStream(mimeType: string, headers: Readonly<Record<string, string>>): boolean {
  const isWhole = Object.keys(headers).some((name) => name.toLowerCase() === 'content-length');
  return !isWhole && (STREAM_TYPE.test(mimeType) || FRAMED_TYPE.test(mimeType));
}

/** A splitter for bodies of this type. */
export function createBodyStream(mimeType: string): BodyStream {
  if (FRAMED_TYPE.test(mimeType)) return createFramedStream(mimeType);
  const decoder = new TextDecoder();
  const isEvents = /^text\/event-stream/i.test(mimeType);
  const end = isEvents ? /\r\n\r\n|\n\n|\r\r/ : /\r?\n/;
  const isPieces = /^text\/(?:plain|markdown)/i.test(mimeType);
  let rest = '';
  return {
    add(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      if (isPieces) return text === '' ? [] : [{ bytes: bytes.length, ...shapeOfText(text) }];
      rest += text;
      const parts: BodyPart[] = [];
      for (let found = end.exec(rest); found !== null || rest.length > LONGEST_PART; found = end.exec(rest)) {
        const part = rest.slice(0, found?.index ?? LONGEST_PART);
        rest = rest.slice(part.length + (found?.[0].length ?? 0));
        if (part.trim() === '') continue;
        parts.push({ bytes: part.length, ...(isEvents ? ofEvent(part) : shapeOfText(part)) });
      }
      return parts;
    },
  };
}

/** A flag and the length of what follows, bytes. */
const FRAME_HEAD = 5;
/** Four characters of base64 are three bytes, and may have an end of their own. */
const BASE64_GROUP = 4;

function createFramedStream(mimeType: string): BodyStream {
  const isBase64 = /^application\/grpc-web-text/i.test(mimeType);
  const isJson = /\+json\b/i.test(mimeType);
  let text = '';
  let rest: Uint8Array = new Uint8Array();
  const decoded = (bytes: Uint8Array): Uint8Array => {
    if (!isBase64) return bytes;
    text += new TextDecoder().decode(bytes);
    const whole = text.slice(0, text.length - (text.length % BASE64_GROUP));
    text = text.slice(whole.length);
    // Each frame may be encoded by itself, with padding at its end.
    const groups = whole.match(/[^=]+=*/g) ?? [];
    return Uint8Array.from(groups.flatMap((group) => [...bytesOfBase64(group)]));
  };
  return {
    add(bytes) {
      rest = Uint8Array.from([...rest, ...decoded(bytes)]);
      const parts: BodyPart[] = [];
      while (rest.length >= FRAME_HEAD) {
        const end = FRAME_HEAD + new DataView(rest.buffer).getUint32(1);
        if (rest.length < end && rest.length <= LONGEST_PART) break;
        parts.push({
          bytes: Math.min(end, rest.length),
          ...ofFrame(rest[0] ?? 0, rest.subarray(FRAME_HEAD, end), isJson),
        });
        rest = rest.slice(end);
      }
      return parts;
    },
  };
}

/** Its flags tell messages from what ends a stream. */
function ofFrame(flags: number, body: Uint8Array, isJson: boolean): Omit<BodyPart, 'bytes'> {
  const shape = isJson ? shapeOfText(new TextDecoder().decode(body)) : shapeOfProtobuf(body);
  const { shape: own, places } = shape ?? { shape: `bytes ${Math.floor(Math.log2(body.length + 1) / 4)}`, places: [] };
  return { shape: `frame ${flags} ${own}`, places };
}

/** One event of an event stream. */
function ofEvent(event: string): Omit<BodyPart, 'bytes'> {
  const lines = event.split(/\r\n|\n|\r/);
  const field = (name: string): readonly string[] =>
    lines.flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : []));
  const data = field('data');
  const name = field('event').at(-1);
  if (data.length === 0) return name === undefined ? { shape: COMMENT, places: [] } : shapeOfText('', name);
  return shapeOfText(data.join('\n'), name);
}
