import { describe, expect, it } from 'vitest';
import { firstAnswers, firstParts } from '../../../../src/core/background/content/first-answers.ts';
import { shapeOf } from '../../../../src/core/background/content/message-shape.ts';
import type { Message } from '../../../../src/model/network/timeline.ts';
import { request, response } from '../../../support/factories.ts';

const sent = (text: string): Message => ({ at: 0, bytes: text.length, direction: 'sent', text });
const received = (text: string): Message => ({ ...sent(text), direction: 'received' });

/** What of it is a first answer. */
const answersIn = (...messages: readonly Message[]) => [...firstAnswers(messages).keys()].map(({ text }) => text);

describe('the first answers of a socket', () => {
  it.each([
    ['graphql-ws', '{"id":"3","type":"subscribe"}', '{"id":"3","type":"next","payload":{}}'],
    ['JSON-RPC', '{"jsonrpc":"2.0","id":7,"method":"rows"}', '{"jsonrpc":"2.0","id":7,"result":[]}'],
    ['SignalR', '{"type":4,"invocationId":"1","target":"Rows"}\u001e', '{"type":2,"invocationId":"1","item":1}\u001e'],
    ['Socket.IO', '421["rows"]', '431[[1,2]]'],
    ['Phoenix', '["1","4","room:7","open",{}]', '["1","4","room:7","phx_reply",{"status":"ok"}]'],
    ['WAMP', '[48,7814135,{},"rows"]', '[50,7814135,{},[[1,2]]]'],
    ['DDP, several at once', '{"msg":"sub","id":"Qm7s","name":"rows"}', '{"msg":"ready","subs":["b9Ez","Qm7s"]}'],
    [
      'DDP in frames of SockJS',
      '["{\\"msg\\":\\"sub\\",\\"id\\":\\"S1\\"}"]',
      'a["{\\"msg\\":\\"ready\\",\\"subs\\":[\\"S1\\"]}"]',
    ],
    ['STOMP', 'SUBSCRIBE\nid:sub-0\ndestination:/rows\n\n\0', 'MESSAGE\nsubscription:sub-0\nmessage-id:7\n\n[]\0'],
    ['Firebase', '{"t":"d","d":{"r":2,"a":"q","b":{"p":"/rows"}}}', '{"t":"d","d":{"r":2,"b":{"s":"ok","d":{}}}}'],
    ['an id by another name', '{"msg_id":12,"ask":"rows"}', '{"reply_to":12,"rows":[]}'],
  ])('carry the id of their question: %s', (_protocol, question, answer) => {
    expect(answersIn(sent(question), received(answer), received(answer))).toEqual([answer]);
    expect(answersIn(received(answer), sent(question))).toEqual([]);
  });

  it('are no heartbeats, no other ids, and nothing that cannot be read', () => {
    const question = sent('{"id":"3","type":"subscribe"}');
    expect(answersIn(question, received('{"type":"ping"}'), received('{"id":"4"}'), received('{"id":"3"'))).toEqual([]);
    expect(answersIn(sent('[null,"5","room:7","open",{}]'), received('[null,null,"room:7","news",{}]'))).toEqual([]);
    expect(answersIn(sent('ping'), received('pong'), sent('42["hello"]'), received('42["hello"]'))).toEqual([]);
  });

  it('are known without their texts', () => {
    const question = sent('["1","4","room:7","open",{}]');
    const answer = received('["1","4","room:7","phx_reply",{}]');
    const told = [question, answer].map(({ text: _text, ...message }, i) => ({
      ...message,
      ...shapeOf([question, answer][i] as Message),
    }));
    expect(firstAnswers(told).size).toBe(1);
  });
});

describe('what may be content of a socket of which nothing else is known', () => {
  const socket = (...messages: readonly (readonly [number, Message])[]) =>
    firstParts(
      request({
        type: 'websocket',
        startedAt: 400,
        response: response({ status: 101, at: 460 }),
        messages: messages.map(([at, message]) => ({ ...message, at })),
      }),
    ).counts;
  const ask = sent('{"jsonrpc":"2.0","id":1,"method":"rows"}');
  const answer = received('{"jsonrpc":"2.0","id":1,"result":[]}');
  const hello = received('{"hello":"v1"}');

  it('is its first part, and the first answers to what was asked at once', () => {
    expect(socket([480, hello], [5_000, received('{"ping":1}')])).toEqual({ from: 480, to: 480 });
    expect(socket([480, hello], [500, ask], [2_500, answer])).toEqual({ from: 480, to: 2_500 });
    expect(socket([470, ask], [2_500, answer])).toEqual({ from: 2_500, to: 2_500 });
    expect(socket()).toBeUndefined();
  });

  it('is known also where the file dates the handshake at the end of the socket', () => {
    const late = request({
      type: 'websocket',
      startedAt: 260,
      response: response({ status: 101, at: 9_000 }),
      messages: [
        { ...ask, at: 340 },
        { ...answer, at: 410 },
        { ...sent('{"jsonrpc":"2.0","id":2,"method":"rows"}'), at: 350 },
        { ...received('{"jsonrpc":"2.0","id":2,"result":[]}'), at: 1_550 },
      ],
    });
    expect(firstParts(late).counts).toEqual({ from: 410, to: 1_550 });
  });

  it('is no answer to a question by a timer, and none that comes far too late', () => {
    expect(socket([480, hello], [2_500, ask], [2_600, answer])).toEqual({ from: 480, to: 480 });
    expect(socket([480, hello], [500, ask], [12_000, answer])).toEqual({ from: 480, to: 480 });
  });
});
