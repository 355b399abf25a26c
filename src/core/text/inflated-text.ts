import { Gunzip, Inflate } from 'fflate';
import { bytesOfBase64 } from './base64.ts';

/** More than this much of a text is not looked at: what a message is like is known by then. In bytes, and of base64 in characters. */
const MAX_TEXT_BYTES = 1_048_576;
/** Bytes that are unpacked at a time: deflate packs up to 1,032 bytes into one, so that no message can fill the memory. */
const STEP = 1_024;

/**
 * The text that a binary message holds, packed by itself: some services pack each message of a socket. Undefined where it is no
 * such message, or no text.
 *
 * @param base64 as the browser tells of binary messages
 */
export function inflatedText(base64: string): string | undefined {
  const [first = 0, second = 0] = bytesOfBase64(base64.slice(0, 4));
  const isGzip = first === 0x1f && second === 0x8b;
  // The method is deflate, and both bytes together are a multiple of 31. Source: RFC 1950.
  const isZlib = (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
  if ((!isGzip && !isZlib) || base64.length > MAX_TEXT_BYTES) return undefined;
  try {
    return unpacked(bytesOfBase64(base64).subarray(isGzip ? 0 : 2), isGzip ? new Gunzip() : new Inflate());
  } catch {
    return undefined;
  }
}

function unpacked(bytes: Uint8Array, stream: Gunzip | Inflate): string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  stream.ondata = (part) => {
    text += decoder.decode(part, { stream: true });
  };
  for (let from = 0; from < bytes.length && text.length < MAX_TEXT_BYTES; from += STEP) {
    stream.push(bytes.subarray(from, from + STEP), from + STEP >= bytes.length);
  }
  return text;
}
