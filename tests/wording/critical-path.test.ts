import { it } from 'vitest';
import type { MainThreadCategory } from '../../src/model/main-thread.ts';
import { workInWords } from '../../src/wording/critical-path.ts';
import { expectApproved, outlined } from '../support/approved.ts';

const PAGE = 'https://shop.example/';
const vendor = { url: `${PAGE}js/vendor.js?v=2`, line: 12, column: 4 };

const CATEGORIES: readonly MainThreadCategory[] = [
  'scriptEvaluation',
  'scriptCompile',
  'parseHtml',
  'styleLayout',
  'paint',
  'garbageCollection',
  'other',
];

it('work of the main thread has its words', () => {
  const say = (category: MainThreadCategory, place?: Parameters<typeof workInWords>[0]['place']) =>
    workInWords({ category, ...(place && { place }) }, PAGE);
  return expectApproved(
    'wording/path-work',
    outlined({
      ...Object.fromEntries(
        CATEGORIES.map((category) => [category, [say(category), say(category, { ...vendor, function: 'build' })]]),
      ),
      'without a name': [say('scriptEvaluation', vendor), say('scriptEvaluation', { url: vendor.url })],
      'in the page': [
        say('scriptEvaluation', { url: PAGE, line: 7 }),
        say('scriptEvaluation', { url: PAGE, line: 7, function: 'start' }),
      ],
      'in the source': say('scriptEvaluation', {
        ...vendor,
        function: 'b',
        source: { file: 'src/widgets/badges.ts', line: 30, name: 'renderBadges' },
      }),
    }),
  );
});
