import type { Script } from '../../../../src/index.ts';

/** Clicks the page's button, and waits for nothing. */
export default {
  async measure(page, step) {
    await step('click', () => page.click('button'));
  },
} satisfies Script;
