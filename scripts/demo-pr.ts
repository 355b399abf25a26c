/**
 * `npm run demo:pr`: plays a pull request on this machine. Two pushes to it are compared with the base by the command
 * line, in a real browser, as the action does it in a job; a GitHub on this machine takes the comment. The first push
 * makes the shop's largest picture come late and asks for the stock once a second; the second one mends the picture.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildName, startBuildServer } from '../fixtures/builds.ts';
import { type FakeGithub, REPOSITORY, startFakeGithub, TOKEN } from '../fixtures/github/server.ts';

const CLI = fileURLToPath(new URL('../bin/quiesce.js', import.meta.url));
const PULL = 7;
const PUSHES: readonly { readonly words: string; readonly build: BuildName; readonly sha: string }[] = [
  { words: 'a carousel for the hero picture, and live stock', build: 'carousel', sha: '5e1f0c9b'.repeat(5) },
  { words: 'the hero picture stands in the page again', build: 'poll', sha: 'a7c3d2e4'.repeat(5) },
];
/** A minute for each push: fewer loads than a job would take, and less silence after them. */
const QUICK = ['--max-pairs', '6', '--looks', '6', '--quiet-window', '500ms', '--seed', '7'];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** Runs the command line before the user's eyes; what it prints as its result comes back. */
async function quiesce(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  say(`\n$ quiesce ${args.join(' ')}\n`);
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, printed };
}

/** What a job is told by its environment. */
async function jobOf(hub: FakeGithub, sha: string, run: number, folder: string) {
  const event = path.join(folder, 'event.json');
  await writeFile(event, JSON.stringify({ pull_request: { number: PULL, head: { sha } } }));
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: hub.url,
    GITHUB_SERVER_URL: hub.url,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_RUN_ID: String(run),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: event,
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
    GITHUB_OUTPUT: path.join(folder, 'outputs'),
    GITHUB_TOKEN: TOKEN,
  };
}

/** Measures a push and tells GitHub of it; true when both could be done. */
async function play(hub: FakeGithub, base: string, index: number, folder: string): Promise<boolean> {
  const push = PUSHES[index];
  if (push === undefined) return false;
  const number = index + 1;
  say(`\n━━ Push ${number} to pull request ${PULL}: ${push.words}`);
  const candidate = await startBuildServer({ build: push.build });
  try {
    const out = path.join('reports', 'demo-pr', `push-${number}`);
    await rm(out, { recursive: true, force: true });
    const formats = ['--format', 'html,json,har,md,junit'];
    const job = { GITHUB_SHA: push.sha, GITHUB_HEAD_REF: 'carousel' };
    const measured = await quiesce(['compare', base, candidate.url, '--out', out, ...formats, ...QUICK], job);
    if (![0, 1, 4].includes(measured.code)) return false;
    const artifact = `${hub.url}/${REPOSITORY}/actions/runs/${number}/artifacts/1`;
    const told = await quiesce(['github', out, '--report-url', artifact], await jobOf(hub, push.sha, number, folder));
    say(`\n━━ What the job says (it ends with ${told.code}), in the language of its runner:\n\n${told.printed}`);
    const [comment] = hub.comments;
    say(`━━ The comment after push ${number}:\n`);
    process.stdout.write(`${comment?.body ?? 'There is none.'}\n`);
    return comment !== undefined;
  } finally {
    await candidate.close();
  }
}

const began = performance.now();
const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-demo-'));
const hub = await startFakeGithub({
  pulls: [{ number: PULL, head: { label: 'octo:carousel', sha: PUSHES[0]?.sha ?? '' } }],
});
const base = await startBuildServer({ build: 'same' });
try {
  let done = true;
  for (let i = 0; done && i < PUSHES.length; i += 1) done = await play(hub, base.url, i, folder);
  const [written, changed] = (['POST', 'PATCH'] as const).map(
    (method) => hub.seen.filter((request) => request.method === method).length,
  );
  say(
    `━━ Comments on the pull request: ${hub.comments.length}, written ${written} time, then changed ${changed} time.`,
  );
  say(`   Reports: ${path.join('reports', 'demo-pr')}. It took ${Math.round((performance.now() - began) / 1000)} s.`);
  process.exitCode = done && hub.comments.length === 1 ? 0 : 1;
} finally {
  await Promise.all([hub.close(), base.close(), rm(folder, { recursive: true, force: true })]);
}
