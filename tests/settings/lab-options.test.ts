import { describe, expect, it, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { optionNamed, parseText } from '../../src/settings/options.ts';
import type { ResolvedAudit } from '../../src/settings/resolved.ts';
import { fakeWorld, outcome } from '../cli/fake-world.ts';

const URL = 'https://example.test/';

/** What the job is told for a command line, or what stands on stderr when it is refused. */
async function told(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let settings: ResolvedAudit | undefined;
  const world = fakeWorld({
    env,
    jobs: {
      audit: async (given) => {
        settings = given;
        return outcome();
      },
    },
  });
  const exit = await main(['audit', URL, ...words], world);
  return { settings, exit, ...world.written };
}

describe('conditions and access on the command line', () => {
  it('reach the job, also from the environment, where secrets belong', async () => {
    const { settings } = await told(['--device', 'phone', '--cpu', '4', '--header', 'X-A: b', '--header', 'X-C: d'], {
      QUIESCE_NETWORK: 'slow-4g',
      QUIESCE_VIEW: 'warm',
      QUIESCE_BASIC_AUTH: 'ann:pa ss:word',
      QUIESCE_COOKIE: 'a=1; b=2',
      QUIESCE_BLOCK: '*/ads/* */pixel',
    });
    expect(settings?.loading.options).toMatchObject({
      conditions: { device: { name: 'Moto G Power' }, cpu: 4, network: { name: 'slow-4g' }, view: 'warm' },
      access: {
        headers: [
          { name: 'X-A', value: 'b' },
          { name: 'X-C', value: 'd' },
        ],
        basicAuth: { user: 'ann', password: 'pa ss:word' },
        cookies: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
        block: ['*/ads/*', '*/pixel'],
      },
    });
    expect(
      (await told([], { QUIESCE_HEADER: 'X-A: b, c; d\nX-C: e' })).settings?.loading.options.access.headers,
    ).toEqual([
      { name: 'X-A', value: 'b, c; d' },
      { name: 'X-C', value: 'e' },
    ]);
  });

  it.each([
    [['--header', 'X-A: SECRET-1\nX-B: SECRET-2'], {}],
    [['--header', 'SECRET-1'], {}],
    [['--cookie', 'SECRET-1'], {}],
    [['--cookie', 'a=SECRET-1;b'], {}],
    [['--basic-auth', 'SECRET-1'], {}],
    [[], { QUIESCE_BASIC_AUTH: 'SECRET-1' }],
    [[], { QUIESCE_HEADER: 'Host: SECRET-1' }],
  ])('a secret that cannot be is refused without being repeated: %j %j', async (words, env) => {
    const { exit, stderr, stdout, settings } = await told(words, env as Record<string, string>);
    expect(exit).toBe(2);
    expect(settings).toBeUndefined();
    expect(stderr).toMatch(/^quiesce: (--|QUIESCE_).*must/);
    expect(stderr.trim()).not.toContain('\n');
    expect(stderr + stdout).not.toContain('SECRET');
  });
});

test.each([
  ['cpu', [1, 4, 1.5], [0, 0.5, 101]],
  ['view', ['cold', 'warm'], ['hot', '']],
  ['network', ['none', 'slow-4g', '1,2,3'], ['5g', '', '1,2']],
  ['locale', ['de', 'de-DE'], ['', '!']],
  ['timezone', ['UTC', 'Europe/Berlin'], ['Mars', '']],
  ['geolocation', ['1,2'], ['1', 'x,y']],
  ['userAgent', ['x'], ['', 'a\nb']],
  ['header', [[], ['X-A: b']], [['x'], ['X-A: b\r\nX: y'], 'X-A: b']],
  ['cookie', [[], ['a=b']], [['a'], ['a=b;c']]],
  ['basicAuth', ['a:b', ':'], ['a', 'a:b\nc']],
])('%s accepts and refuses', (name, good, bad) => {
  const { schema } = optionNamed(name);
  for (const value of good) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(true);
  for (const value of bad) expect(schema.safeParse(value).success, JSON.stringify(value)).toBe(false);
});

test('a header in the environment may hold commas, semicolons and blanks', () => {
  expect(parseText(optionNamed('header'), 'A: b, c\n B: d;e f ')).toEqual(['A: b, c', 'B: d;e f ']);
});
