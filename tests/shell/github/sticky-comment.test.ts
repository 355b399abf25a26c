import { afterEach, describe, expect, it } from 'vitest';
import {
  ACTIONS_BOT,
  type Account,
  type FakeGithub,
  type FakeGithubOptions,
  startFakeGithub,
  TOKEN,
} from '../../../fixtures/github/server.ts';
import { markerOf } from '../../../src/core/github/marker.ts';
import { GithubClient } from '../../../src/shell/github/client.ts';
import { upsertComment } from '../../../src/shell/github/sticky-comment.ts';
import { scriptedClock } from './scripted-clock.ts';

const PULL = { number: 7, head: { label: 'octo:topic', sha: 'a'.repeat(40) } };
const STRANGER: Account = { login: 'mallory', id: 666, type: 'User' };
const OTHER_BOT: Account = { login: 'helper[bot]', id: 5, type: 'Bot' };
const PERSON: Account = { login: 'octocat', id: 1, type: 'User' };

let github: FakeGithub;
afterEach(() => github.close());

async function start(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  github = await startFakeGithub({ pulls: [PULL], ...options });
  return github;
}

const text = (words: string, key = 'quiesce') => `${markerOf(key)}\n${words}`;
const keep = (words: string, { key = 'quiesce', token = TOKEN, pull = 7 } = {}) => {
  const client = new GithubClient({
    apiUrl: github.url,
    token,
    signal: new AbortController().signal,
    clock: scriptedClock(),
  });
  return upsertComment(client, { repository: { owner: 'octo', name: 'shop' }, pull, key }, text(words, key));
};
const told = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: Error) => error.message,
  );
const bodies = () => github.comments.map(({ body }) => body);

describe('the comment', () => {
  it('is written once, and then kept up to date', async () => {
    await start();
    const first = await keep('one');
    expect(bodies()).toEqual([text('one')]);
    expect(await keep('two')).toBe(first);
    expect(await keep('three')).toBe(first);
    expect(bodies()).toEqual([text('three')]);
    expect(first).toBe(github.comments[0]?.html_url);
  });

  it('is one for each key', async () => {
    await start();
    await keep('home', { key: 'home' });
    await keep('checkout', { key: 'checkout' });
    await keep('home again', { key: 'home' });
    expect(bodies()).toEqual([text('home again', 'home'), text('checkout', 'checkout')]);
  });

  it('is found on a later page of many comments', async () => {
    await start({ mostPerPage: 10 });
    for (let i = 0; i < 35; i += 1) github.write(STRANGER, `comment ${i}`);
    github.write(ACTIONS_BOT, text('old'));
    await keep('new');
    expect(github.comments).toHaveLength(36);
    expect(bodies().at(-1)).toBe(text('new'));
    expect(github.seen.filter(({ path }) => path.includes('/issues/7/comments'))).toHaveLength(4);
  });

  it('of line ends that were typed otherwise is the same comment', async () => {
    await start();
    github.write(ACTIONS_BOT, text('old').replaceAll('\n', '\r\n'));
    await keep('new');
    expect(bodies()).toEqual([text('new')]);
  });
});

describe('comments of others', () => {
  it('with the marker are left alone by the token of a job', async () => {
    await start();
    github.write(STRANGER, text('bait'));
    github.write(null, text('of an account that is gone'));
    await keep('ours');
    expect(bodies()).toEqual([text('bait'), text('of an account that is gone'), text('ours')]);
    await keep('ours again');
    expect(bodies()).toEqual([text('bait'), text('of an account that is gone'), text('ours again')]);
  });

  it('with the marker are left alone by the token of a person, bots included', async () => {
    await start({ tokens: { mine: { account: PERSON, isPersonal: true } } });
    github.write(STRANGER, text('bait'));
    github.write(ACTIONS_BOT, text("a job's"));
    await keep('ours', { token: 'mine' });
    await keep('ours again', { token: 'mine' });
    expect(bodies()).toEqual([text('bait'), text("a job's"), text('ours again')]);
  });

  it('that quote the marker further down are left alone', async () => {
    await start();
    github.write(ACTIONS_BOT, `> ${text('quoted')}`);
    github.write(ACTIONS_BOT, `${markerOf('quiesce-2')}\nanother key`);
    await keep('ours');
    expect(github.comments).toHaveLength(3);
  });
});

describe('two jobs at the same time', () => {
  it('leave one comment: the first, with the last words', async () => {
    await start();
    github.fail({ method: 'POST', meanwhile: (it) => it.write(ACTIONS_BOT, text("the other job's")) });
    const url = await keep('ours');
    expect(bodies()).toEqual([text('ours')]);
    expect(url).toBe(github.comments[0]?.html_url);
    expect(github.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('may have left two, of which the first stays', async () => {
    await start();
    github.write(ACTIONS_BOT, text('first'));
    github.write(ACTIONS_BOT, text('second'));
    github.write(STRANGER, text('bait'));
    await keep('third');
    expect(bodies()).toEqual([text('third'), text('bait')]);
  });

  it('may have left one that cannot be removed now, and what is said stands', async () => {
    await start();
    const first = github.write(ACTIONS_BOT, text('first'));
    github.write(ACTIONS_BOT, text('second'));
    github.fail(...Array.from({ length: 30 }, () => ({ method: 'DELETE', status: 502 })));
    expect(await keep('third')).toBe(first.html_url);
    expect(bodies()).toEqual([text('third'), text('second')]);
  });

  it('never remove what another bot wrote', async () => {
    await start();
    github.fail({ method: 'POST', meanwhile: (it) => it.write(OTHER_BOT, text('theirs')) });
    await keep('ours');
    expect(bodies()).toEqual([text('theirs'), text('ours')]);
  });

  it('do not lose the comment to trouble with the rivals', async () => {
    await start();
    github.fail({ method: 'POST', meanwhile: (it) => it.fail({ method: 'GET', status: 404 }) });
    expect(await keep('ours')).toBe(github.comments[0]?.html_url);
  });
});

describe('nobody knows whether it was written', () => {
  it('and it was: it is found, not written again', async () => {
    await start();
    github.fail({ method: 'POST', losesAnswer: true });
    await keep('ours');
    expect(bodies()).toEqual([text('ours')]);
    expect(github.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('and it was not: it is written then', async () => {
    await start();
    github.fail({ method: 'POST', status: 500 }, { method: 'POST', breaks: true });
    await keep('ours');
    expect(bodies()).toEqual([text('ours')]);
    expect(github.seen.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it('and never will', async () => {
    await start();
    github.fail(...Array.from({ length: 50 }, () => ({ method: 'POST', status: 500 })));
    expect(await told(keep('ours'))).toMatch(/GitHub could not be reached/);
    expect(github.seen.filter(({ method }) => method === 'POST').length).toBeLessThan(10);
  });
});

it('a comment that somebody removes meanwhile is written anew', async () => {
  await start();
  github.write(ACTIONS_BOT, text('old'));
  github.fail({ method: 'PATCH', meanwhile: (it) => void (it.comments as unknown[]).splice(0) });
  await keep('new');
  expect(bodies()).toEqual([text('new')]);
});

describe('what GitHub does not take', () => {
  it.each([
    [
      'a token that may only read',
      { token: 'fork' },
      /may only read \(HTTP 403, Resource not accessible by integration\)/,
    ],
    ['a token that is none', { token: 'nonsense' }, /rejected it \(HTTP 401, Bad credentials\)/],
    ['a pull request that is gone', { pull: 8 }, /has no pull request 8/],
  ])('%s is a line', async (_, given, line) => {
    await start({ tokens: { [TOKEN]: { account: ACTIONS_BOT }, fork: { account: ACTIONS_BOT, mayWrite: false } } });
    expect(await told(keep('ours', given))).toMatch(line);
    expect(github.comments).toEqual([]);
  });

  it.each([
    [
      'a conversation that is locked',
      { status: 403, message: 'Unable to create comment because issue is locked.' },
      /rejected it .*locked/,
    ],
    [
      'a body that it does not like',
      { status: 422, message: 'Validation Failed' },
      /rejected it \(HTTP 422, Validation Failed\)/,
    ],
    ['conversations that are off', { status: 410, message: 'Issues are disabled' }, /has no pull request 7/],
  ])('%s is a line', async (_, trouble, line) => {
    await start();
    github.fail({ method: 'POST', ...trouble });
    expect(await told(keep('ours'))).toMatch(line);
  });

  it('an answer that is not of GitHub is a line', async () => {
    await start();
    github.fail({ method: 'GET', status: 200, message: 'I am a proxy' });
    expect(await told(keep('ours'))).toMatch(/its list of comments cannot be read/);
  });
});
