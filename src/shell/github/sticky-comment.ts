import { z } from 'zod';
import { hasMarker } from '../../core/github/marker.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { type GithubAnswer, type GithubClient, statusInWords } from './client.ts';
import type { Repository } from './github-environment.ts';

/** The place of a comment. */
export interface CommentPlace {
  readonly repository: Repository;
  /** Number of the pull request. */
  readonly pull: number;
  /** One comment for each key. */
  readonly key: string;
}

const account = z.looseObject({ id: z.number(), type: z.string() });
const comment = z.looseObject({
  id: z.int(),
  body: z.string().nullish(),
  html_url: z.url({ protocol: /^https?$/ }).optional(),
  user: account.nullish(),
});
type Comment = z.infer<typeof comment>;

/** Comments per page of a list: GitHub's maximum. */
const PAGE_SIZE = 100;
/** How often to look for a comment that may have been written, or has just been removed. */
const MAX_ATTEMPTS = 8;
/** How many pages of comments are read. */
const MAX_PAGES = 100;

/**
 * Creates the comment with this key, or updates the one that is there, and removes duplicates that other jobs have written
 * at the same time. Comments of other accounts are not touched. Returns the comment's URL.
 *
 * @param body begins with the marker of the key
 * @throws QuiesceError `github-read-only`, `github-not-found`, `github-refused` or `github-unreachable`
 */
export async function upsertComment(
  client: GithubClient,
  place: CommentPlace,
  body: string,
): Promise<string | undefined> {
  return (await writeComment(client, place, body)).html_url;
}

async function writeComment(client: GithubClient, place: CommentPlace, body: string): Promise<Comment> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const own = await ownComments(client, place);
    if (own.length > 0) {
      const kept = await keepOldest(client, place, own, body);
      // It was removed since it was listed.
      if (kept === undefined) continue;
      return kept;
    }
    const answer = await client.requestOnce({ method: 'POST', path: commentsOf(place), body: { body } }, attempt);
    // It is not known whether it was written: the next attempt looks for it.
    if (answer === undefined) continue;
    const created = commentIn(accepted(answer, place));
    return (await removeDuplicates(client, place, created, body)) ?? created;
  }
  throw new QuiesceError('github-unreachable', { detail: 'it does not show what was written' });
}

/** Removes comments that other jobs have written at the same time. Errors are ignored: our comment is there. */
async function removeDuplicates(
  client: GithubClient,
  place: CommentPlace,
  created: Comment,
  body: string,
): Promise<Comment | undefined> {
  try {
    const all = await marked(client, place);
    const own = all.filter(({ user }) => user !== null && user !== undefined && user.id === created.user?.id);
    return own.length > 1 ? await keepOldest(client, place, own, body) : created;
  } catch (error) {
    if (error instanceof QuiesceError) return created;
    throw error;
  }
}

/** Updates the oldest comment, whichever job has written it, and removes the others. Undefined when it is gone. */
async function keepOldest(
  client: GithubClient,
  place: CommentPlace,
  own: readonly Comment[],
  body: string,
): Promise<Comment | undefined> {
  const [oldest, ...later] = own.toSorted((a, b) => a.id - b.id);
  if (oldest === undefined) return undefined;
  const answer = await client.request({ method: 'PATCH', path: commentAt(place, oldest), body: { body } });
  if (answer.status === 404) return undefined;
  const kept = commentIn(accepted(answer, place));
  await remove(client, place, later);
  return kept;
}

/** Errors are ignored: another job may have removed them, or the next one will. */
async function remove(client: GithubClient, place: CommentPlace, later: readonly Comment[]): Promise<void> {
  try {
    for (const each of later) await client.request({ method: 'DELETE', path: commentAt(place, each) });
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
  }
}

function commentIn(body: unknown): Comment {
  const read = comment.safeParse(body);
  if (read.success) return read.data;
  throw new QuiesceError('github-refused', { detail: 'its answer cannot be read' }, { cause: read.error });
}

/** The comments with this key by the token's own account. */
async function ownComments(client: GithubClient, place: CommentPlace): Promise<readonly Comment[]> {
  const found = await marked(client, place);
  // Without comments, the account does not matter.
  if (found.length === 0) return [];
  const { status, body } = await client.request({ method: 'GET', path: '/user' });
  const self = status === 200 ? account.safeParse(body).data : undefined;
  // The token of a job or an app has no user: its comments are those of a bot, and no stranger is a bot.
  return found.filter(({ user }) => (self === undefined ? user?.type === 'Bot' : user?.id === self.id));
}

/** All comments that begin with the marker, of any account. */
async function marked(client: GithubClient, place: CommentPlace): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  let path: string | undefined = `${commentsOf(place)}?per_page=${PAGE_SIZE}`;
  for (let page = 0; path !== undefined && page < MAX_PAGES; page += 1) {
    const answer: GithubAnswer = await client.request({ method: 'GET', path });
    const listed = z.array(comment).safeParse(accepted(answer, place));
    if (!listed.success) throw new QuiesceError('github-refused', { detail: 'its list of comments cannot be read' });
    found.push(...listed.data.filter((each) => hasMarker(each.body ?? '', place.key)));
    path = answer.next;
  }
  return found;
}

const commentsOf = ({ repository: { owner, name }, pull }: CommentPlace): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/${pull}/comments`;

const commentAt = ({ repository: { owner, name } }: CommentPlace, { id }: Comment): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/comments/${id}`;

/** The body of a successful answer. */
function accepted(answer: GithubAnswer, { pull }: CommentPlace): unknown {
  const { status, message, body } = answer;
  if (status >= 200 && status < 300) return body;
  const detail = statusInWords(answer);
  if (status === 403 && /locked/i.test(message)) throw new QuiesceError('github-refused', { detail });
  // 403: the repository can be read, but the token lacks the permission. 410: conversations are disabled.
  if (status === 403) throw new QuiesceError('github-read-only', { detail });
  if (status === 404 || status === 410) throw new QuiesceError('github-not-found', { pull });
  throw new QuiesceError('github-refused', { detail });
}
