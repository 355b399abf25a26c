import { z } from 'zod';
import { hasMarker } from '../../core/github/marker.ts';
import { UsageError } from '../../core/messages.ts';
import type { GithubAnswer, GithubClient } from './client.ts';
import type { Repository } from './surroundings.ts';

/** Where a comment belongs. */
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

/** Comments of one page of a list; GitHub gives no more. */
const PAGE = 100;
/** As often is looked for what may have been written, or was there a moment ago. */
const MOST_ATTEMPTS = 8;
/** More pages than any pull request has. */
const MOST_PAGES = 100;

/**
 * Writes the comment with this key, or brings the one that is there up to date, and removes what other jobs wrote beside
 * it meanwhile. Comments of others are left alone whatever they begin with. Gives the comment's address.
 *
 * @param body begins with the marker of the key
 * @throws UsageError `github-read-only`, `github-not-found`, `github-refused` or `github-unreachable`
 */
export async function keepComment(
  client: GithubClient,
  place: CommentPlace,
  body: string,
): Promise<string | undefined> {
  return (await writeComment(client, place, body)).html_url;
}

async function writeComment(client: GithubClient, place: CommentPlace, body: string): Promise<Comment> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const own = await ownComments(client, place);
    if (own.length > 0) {
      const kept = await keepOldest(client, place, own, body);
      // Somebody removed it since it was listed.
      if (kept === undefined) continue;
      return kept;
    }
    const answer = await client.askOnce({ method: 'POST', path: commentsOf(place), body: { body } }, attempt);
    // Nobody knows whether it was written: the next round looks for it.
    if (answer === undefined) continue;
    const created = commentIn(accepted(answer, place));
    return (await withoutRivals(client, place, created, body)) ?? created;
  }
  throw new UsageError('github-unreachable', { detail: 'it does not show what was written' });
}

/** Another job may have written a comment at the same time. That ours is there stands, whatever becomes of that. */
async function withoutRivals(
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
    if (error instanceof UsageError) return created;
    throw error;
  }
}

/** The first comment stays, whichever job wrote it, and says what was said last. Undefined when it is gone. */
async function keepOldest(
  client: GithubClient,
  place: CommentPlace,
  own: readonly Comment[],
  body: string,
): Promise<Comment | undefined> {
  const [oldest, ...later] = own.toSorted((a, b) => a.id - b.id);
  if (oldest === undefined) return undefined;
  const answer = await client.ask({ method: 'PATCH', path: commentAt(place, oldest), body: { body } });
  if (answer.status === 404) return undefined;
  const kept = commentIn(accepted(answer, place));
  await remove(client, place, later);
  return kept;
}

/** What was said stands whatever becomes of these: another job may have been quicker, or the next one is. */
async function remove(client: GithubClient, place: CommentPlace, later: readonly Comment[]): Promise<void> {
  try {
    for (const each of later) await client.ask({ method: 'DELETE', path: commentAt(place, each) });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
  }
}

function commentIn(body: unknown): Comment {
  const read = comment.safeParse(body);
  if (read.success) return read.data;
  throw new UsageError('github-refused', { detail: 'its answer cannot be read' }, { cause: read.error });
}

/** The comments with this key that the token's own account wrote. */
async function ownComments(client: GithubClient, place: CommentPlace): Promise<readonly Comment[]> {
  const found = await marked(client, place);
  // Who we are need not be known where there is nothing.
  if (found.length === 0) return [];
  const { status, body } = await client.ask({ method: 'GET', path: '/user' });
  const self = status === 200 ? account.safeParse(body).data : undefined;
  // The token of a job or an app is no user's and may not ask: what it writes is a bot's, which no stranger is.
  return found.filter(({ user }) => (self === undefined ? user?.type === 'Bot' : user?.id === self.id));
}

/** All comments that begin with the marker, whoever wrote them. */
async function marked(client: GithubClient, place: CommentPlace): Promise<readonly Comment[]> {
  const found: Comment[] = [];
  let path: string | undefined = `${commentsOf(place)}?per_page=${PAGE}`;
  for (let page = 0; path !== undefined && page < MOST_PAGES; page += 1) {
    const answer: GithubAnswer = await client.ask({ method: 'GET', path });
    const listed = z.array(comment).safeParse(accepted(answer, place));
    if (!listed.success) throw new UsageError('github-refused', { detail: 'its list of comments cannot be read' });
    found.push(...listed.data.filter((each) => hasMarker(each.body ?? '', place.key)));
    path = answer.next;
  }
  return found;
}

const commentsOf = ({ repository: { owner, name }, pull }: CommentPlace): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/${pull}/comments`;

const commentAt = ({ repository: { owner, name } }: CommentPlace, { id }: Comment): string =>
  `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/comments/${id}`;

/** The body of an answer that did what was asked. */
function accepted({ status, message, body }: GithubAnswer, { pull }: CommentPlace): unknown {
  if (status >= 200 && status < 300) return body;
  const detail = `HTTP ${status}${message === '' ? '' : `, ${message}`}`;
  if (status === 403 && /locked/i.test(message)) throw new UsageError('github-refused', { detail });
  // Of a repository that may be read, 403 is what a token without the permission gets. 410: conversations are off.
  if (status === 403) throw new UsageError('github-read-only', { detail });
  if (status === 404 || status === 410) throw new UsageError('github-not-found', { detail: `pull request ${pull}` });
  throw new UsageError('github-refused', { detail });
}
