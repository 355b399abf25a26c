import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeGithub, startFakeGithub, TOKEN } from '../../../fixtures/github/server.ts';
import { closeOn, listenOn, portOf } from '../../../fixtures/listen.ts';
import { GithubClient } from '../../../src/shell/github/client.ts';
import { type ScriptedClock, scriptedClock } from './scripted-clock.ts';

const COMMENTS = '/repos/octo/shop/issues/7/comments';
const PULL = { number: 7, head: { label: 'octo:topic', sha: 'a'.repeat(40) } };

let github: FakeGithub;
let clock: ScriptedClock;
beforeEach(async () => {
  github = await startFakeGithub({ pulls: [PULL] });
  clock = scriptedClock();
});
afterEach(() => github.close());

const client = (over: Partial<ConstructorParameters<typeof GithubClient>[0]> = {}) =>
  new GithubClient({ apiUrl: github.url, token: TOKEN, signal: new AbortController().signal, clock, ...over });
const list = (of = client()) => of.request({ method: 'GET', path: COMMENTS });
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const told = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  );

describe('a request', () => {
  it('says who asks, in which version, and with which token', async () => {
    expect((await list()).status).toBe(200);
    expect(github.seen[0]?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${TOKEN}`,
      'user-agent': 'quiesce',
      'x-github-api-version': '2022-11-28',
    });
    expect(clock.waited).toEqual([]);
  });

  it('whose answer is a refusal is not repeated', async () => {
    for (const status of [400, 401, 403, 404, 410, 422]) {
      github.fail({ status, message: 'no' });
      expect(await list()).toMatchObject({ status, message: 'no' });
    }
    expect(clock.waited).toEqual([]);
    expect(github.seen).toHaveLength(6);
  });
});

describe('trouble on the way', () => {
  it('is tried again, after waits that double', async () => {
    github.fail({ status: 500 }, { status: 502 }, { breaks: true });
    expect((await list()).status).toBe(200);
    expect(clock.waited).toEqual([750, 1500, 3000]);
  });

  it('that stays ends within two minutes, with the reason', async () => {
    github.fail(...Array.from({ length: 50 }, () => ({ status: 503 })));
    expect(await told(list())).toMatch(/GitHub could not be reached \(HTTP 503\)/);
    expect(sum(clock.waited)).toBeLessThanOrEqual(120_000);
    expect(sum(clock.waited)).toBeGreaterThan(60_000);
  });

  it('is shared by all requests of a client: the second does not wait two minutes more', async () => {
    const shared = client();
    github.fail(...Array.from({ length: 50 }, () => ({ status: 503 })));
    await told(list(shared));
    const waits = clock.waited.length;
    await told(list(shared));
    expect(clock.waited.slice(waits).length).toBeLessThan(7);
    expect(sum(clock.waited)).toBeLessThanOrEqual(120_000);
  });

  it('may be that no answer comes', async () => {
    github.fail({ hangs: true });
    expect((await list(client({ timeout: 400 }))).status).toBe(200);
    expect(clock.waited[0]).toBe(750);
  });

  it('ends at once when the job is ended', async () => {
    const ending = new AbortController();
    github.fail({ hangs: true, meanwhile: () => ending.abort() });
    await expect(list(client({ signal: ending.signal }))).rejects.toThrow(/abort/i);
  });

  it('names neither the token nor what was sent', async () => {
    const gone = await startFakeGithub();
    const nowhere = client({ apiUrl: gone.url });
    await gone.close();
    const message = await told(nowhere.request({ method: 'PATCH', path: COMMENTS, body: { body: 'text' } }));
    expect(message).toMatch(/ECONNREFUSED/);
    expect(message).not.toContain(TOKEN);
  });
});

it('ends at once with an answer that is too long: it would be as long again', async () => {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const servers = await listenOn(
    () =>
      createServer((_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(piece));
        };
        response.on('drain', more);
        more();
      }),
    0,
  );
  try {
    const endless = client({ apiUrl: `http://127.0.0.1:${portOf(servers)}` });
    expect(await told(list(endless))).toMatch(/its answer is too long/);
    expect(clock.waited).toEqual([]);
  } finally {
    await closeOn(servers);
  }
});

describe('a limit', () => {
  it.each([
    ['429 with retry-after', { status: 429, headers: { 'retry-after': '7' } }, 7000],
    ['a secondary limit with retry-after', { status: 403, headers: { 'retry-after': '30' } }, 30_000],
    [
      'a secondary limit in words',
      { status: 403, message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
      60_000,
    ],
    ['429 without a word', { status: 429 }, 60_000],
    [
      'the hour is used up',
      {
        status: 403,
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.UTC(2026, 10, 2, 3, 0, 20) / 1000),
          date: new Date(Date.UTC(2026, 10, 2, 3, 0, 0)).toUTCString(),
        },
      },
      21_000,
    ],
  ])('%s is waited for', async (_, trouble, waited) => {
    github.fail(trouble);
    expect((await list()).status).toBe(200);
    expect(clock.waited).toEqual([waited]);
  });

  it('that is longer than anybody would wait ends it at once', async () => {
    github.fail({ status: 429, headers: { 'retry-after': '3600' } });
    expect(await told(list())).toMatch(/too many requests/);
    expect(clock.waited).toEqual([]);
  });

  it('keeps what must not be done twice from being done, so it is asked again', async () => {
    github.fail({ status: 403, headers: { 'retry-after': '1' } });
    const answer = await client().requestOnce({ method: 'POST', path: COMMENTS, body: { body: 'x' } }, 1);
    expect(answer?.status).toBe(201);
    expect(github.comments).toHaveLength(1);
  });
});

describe('what must not be done twice', () => {
  it.each([
    ['an error of the server', { method: 'POST', status: 502 }],
    ['a connection that broke', { method: 'POST', losesAnswer: true }],
  ])('is not repeated after %s', async (_, trouble) => {
    github.fail(trouble);
    expect(await client().requestOnce({ method: 'POST', path: COMMENTS, body: { body: 'x' } }, 1)).toBeUndefined();
    expect(github.seen).toHaveLength(1);
    expect(clock.waited).toEqual([750]);
  });
});

describe('another address', () => {
  it('of the same origin is followed with the same method', async () => {
    github.fail({ status: 307, headers: { location: COMMENTS } });
    const answer = await client().request({
      method: 'POST',
      path: '/repos/octo/old/issues/7/comments',
      body: { body: 'x' },
    });
    expect(answer.status).toBe(201);
    expect(github.comments[0]?.body).toBe('x');
  });

  it('that leads in a circle is not followed for ever', async () => {
    github.fail(...Array.from({ length: 9 }, () => ({ status: 301, headers: { location: COMMENTS } })));
    expect((await list()).status).toBe(301);
    expect(github.seen).toHaveLength(4);
  });

  it.each([
    ['a redirection', (url: string) => ({ status: 302, headers: { location: url } })],
    ['a next page', (url: string) => ({ status: 200, headers: { link: `<${url}>; rel="next"` } })],
  ])('of another origin, in %s, never gets the token', async (_, trouble) => {
    const asked: (string | undefined)[] = [];
    const thieves = await listenOn(
      () =>
        createServer((request, response) => {
          asked.push(request.headers.authorization);
          response.end('[]');
        }),
      0,
    );
    try {
      github.fail(trouble(`http://127.0.0.1:${portOf(thieves)}/`));
      const first = async () => {
        const { next } = await list();
        if (next !== undefined) await client().request({ method: 'GET', path: next });
      };
      expect(await told(first())).toMatch(/it leads to another address/);
      expect(asked).toEqual([]);
    } finally {
      await closeOn(thieves);
    }
  });
});
