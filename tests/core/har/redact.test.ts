import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSecretName, looksSecret } from '../../../src/core/access/secret-names.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { createRedactor, redactBody, redactHeader, redactText, redactUrl } from '../../../src/core/har/redact.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';
import { webUrls } from '../../support/texts.ts';

// The same cases in every run: a red build must be about the change, not about luck.
fc.configureGlobal({ seed: 20250102 });

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl';

describe('names', () => {
  it.each(
    `token access_token accessToken id_token refresh_token key api_key apikey X-Api-Key sig signature X-Amz-Signature
     X-Amz-Credential X-Amz-Security-Token X-Goog-Signature password user[password] pass pwd secret client_secret auth
     code auth_code code_verifier session sessionId PHPSESSID JSESSIONID sid jwt credential csrf_token xsrf otp
     oauth_token AWSAccessKeyId x-functions-key subscription-key`.split(/\s+/),
  )('%s is a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(
    `q page id name lang country_code zip_code postal-code sort_key keyword keywords author passenger compass design
     v version utm_source monkey turkey signal assign`.split(/\s+/),
  )('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('values', () => {
  it.each([
    JWT,
    'd41d8cd98f00b204e9800998ecf8427e',
    'AKIAIOSFODNN7EXAMPLE',
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
    'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
  ])('%s looks like a secret', (value) => {
    expect(looksSecret(value)).toBe(true);
  });

  it.each([
    'short',
    'hello world, this is a sentence of some length',
    '123e4567-e89b-12d3-a456-426614174000',
    'HomepageHeroBannerImageLargeVersion',
    'homepage-hero-banner-image-large-version',
    '12345678901234567890123456',
    'https://example.com/some/long/path/to/a/page.html',
  ])('%s does not', (value) => {
    expect(looksSecret(value)).toBe(false);
  });
});

describe('addresses', () => {
  it.each([
    ['https://e.com/p?token=abc&q=1', 'https://e.com/p?token=%5Bredacted%5D&q=1'],
    ['https://e.com/p?q=1#access_token=abc&state=x', 'https://e.com/p?q=1#access_token=%5Bredacted%5D&state=x'],
    ['https://e.com/#/route?token=abc', 'https://e.com/#/route?token=%5Bredacted%5D'],
    ['https://user:pa:ss@w@e.com:8443/p', 'https://%5Bredacted%5D@e.com:8443/p'],
    ['wss://token@e.com', 'wss://%5Bredacted%5D@e.com'],
    ['//user@e.com/p', '//%5Bredacted%5D@e.com/p'],
    ['/path;jsessionid=ABC123/x?y=1', '/path;jsessionid=%5Bredacted%5D/x?y=1'],
    [`https://e.com/reset/${JWT}/done`, 'https://e.com/reset/%5Bredacted%5D/done'],
    [`https://e.com/?${JWT}`, 'https://e.com/?%5Bredacted%5D'],
    [
      'https://e.com/login?next=https%3A%2F%2Fe.com%2Fp%3Ftoken%3Dabc',
      'https://e.com/login?next=https%3A%2F%2Fe.com%2Fp%3Ftoken%3D%255Bredacted%255D',
    ],
    [
      'https://e.com/g?variables=%7B%22token%22%3A%22abc%22%7D',
      'https://e.com/g?variables=%7B%22token%22%3A%22%5Bredacted%5D%22%7D',
    ],
    ['https://e.com/?to%6Ben=abc', 'https://e.com/?to%6Ben=%5Bredacted%5D'],
    ['https://e.com/p?token=&token', 'https://e.com/p?token=&token'],
    ['https://e.com/mail@list/p?q=a@b', 'https://e.com/mail@list/p?q=a@b'],
    ['https://e.com/app.3f2a9c.js?v=d41d8cd98f00b204e9800998ecf8427e', undefined],
    ['https://e.com/a?q=100%&x=%E0%A4%A', undefined],
  ])('%s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected ?? url);
  });

  it('keep their endpoint: origin, path and parameter names', () => {
    fc.assert(
      fc.property(webUrls({ query: true, fragment: true }), (url) => {
        const before = new URL(url);
        const after = new URL(redactUrl(url));
        expect(after.origin).toBe(before.origin);
        expect(after.search.split('&').length).toBe(before.search.split('&').length);
        // Redacted once is redacted for good.
        expect(redactUrl(redactUrl(url))).toBe(redactUrl(url));
      }),
    );
  });

  // Anything that backtracks would not come back before the test's own time-out.
  it('come to an end on hostile text', () => {
    for (const piece of [
      'eyJ',
      'a.',
      'eyJaaaaaaaaa.',
      ';a=',
      '%5B',
      'https://',
      'a:',
      '&a',
      '{"a":',
      '[[',
      '-----',
    ] as const) {
      const text = piece.repeat(200_000 / piece.length);
      redactUrl(text);
      redactUrl(`https://e.com/?q=${text}`);
      expect(redactText(text).length).toBeGreaterThan(0);
      redactBody(text, 'application/json');
      redactBody(text, 'multipart/form-data; boundary=---');
      redactHeader({ name: 'link', value: text });
    }
  });
});

describe('headers', () => {
  it.each([
    ['Cookie', 'a=1; b=2', 'a=[redacted]; b=[redacted]'],
    ['cookie', 'nameless', '[redacted]'],
    ['Set-Cookie', 'a=1; Path=/; HttpOnly\nb=2; Secure', 'a=[redacted]; Path=/; HttpOnly\nb=[redacted]; Secure'],
    ['Authorization', 'Bearer abc.def', 'Bearer [redacted]'],
    ['Proxy-Authorization', 'Basic YTpi', 'Basic [redacted]'],
    ['authorization', 'rawtoken', '[redacted]'],
    ['X-API-Key', 'abc', '[redacted]'],
    ['x-auth-token', 'abc', '[redacted]'],
    ['x-csrf-token', 'abc', '[redacted]'],
    ['x-amz-security-token', 'abc', '[redacted]'],
    ['api-key', 'abc', '[redacted]'],
    ['Ocp-Apim-Subscription-Key', 'abc', '[redacted]'],
    ['x-session-id', 'abc', '[redacted]'],
    ['Referer', 'https://e.com/?token=abc', 'https://e.com/?token=%5Bredacted%5D'],
    ['location', '/next?code=abc', '/next?code=%5Bredacted%5D'],
    [':path', '/p?api_key=abc', '/p?api_key=%5Bredacted%5D'],
    ['link', '</a?token=abc>; rel=preload', '</a?token=%5Bredacted%5D>; rel=preload'],
    ['refresh', '5; url=/x?token=abc', '5; url=/x?token=%5Bredacted%5D'],
    ['x-custom', `see https://e.com/?token=abc and ${JWT}`, 'see https://e.com/?token=%5Bredacted%5D and [redacted]'],
    ['sec-websocket-protocol', `v1, ${JWT}`, 'v1, [redacted]'],
    ['sec-websocket-key', 'dGhlIHNhbXBsZSBub25jZQ==', 'dGhlIHNhbXBsZSBub25jZQ=='],
    ['www-authenticate', 'Bearer realm="x"', 'Bearer realm="x"'],
    ['access-control-allow-credentials', 'true', 'true'],
    ['surrogate-key', 'a b', 'a b'],
    ['etag', 'W/"d41d8cd98f00b204e9800998ecf8427e"', 'W/"d41d8cd98f00b204e9800998ecf8427e"'],
    ['content-type', 'application/json', 'application/json'],
    ['x-api-key', '', ''],
  ])('%s: %s', (name, value, expected) => {
    expect(redactHeader({ name, value })).toEqual({ name, value: expected });
  });
});

describe('bodies', () => {
  it.each([
    ['application/x-www-form-urlencoded', 'user=me&password=x%20y', 'user=me&password=%5Bredacted%5D'],
    [
      'application/json; charset=utf-8',
      '{"user":{"name":"me","password":"x","auth":{"a":1,"b":[true,"c"]}},"list":[{"token":"t"}],"n":1}',
      '{"user":{"name":"me","password":"[redacted]","auth":{"a":"[redacted]","b":[true,"[redacted]"]}},"list":[{"token":"[redacted]"}],"n":1}',
    ],
    ['application/json', '{ "a" :  1 }', '{ "a" :  1 }'],
    ['application/json', '{"inner":"{\\"token\\":\\"x\\"}"}', '{"inner":"{\\"token\\":\\"[redacted]\\"}"}'],
    ['application/json', '{"__proto__":{"token":"x"}}', '{"__proto__":{"token":"[redacted]"}}'],
    ['application/json', '{"broken', '[redacted]'],
    ['text/plain', '{"token":"x"}', '{"token":"[redacted]"}'],
    ['text/plain', 'whatever', '[redacted]'],
    ['application/octet-stream', 'whatever', '[redacted]'],
    ['application/json', '', ''],
    [
      'multipart/form-data; boundary=XX',
      '--XX\r\nContent-Disposition: form-data; name="user"\r\n\r\nme\r\n--XX\r\nContent-Disposition: form-data; name="password"\r\n\r\nsecret\r\n--XX\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\ncontent\r\n--XX--\r\n',
      '--XX\r\nContent-Disposition: form-data; name="user"\r\n\r\nme\r\n--XX\r\nContent-Disposition: form-data; name="password"\r\n\r\n[redacted]\r\n--XX\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n[redacted]\r\n--XX--\r\n',
    ],
    ['multipart/form-data', '--XX\r\n', '[redacted]'],
  ])('%s %s', (mimeType, text, expected) => {
    expect(redactBody(text, mimeType)).toBe(expected);
  });

  it('are taken whole when nested too deep to walk', () => {
    expect(redactBody(`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'application/json')).toBe('[redacted]');
  });
});

describe('a whole HAR', () => {
  const SECRET = 'sEcReTvAlUe';
  const address = `https://u:${SECRET}@e.com/a?token=${SECRET}#id_token=${SECRET}`;
  const headers = [
    { name: 'Cookie', value: `a=${SECRET}` },
    { name: 'Set-Cookie', value: `a=${SECRET}` },
    { name: 'Authorization', value: `Bearer ${SECRET}` },
    { name: 'X-Api-Key', value: SECRET },
    { name: 'Referer', value: address },
    { name: 'Location', value: address },
    { name: ':path', value: `/a?token=${SECRET}` },
  ];
  const one = request({
    url: address,
    method: 'POST',
    type: 'websocket',
    error: `failed: ${address}`,
    requestHeaders: headers,
    postBody: { mimeType: 'application/json', size: 30, text: `{"password":"${SECRET}"}` },
    initiator: {
      type: 'script',
      url: address,
      stack: [{ functionName: 'f', url: address, line: 1, column: 1 }],
    },
    messages: [{ at: 1, bytes: 11, direction: 'received', text: SECRET, opcode: 1 }],
    response: response({
      status: 302,
      headers,
      headersText: `HTTP/1.1 302\r\nSet-Cookie: a=${SECRET}\r\n\r\n`,
      redirectUrl: address,
    }),
  });
  const source = recording({
    navigation: { url: address, startedAt: 0, browser: 'Chrome/1', userAgent: 'UA' },
    page: { finalUrl: address, title: address, longTasks: [], layoutShifts: [] },
  });
  const marks = [{ name: 'largest-contentful-paint' as const, at: 5, detail: address }];
  const verdicts = [
    {
      requestId: 'r1',
      kind: 'poll' as const,
      reason: { code: 'recorded' as const, text: `asks ${address}` },
      confidence: 'likely' as const,
    },
  ];
  const policy = {
    ...DEFAULT_POLICY,
    quietWindow: 1,
    maxInflight: 0,
    timeout: 1,
    background: [address],
    foreground: [address],
  };
  const build = (secrets: boolean): string =>
    JSON.stringify(
      buildHar(source, timeline([one], { marks }), {
        version: '1',
        verdicts,
        inWords: verdictReasonInWords,
        policy,
        secrets,
      }),
    );

  it('has none of the secrets, wherever they stood', () => {
    expect(build(false)).not.toContain(SECRET);
  });

  it('keeps names and sizes', () => {
    const { entries } = JSON.parse(build(false)).log;
    expect(entries[0].request).toMatchObject({ bodySize: 30, cookies: [{ name: 'a', value: '[redacted]' }] });
    expect(entries[0].request.queryString).toEqual([{ name: 'token', value: '%5Bredacted%5D' }]);
    expect(entries[0].response.cookies).toEqual([{ name: 'a', value: '[redacted]' }]);
    expect(entries[0]._webSocketMessages[0]).toMatchObject({ _bytes: 11, data: '[redacted]' });
  });

  it('keeps all of them when asked to', () => {
    expect(build(true).split(SECRET).length).toBeGreaterThan(30);
    expect(build(true)).not.toContain('redacted');
  });
});

describe('patterns', () => {
  it('still match the addresses that they matched', () => {
    const redactor = createRedactor();
    expect(redactor.pattern('*/poll?token=a*')).toBe('*/poll?token=%5Bredacted%5D*');
    expect(redactor.pattern('*analytics*')).toBe('*analytics*');
  });
});

describe('prose', () => {
  it.each([
    ['GET /api?access_token=abc123 failed', 'GET /api?access_token=%5Bredacted%5D failed'],
    ['open /reset?token=abc123def&lang=de now', 'open /reset?token=%5Bredacted%5D&lang=de now'],
    ['https://x.test/?token=abc&page=1 failed', 'https://x.test/?token=%5Bredacted%5D&page=1 failed'],
    ['refused: Authorization: Bearer abc.def.123', 'refused: Authorization: Bearer [redacted]'],
    ['login with password=hunter2 failed', 'login with password=[redacted] failed'],
    ['sent {"token":"abc","page":1}', 'sent {"token":"[redacted]","page":1}'],
    ['api_key: 0123456789abcdef', 'api_key: [redacted]'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [redacted]'],
    ['Bearer abcDefghijkl was refused', 'Bearer [redacted] was refused'],
    ['sent {\\"password\\":\\"hunter2\\"}', 'sent {\\"password\\":\\"[redacted]\\"}'],
    ['otp=123456 refused', 'otp=[redacted] refused'],
    ['code=4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c', 'code=[redacted]'],
  ])('%s: the secret goes', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  it.each([
    'Unexpected token: eof',
    'Bearer authentication is missing',
    "Cannot read properties of undefined (reading 'token')",
    'auth == null',
    'Session: 12 of 14',
    'Invalid token supplied.',
    'The CSRF token expired.',
    'Unexpected token identifier.',
    'Digest mismatch.',
    'token refresh/rotation failed',
    'WebSocket closed: code=1006',
    'Browser exited (code=3221225477)',
    'exit code: 0xC0000005',
    "FirebaseError: {code: 'auth/invalid-api-key'}",
    'at auth.min.js:1:245123',
    'GET auth.example.com:8443/api/v1',
    'div.cookie-banner:nth-child(3)',
    'PWD=/home/user/project',
    'token = null',
    'input[type=password]',
    '*token=*',
    'GET https://shop.test/api?page=2',
  ])('%s: nothing goes', (text) => {
    expect(redactText(text)).toBe(text);
  });
});
