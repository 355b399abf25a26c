import type { Message } from '../../model/timeline.ts';

/**
 * Keys whose value joins an answer with its question. Sources: graphql-ws and JSON-RPC (`id`), SignalR (`invocationId`),
 * Phoenix and Action Cable clients (`ref`), Slack and chat APIs (`reply_to`, `nonce`), home-made ones (`requestId`, `seq`).
 */
const JOINING_KEY =
  /^(?:_?id|ref|seq|nonce|cid|rid|mid|reply_?to|(?:req|request|invocation|message|msg|correlation|query|subscription|call|operation)_?id)$/i;

/**
 * The messages that are the first answer to a question which the page asked over the same socket: they carry the id that
 * the question carried. However late it comes, the page asked for it.
 *
 * @param messages of one socket, in the order in which they went over it
 */
export function firstAnswers(messages: readonly Message[]): ReadonlySet<Message> {
  const asked = new Set<string>();
  const first = new Set<Message>();
  for (const message of messages) {
    const joints = jointsOf(message);
    if (message.direction === 'sent') for (const joint of joints) asked.add(joint);
    // A question has one first answer: what carries its id later is an update.
    else for (const joint of joints) if (asked.delete(joint)) first.add(message);
  }
  return first;
}

/** The ids that a message carries, by their values: some protocols name them differently in question and answer. */
function jointsOf({ text = '' }: Message): readonly string[] {
  // Socket.IO: an event that wants an answer has a number, and its answer has the same.
  const packet = /^4[23](?:\/[\w-]+,)?(\d+)\[/.exec(text)?.[1];
  if (packet !== undefined) return [`packet ${packet}`];
  if (!/^\s*\{/.test(text)) return [];
  // SignalR ends each of its records with a separator.
  return text.split('\u001e').flatMap((record) => {
    const value = parsed(record);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, id]) =>
      JOINING_KEY.test(key) && (typeof id === 'string' || typeof id === 'number') ? [String(id)] : [],
    );
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
