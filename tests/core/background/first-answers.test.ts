import { describe, expect, it } from 'vitest';
import { firstAnswers } from '../../../src/core/background/first-answers.ts';
import type { Message } from '../../../src/model/timeline.ts';

const sent = (text: string): Message => ({ at: 0, bytes: text.length, direction: 'sent', text });
const received = (text: string): Message => ({ ...sent(text), direction: 'received' });

/** What of it is a first answer. */
const answersIn = (...messages: readonly Message[]) => [...firstAnswers(messages)].map(({ text }) => text);

describe('the first answers of a socket', () => {
  it.each([
    ['graphql-ws', '{"id":"3","type":"subscribe"}', '{"id":"3","type":"next","payload":{}}'],
    ['JSON-RPC', '{"jsonrpc":"2.0","id":7,"method":"rows"}', '{"jsonrpc":"2.0","id":7,"result":[]}'],
    ['SignalR', '{"type":4,"invocationId":"1","target":"Rows"}\u001e', '{"type":2,"invocationId":"1","item":1}\u001e'],
    ['Socket.IO', '421["rows"]', '431[[1,2]]'],
    ['an id by another name', '{"msg_id":12,"ask":"rows"}', '{"reply_to":12,"rows":[]}'],
  ])('carry the id of their question: %s', (_protocol, question, answer) => {
    expect(answersIn(sent(question), received(answer), received(answer))).toEqual([answer]);
    expect(answersIn(received(answer), sent(question))).toEqual([]);
  });

  it('are no heartbeats, no other ids, and nothing that cannot be read', () => {
    const question = sent('{"id":"3","type":"subscribe"}');
    expect(answersIn(question, received('{"type":"ping"}'), received('{"id":"4"}'), received('{"id":"3"'))).toEqual([]);
    expect(answersIn(sent('ping'), received('pong'), sent('42["hello"]'), received('42["hello"]'))).toEqual([]);
  });
});
