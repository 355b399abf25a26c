import type { Script } from '../../../../src/index.ts';

/** What the fixture `members` lets in, and what must stand in no file. */
export const PASSWORD = 'second-bridge-4';

/** Logs into the fixture `members` and does what its members do. */
export default {
  async before(page, { url, env }) {
    await page.goto(new URL('login', url).href);
    await page.type('[name=user]', 'ada');
    await page.type('[name=password]', env.MEMBERS_PASSWORD ?? PASSWORD);
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    if ((await page.$('#products')) === null) throw new Error(`not let in with ${env.MEMBERS_PASSWORD}`);
  },
  async measure(page, step) {
    await step('Add to basket!', async () => {
      await page.click('#add');
      await page.waitForSelector('#lines li');
    });
    await step('open orders', () => page.click('#to-orders'));
  },
} satisfies Script;
