import { lookup } from 'node:dns/promises';
import os from 'node:os';
import type { CDPSession } from 'puppeteer-core';
import { readRenderer } from './clock.ts';

/**
 * Does a browser run on another machine than this program?
 *
 * @param page a blank one in it
 * @param address where it was connected to
 */
export type Whereabouts = (page: CDPSession, address: string) => Promise<boolean>;

/** How often the clock is read; the soonest answer counts. */
const READINGS = 3;
/** Two readings of one clock are apart by no more than half the way there and back, and this for rounding, ms. */
const SAME_CLOCK_MS = 5;

/**
 * By the clock, where it tells: on Linux browsers and Node count from the start of the kernel, so that two that agree run on
 * one machine, also in containers of it, and two that do not run on two, also behind a tunnel. Else by the address.
 * Source: man 2 clock_gettime, CLOCK_MONOTONIC.
 */
export const runsElsewhere: Whereabouts = async (page, address) => {
  const apart = process.platform === 'linux' ? await clocksApart(page).catch(() => undefined) : undefined;
  return apart ?? leadsElsewhere(address);
};

/** True when the browser's clock is another kernel's. */
async function clocksApart(page: CDPSession): Promise<boolean> {
  await page.send('Performance.enable', { timeDomain: 'timeTicks' });
  let apart = true;
  for (let i = 0; i < READINGS && apart; i += 1) {
    const asked = millisecondsSinceStart();
    const { timestamp } = await readRenderer(page);
    const answered = millisecondsSinceStart();
    const difference = Math.abs(timestamp * 1000 - (asked + answered) / 2);
    apart = difference > (answered - asked) / 2 + SAME_CLOCK_MS;
  }
  return apart;
}

function millisecondsSinceStart(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Is an address another machine's? Then what listens on this machine's own addresses cannot be reached from there. A name
 * that nobody knows is no machine's, and so not this one's.
 */
export async function leadsElsewhere(address: string): Promise<boolean> {
  if (!URL.canParse(address)) return true;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(host, { all: true }).catch(() => []);
  const own = new Set(
    Object.values(os.networkInterfaces()).flatMap((each) => each?.map(({ address: known }) => known) ?? []),
  );
  const isHere = (known: string): boolean => /^127\.|^::1$|^0\.0\.0\.0$|^::$/.test(known) || own.has(known);
  return found.length === 0 || !found.every(({ address: known }) => isHere(known));
}
