import type { CDPSession } from 'puppeteer-core';
import { secretsInAddress, shownAddress } from '../../core/access/browser-address.ts';
import { createEraser } from '../../core/access/secrets.ts';
import { REDACTED } from '../../core/har/redact.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { withProbePage } from '../context/probe-page.ts';
import type { RunningBrowser } from './browser.ts';
import { ConnectionError } from './connection-error.ts';
import { connectTo } from './devtools-address.ts';
import { firstLine } from './first-line.ts';
import { noteOnArguments } from './flags.ts';
import { startInactivityTimeout } from './inactivity-timeout.ts';
import { isRemoteBrowser, type RemoteCheck } from './remote-browser.ts';
import { noteOnDistance, roundTrip } from './round-trip.ts';
import { openSessions } from './sessions.ts';
import type { SharedTransport } from './shared-transport.ts';
import { withTimeout } from './with-timeout.ts';

/** How long a browser may take, once connected, until it has shown that it can be measured in, ms. */
const SETUP_TIMEOUT_MS = 30_000;

/**
 * Connects to a running browser. Everything goes over one connection: a second one to the same address may lead to another
 * browser.
 *
 * @throws QuiesceError `browser-unreachable`
 */
export async function connectToBrowser(
  address: string,
  isRemote: RemoteCheck = isRemoteBrowser,
): Promise<RunningBrowser> {
  let transport: SharedTransport | undefined;
  const limit = startInactivityTimeout(
    SETUP_TIMEOUT_MS,
    () => new ConnectionError(`it sent nothing more within ${SETUP_TIMEOUT_MS / 1000} s`),
  );
  try {
    transport = await connectTo(address);
    // A fleet may take its time to let a client in; that has a limit of its own.
    limit.restart();
    return await Promise.race([setUp(transport, address, isRemote), endOf(transport), limit.expired]);
  } catch (error) {
    transport?.close();
    const erase = createEraser(secretsInAddress(address));
    const reason = firstLine(error);
    // Without the error as its cause: a token may stand in it.
    throw new QuiesceError('browser-unreachable', {
      url: shownAddress(address),
      detail: erase?.(reason, REDACTED) ?? reason,
    });
  } finally {
    limit.stop();
  }
}

async function endOf(transport: SharedTransport): Promise<never> {
  await transport.gone;
  throw new ConnectionError('the connection ended before the browser had shown what it can do');
}

async function setUp(transport: SharedTransport, address: string, isRemote: RemoteCheck): Promise<RunningBrowser> {
  const connected = await openSessions(transport);
  const { root, product } = connected;
  const commandLine = await commandLineOf(root);
  return {
    ...connected,
    sandbox: commandLine === undefined ? undefined : !/(?:^|\s)--no-sandbox(?:\s|$)/.test(commandLine),
    path: undefined,
    isConnected: true,
    // A gateway may let only a part of the protocol through. A probe page shows that now, not in the middle of a load.
    isRemote: await withProbePage(root, (page) => isRemote(page, address)),
    notes: [...noteOnArguments(commandLine, product), ...noteOnDistance(await roundTrip(root))],
    pid: undefined,
  };
}

/** The command line of a browser; undefined where it does not say. It may hold secrets: it must not be shown. */
async function commandLineOf(root: CDPSession): Promise<string | undefined> {
  const info = await withTimeout(root.send('SystemInfo.getInfo'));
  return info?.commandLine === '' ? undefined : info?.commandLine;
}
