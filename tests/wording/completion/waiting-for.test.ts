import { it } from 'vitest';
import type { CompletionReason, WaitingFor, WatchReason } from '../../../src/model/completion/completion.ts';
import {
  completionReasonInWords,
  waitingForInWords,
  watchReasonInWords,
  whileWaiting,
} from '../../../src/wording/completion/waiting-for.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const PAGE = 'https://shop.example/';

const WAITING: Samples<WaitingFor> = {
  endpoint: [{ endpoint: `GET ${PAGE}api` }],
  'quiet-window': [{}],
  'first-paint': [{}],
  'stream-content': [{ endpoint: 'GET https://a.example/live' }],
  'main-thread': [{}],
  handshake: [{ endpoint: 'GET wss://a.example/live' }],
  'load-event': [{}],
  action: [{}],
  mark: [{ completeOn: '#done' }],
  'whole-recording': [{}],
  'goes-on': [{ endpoint: `GET ${PAGE}job`, kind: 'poll' }],
  'becomes-rhythm': [{ endpoint: `GET ${PAGE}inbox`, interval: 2_600 }],
  'comes-back': [{}],
  recorded: [{ text: 'the load event' }, { text: `GET ${PAGE}a?b=1` }],
};

const COMPLETED: Samples<CompletionReason> = {
  mark: [{ completeOn: '#x' }],
  'first-paint': [{}],
  drawn: [{}],
  paint: [{}],
  response: [{ url: `${PAGE}api?a=1` }],
  'stream-content': [{ url: 'https://news.example/prices' }],
  action: [{}],
  'dom-content-loaded': [{}],
  load: [{}],
};

const WATCHED: Samples<WatchReason> = {
  limit: [{}],
  'recording-ends': [{}],
  mark: [{}],
  'first-paint': [{}],
  'quiet-window': [
    { quietWindow: 3_000 },
    {
      quietWindow: 3_000,
      questions: [
        { code: 'becomes-rhythm', endpoint: `GET ${PAGE}inbox`, interval: 2_600 },
        { code: 'goes-on', endpoint: `GET ${PAGE}job`, kind: 'poll' },
      ],
    },
  ],
  'expected-content': [{ quietWindow: 500 }],
};

it('what is waited for, what happened last and why it was watched so long have their words', () => {
  const question = { code: 'goes-on', endpoint: `GET ${PAGE}job`, kind: 'poll' } as const;
  return expectApproved(
    'wording/waiting-for',
    outlined({
      'it waited for': wordsOf(WAITING, waitingForInWords),
      'it waited for, in a sentence about the page': wordsOf(WAITING, (fact) => waitingForInWords(fact, PAGE)),
      'it is complete because': wordsOf(COMPLETED, (fact) => completionReasonInWords(fact, PAGE)),
      'it was watched for': wordsOf(WATCHED, (fact) => watchReasonInWords(fact, PAGE)),
      'it ended': [
        whileWaiting({ waitingForFacts: [{ code: 'load-event' }, question] }, PAGE),
        whileWaiting({ waitingFor: ['the load event'] }),
        whileWaiting(undefined),
      ],
    }),
  );
});
