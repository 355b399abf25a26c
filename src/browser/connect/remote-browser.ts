import { lookup } from 'node:dns/promises';
import os from 'node:os';
import type { CDPSession } from 'puppeteer-core';
import { browserClock } from '../record/clocks/clock.ts';

/**
 * Does a browser run on another machine than this program?
 *
 * @param page a blank page of the browser
 * @param address where Quiesce has connected to it
 */
export type RemoteCheck = (page: CDPSession, address: string) => Promise<boolean>;

/** What rounding adds to the difference between two readings of one clock, seconds. */
const ROUNDING = 0.005;

/**
 * Compares clocks, because an address of this machine may be the end of a tunnel. On Linux browsers and Node read the
 * kernel's monotonic clock: the same one means the same machine, also in containers. On other systems the address decides.
 * Source: man 2 clock_gettime, CLOCK_MONOTONIC.
 */
export const isRemoteBrowser: RemoteCheck = async (page, address) => {
  const isSameClock = process.platform === 'linux' ? await hasOurClock(page).catch(() => undefined) : undefined;
  return isSameClock === undefined ? isRemoteAddress(address) : !isSameClock;
};

async function hasOurClock(page: CDPSession): Promise<boolean> {
  await page.send('Performance.enable', { timeDomain: 'timeTicks' });
  const clock = await browserClock(page);
  return Math.abs(clock.now() - Number(process.hrtime.bigint()) / 1e9) <= clock.error + ROUNDING;
}

/** Is an address another machine's? A name that cannot be looked up counts as one. */
export async function isRemoteAddress(address: string): Promise<boolean> {
  if (!URL.canParse(address)) return true;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = new Set(
    Object.values(os.networkInterfaces()).flatMap((each) => each?.map(({ address: known }) => known) ?? []),
  );
  const isOwn = (known: string): boolean => /^127\.|^::1$|^0\.0\.0\.0$|^::$/.test(known) || own.has(known);
  return found.length === 0 || !found.every(({ address: known }) => isOwn(known));
}
