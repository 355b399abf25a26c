import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/core/har/redact.ts';
import { nameOf } from '../../../src/wording/text/names.ts';

const PAGE = 'https://a.test/';
const LONG = 'a/rather/long/place/below/which/everything/is/served';

describe('the name of an address in a sentence', () => {
  it('is without the own origin and the query', () => {
    expect(nameOf('https://a.test/x.js?y=1#z', PAGE)).toBe('/x.js');
    expect(nameOf('GET https://b.test/x?*', PAGE)).toBe('GET https://b.test/x?*');
  });

  it('is cut in the middle when it is long', () => {
    expect(nameOf(`https://a.test/${LONG}/file-with-a-name.js`, PAGE)).toBe(
      '/a/rather/long/place/below/whi…/is/served/file-with-a-name.js',
    );
  });

  it('has no part of a token that the page has in it', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
    expect(nameOf(`https://a.test/session/${token}/inbox`, PAGE)).toBe('/session/%5Bredacted%5D/inbox');
  });

  it('has no part of a secret that was given, once it was redacted', () => {
    const secret = 'CANARY-of-many-letters/=&"1';
    const { text } = createRedactor([secret]);
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      for (let before = 0; before < LONG.length; before += 1) {
        const url = `https://a.test/${LONG.slice(0, before)}/${form}/${LONG.slice(before)}`;
        const name = text(nameOf(url, PAGE));
        expect(name).not.toContain(form.slice(0, 6));
        expect(name).not.toContain(form.slice(-6));
      }
    }
  });
});
