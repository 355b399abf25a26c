import { describe, expect, it } from 'vitest';
import type { CompletionReason, WaitingFor, WatchReason } from '../../src/model/completion.ts';
import {
  completionReasonInWords,
  waitingForInWords,
  watchReasonInWords,
  whileWaiting,
} from '../../src/wording/waiting-for.ts';

const PAGE = 'https://shop.example/';

type Samples<T extends { readonly code: string }> = {
  readonly [C in T['code']]: readonly [fact: Extract<T, { readonly code: C }>, text: string];
};

const WAITING: Samples<WaitingFor> = {
  endpoint: [{ code: 'endpoint', endpoint: `GET ${PAGE}api` }, 'GET https://shop.example/api'],
  'quiet-window': [{ code: 'quiet-window' }, 'the end of the quiet window'],
  'first-paint': [{ code: 'first-paint' }, 'the first paint'],
  'stream-content': [
    { code: 'stream-content', endpoint: 'GET https://a.example/live' },
    'content from GET https://a.example/live, which the untimed run had seen',
  ],
  'main-thread': [{ code: 'main-thread' }, 'the end of a long task'],
  handshake: [
    { code: 'handshake', endpoint: 'GET wss://a.example/live' },
    'the server to accept GET wss://a.example/live',
  ],
  'load-event': [{ code: 'load-event' }, 'the load event'],
  action: [{ code: 'action' }, 'the end of the action'],
  mark: [{ code: 'mark', completeOn: '#done' }, '#done'],
  'whole-recording': [{ code: 'whole-recording' }, 'a file that holds the whole load'],
  'goes-on': [
    { code: 'goes-on', endpoint: `GET ${PAGE}job`, kind: 'poll' },
    'whether GET https://shop.example/job continues (poll)',
  ],
  'becomes-rhythm': [
    { code: 'becomes-rhythm', endpoint: `GET ${PAGE}inbox`, interval: 2_600 },
    'whether GET https://shop.example/inbox is repeated regularly (requested again after 2.60 s)',
  ],
  'comes-back': [{ code: 'comes-back' }, 'whether its scripts repeat a request slowly'],
  recorded: [{ code: 'recorded', text: 'the load event' }, 'the load event'],
};

const COMPLETED: Samples<CompletionReason> = {
  mark: [{ code: 'mark', completeOn: '#x' }, "the page's own mark was reached: #x"],
  'first-paint': [{ code: 'first-paint' }, 'its first content was painted'],
  drawn: [{ code: 'drawn' }, 'the page had drawn the last of its content'],
  paint: [{ code: 'paint' }, 'the last thing the page needed was its largest paint'],
  response: [{ code: 'response', url: `${PAGE}api?a=1` }, 'the last thing the page needed was /api'],
  'stream-content': [
    { code: 'stream-content', url: 'https://news.example/prices' },
    'the last thing the page needed was content from a stream, https://news.example/prices',
  ],
  action: [{ code: 'action' }, 'the last thing was the end of the action'],
  'dom-content-loaded': [{ code: 'dom-content-loaded' }, 'the last thing was the end of parsing (DOMContentLoaded)'],
  load: [{ code: 'load' }, 'the last thing was the load event'],
};

const WATCHED: Samples<WatchReason> = {
  limit: [{ code: 'limit' }, 'the limit was reached'],
  'recording-ends': [{ code: 'recording-ends' }, 'the recording ends there'],
  mark: [{ code: 'mark' }, "the page's own mark was reached"],
  'first-paint': [{ code: 'first-paint' }, 'its first paint, which did not come'],
  'quiet-window': [{ code: 'quiet-window', quietWindow: 3_000 }, 'the quiet window of 3.00 s'],
  'expected-content': [
    { code: 'expected-content', quietWindow: 500 },
    '500 ms of silence after everything that loads watched for longer had needed',
  ],
};

describe('what is waited for', () => {
  it.each(Object.entries(WAITING))('%s', (_, [fact, text]) => {
    expect(waitingForInWords(fact)).toBe(text);
  });

  it('has addresses cut short in sentences', () => {
    expect(waitingForInWords(WAITING['goes-on'][0], PAGE)).toBe('whether GET /job continues (poll)');
    expect(waitingForInWords({ code: 'recorded', text: `GET ${PAGE}a?b=1` }, PAGE)).toBe('GET /a');
  });

  it('is told apart from questions in a sentence', () => {
    const waitingForFacts = [WAITING['load-event'][0], WAITING['goes-on'][0]];
    expect(whileWaiting({ waitingForFacts }, PAGE)).toBe(
      'while waiting for the load event and before it was known whether GET /job continues (poll)',
    );
    expect(whileWaiting({ waitingFor: ['the load event'] })).toBe('while waiting for the load event');
    expect(whileWaiting(undefined)).toBe('while waiting for nothing it could name');
  });
});

it.each(Object.entries(COMPLETED))('what happened when it was complete: %s', (_, [fact, text]) => {
  expect(completionReasonInWords(fact, PAGE)).toBe(text);
});

describe('why it was watched so long', () => {
  it.each(Object.entries(WATCHED))('%s', (_, [fact, text]) => {
    expect(watchReasonInWords(fact, PAGE)).toBe(text);
  });

  it('names the first of several questions', () => {
    const questions = [WAITING['becomes-rhythm'][0], WAITING['goes-on'][0]];
    expect(watchReasonInWords({ code: 'quiet-window', quietWindow: 3_000, questions }, PAGE)).toBe(
      'the quiet window of 3.00 s, and to learn whether GET /inbox is repeated regularly (requested again after 2.60 s) and 1 other question',
    );
  });
});
