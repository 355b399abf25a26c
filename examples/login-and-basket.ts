/**
 * Logs into a shop and measures two actions of a member. Try it with the example shop of this repository
 * (`PORT=4100 node fixtures/serve.ts members` in another terminal):
 *
 *   SHOP_USER=ada SHOP_PASSWORD=second-bridge-4 quiesce audit http://127.0.0.1:4100/members/ --script examples/login-and-basket.ts
 */
import type { Script } from 'quiesce';

export default {
  // Runs before each load, in a separate page. Cookies and storage stay; nothing of it is measured or stored.
  async before(page, { url, env }) {
    await page.goto(new URL('login', url).href);
    await page.type('[name=user]', env.SHOP_USER ?? '');
    await page.type('[name=password]', env.SHOP_PASSWORD ?? '');
    await Promise.all([page.waitForNavigation(), page.click('button')]);
    // Without this check, a wrong password would measure the login page.
    if ((await page.$('#products')) === null) throw new Error('The shop did not let us in.');
  },

  // Runs after the load is complete, in the loaded page. Each step has its own page complete, waterfall and HAR.
  async measure(page, step) {
    await step('add to basket', async () => {
      await page.click('#add');
      // A step lasts at least until its function returns. Wait for what a user waits to see, not for the network.
      await page.waitForSelector('#lines li');
    });
    await step('open orders', () => page.click('#to-orders'));
  },
} satisfies Script;
