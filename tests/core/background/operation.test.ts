import { expect, it } from 'vitest';
import { operationOf } from '../../../src/core/background/operation.ts';

const FORM = 'application/x-www-form-urlencoded; charset=UTF-8';

it.each([
  ['application/json', '{"operationName":"Orders","query":"query Other { a }"}', 'Orders'],
  ['application/json', '{"query":"query Orders($id: ID) { a }"}', 'Orders'],
  ['application/json', '[{"channel":"/meta/connect"}]', '/meta/connect'],
  [FORM, 'action=heartbeat&id=7', 'heartbeat'],
  [FORM, 'id=7', undefined],
  ['text/plain', 'action=heartbeat', undefined],
  ['application/json', '{"action":', undefined],
])('the operation of %s %s is %s', (mimeType, text, operation) => {
  expect(operationOf({ mimeType, text, size: text.length })).toBe(operation);
});
