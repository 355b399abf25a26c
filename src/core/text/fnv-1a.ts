/** The start and the prime of FNV-1a, a hash of 32 bits. Source: RFC 9923. */
export const FNV_1A = { start: 0x811c9dc5, prime: 0x01000193 } as const;
