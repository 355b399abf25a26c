/** What a message of Protocol Buffers is like, as far as its bytes tell without its schema. */
export interface ProtobufShape {
  /** The numbers of its fields and how they are written, without their values. */
  readonly fields: string;
  /** The value of its first field, by convention the id of what the others tell; undefined where that is no id, or there are no others. */
  readonly first?: string | undefined;
}

/** Numbers of fields that messages of one's own have; random bytes soon have larger ones. */
const MAX_FIELD = 127;
/** Messages in messages deeper than this belong to the content. */
const MAX_DEPTH = 3;
/** A name, not a text. */
export const NAME = /^[\w.:/@-]{1,60}$/;

/**
 * Reads a whole message; undefined where the bytes are none.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
export function readProtobuf(bytes: Uint8Array, depth = 0): ProtobufShape | undefined {
  const fields = new Set<string>();
  let first: string | undefined;
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      if (factor > Number.MAX_SAFE_INTEGER / 128) break;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const key = varint();
    const [number, type] = [Math.floor(key / 8), key % 8];
    if (!(number >= 1 && number <= MAX_FIELD)) return undefined;
    let value: ProtobufShape | undefined;
    switch (type) {
      case 0: {
        const whole = varint();
        if (Number.isNaN(whole)) return undefined;
        value = { fields: 'n', first: String(whole) };
        break;
      }
      case 1:
      case 5:
        at += type === 1 ? 8 : 4;
        value = { fields: 'd' };
        break;
      case 2: {
        const length = varint();
        if (Number.isNaN(length)) return undefined;
        value = ofPart(bytes.subarray(at, at + length), depth + 1);
        at += length;
        break;
      }
      default:
        return undefined;
    }
    if (at > bytes.length) return undefined;
    if (fields.size === 0) first = value.first;
    fields.add(`${number}${value.fields}`);
  }
  // A field that stands alone tells of nothing else, but a message in a message may.
  const isId = fields.size > 1 || [...fields].some((field) => field.includes('{'));
  return { fields: [...fields].toSorted().join(','), first: isId ? first : undefined };
}

/** A text, a message or bytes: all three are written with their length in front. */
function ofPart(bytes: Uint8Array, depth: number): ProtobufShape {
  const text = new TextDecoder().decode(bytes);
  if (NAME.test(text)) return { fields: 's', first: text };
  const message = depth < MAX_DEPTH && bytes.length > 1 ? readProtobuf(bytes, depth) : undefined;
  return message ? { fields: `{${message.fields}}`, first: message.first } : { fields: 's' };
}
