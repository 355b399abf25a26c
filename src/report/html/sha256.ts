/**
 * SHA-256 of a text in base64, as a Content-Security-Policy wants it. Written out because `crypto.subtle` answers only
 * later and reporters may not name `node:crypto`. Source: FIPS 180-4.
 */
export function sha256Base64(text: string): string {
  const message = new TextEncoder().encode(text);
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (message.length << 3) >>> 0);

  const { rounds, start } = constants();
  const state = Uint32Array.from(start);
  const words = new Uint32Array(64);
  const at = (array: Uint32Array, index: number): number => array[index] ?? 0;
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i++) {
      const a = at(words, i - 15);
      const b = at(words, i - 2);
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      words[i] = at(words, i - 16) + s0 + at(words, i - 7) + s1;
    }
    const v = Uint32Array.from(state);
    for (let i = 0; i < 64; i++) {
      const e = at(v, 4);
      const a = at(v, 0);
      const choice = (e & at(v, 5)) ^ (~e & at(v, 6));
      const t1 = at(v, 7) + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + at(rounds, i) + at(words, i);
      const majority = (a & at(v, 1)) ^ (a & at(v, 2)) ^ (at(v, 1) & at(v, 2));
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
      v.copyWithin(1, 0, 7);
      v[4] = at(v, 4) + t1;
      v[0] = t1 + t2;
    }
    for (let i = 0; i < 8; i++) state[i] = at(state, i) + at(v, i);
  }

  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setUint32(i * 4, word);
  });
  return btoa(String.fromCharCode(...new Uint8Array(digest.buffer)));
}

/** The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
function constants(): { readonly rounds: Uint32Array; readonly start: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (value: number): number => Math.floor((value - Math.floor(value)) * 2 ** 32);
  return {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
