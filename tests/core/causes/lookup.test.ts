import { expect, it } from 'vitest';
import { chainsOfCauses } from '../../../src/core/causes/lookup.ts';
import type { ShownCause } from '../../../src/model/completion/causes.ts';

const at = (path: string): string => `https://shop.test${path}`;
const shown = (path: string, cause: ShownCause['cause'], by?: string, place?: string): ShownCause => ({
  requestId: path,
  url: at(path),
  cause,
  ...(by !== undefined && { by, byUrl: at(by) }),
  ...(place !== undefined && { place: { url: at(place) } }),
});

it('tells all that led to a request, back to the page: code that asked, and what that waited for', () => {
  const chains = chainsOfCauses([
    shown('/app.js', 'parser', '/'),
    shown('/list', 'script', '/app.js', '/app.js'),
    shown('/item', 'message', '/list', '/view.js'),
    shown('/lost', 'unknown'),
    shown('/behind', 'response', '/lost', '/app.js'),
  ]);
  expect(Object.fromEntries(chains)).toEqual({
    [at('/app.js')]: [at('/')],
    [at('/list')]: [at('/app.js'), at('/')],
    [at('/item')]: [at('/view.js'), at('/list'), at('/app.js'), at('/')],
  });
});

it('comes to an end where causes lead in a circle', () => {
  expect(chainsOfCauses([shown('/a', 'response', '/b'), shown('/b', 'response', '/a')]).size).toBe(0);
});
