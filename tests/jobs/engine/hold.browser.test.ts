import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import type { Policy } from '../../../src/model/background/verdict.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { type Site, serve } from '../../browser/site.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

/** Asks for everything once in a way that is held, and once in a way that is not. */
const everything = (crossOrigin: string): string => `<!doctype html><title>Everything</title>
<link rel="stylesheet" href="/ok/style.css"><link rel="prefetch" href="/held/prefetch">
<style>@font-face { font-family: held; src: url(/held/font) } h1 { font-family: held; background: url(/held/background) }</style>
<h1>Everything</h1>
<img src="/held/image"><img src="/ok/image">
<script async src="/held/script"></script><script async src="/ok/script.js"></script>
<video src="/held/video" autoplay></video><object data="/held/object"></object>
<iframe src="/held/iframe"></iframe><iframe src="${crossOrigin}/held/cross-iframe"></iframe>
<iframe src="/frame"></iframe><iframe src="${crossOrigin}/frame"></iframe>
<script>
  const quiet = () => undefined;
  const socket = (path) => new WebSocket('ws://' + location.host + path);
  for (const kind of ['held', 'ok']) {
    fetch('/' + kind + '/fetch');
    fetch('/' + kind + '/keepalive', { method: 'POST', body: 'x', keepalive: true });
    navigator.sendBeacon('/' + kind + '/beacon', 'x');
    const xhr = new XMLHttpRequest();
    xhr.open('GET', '/' + kind + '/xhr');
    xhr.send();
    new EventSource('/' + kind + '/events');
    socket('/' + kind + '/socket');
    // A header that needs a preflight.
    fetch('${crossOrigin}/' + kind + '/preflight', { headers: { 'x-own': '1' } }).catch(quiet);
    fetch('${crossOrigin}/' + kind + '/preflight-keepalive', { headers: { 'x-own': '1' }, method: 'POST', keepalive: true }).catch(quiet);
    import('/' + kind + '/module.js').catch(quiet);
    const link = document.createElement('a');
    link.href = '#here';
    link.ping = '/' + kind + '/ping';
    document.body.append(link);
    link.click();
  }
  // More of them than an origin has connections: what is not held must pass nevertheless.
  for (let i = 0; i < 10; i += 1) fetch('/held/many/' + i);
  fetch('/redirect-to-held');
  new Worker('/held/worker.js');
  new Worker('/worker.js');
  new Worker(URL.createObjectURL(new Blob(['fetch("' + location.origin + '/held/from-blob-worker"); new WebSocket("ws://' + location.host + '/held/socket-of-blob-worker")'])));
  new SharedWorker('/shared-worker.js');
  navigator.serviceWorker.register('/service-worker.js');
  const blank = document.body.appendChild(document.createElement('iframe'));
  new blank.contentWindow.WebSocket('ws://' + location.host + '/held/socket-of-blank-frame');
  const inline = document.createElement('iframe');
  inline.srcdoc = '<script>fetch("/held/from-inline-frame"); new WebSocket("ws://' + location.host + '/held/socket-of-inline-frame")<' + '/script>';
  document.body.append(inline);
</script>`;

/** A script for any kind of worker: held and not held, and the state of its held socket in a path. */
const worker = (name: string, more = ''): string => `
  fetch('/held/from-${name}');
  fetch('/ok/from-${name}');
  const socket = new WebSocket('ws://' + location.host + '/held/socket-of-${name}');
  fetch('/ok/socket-of-${name}/' + socket.readyState + '/' + (socket instanceof WebSocket));
  ${more}`;
const FRAME = `<!doctype html><p>Frame</p><script>
  const where = location.hostname === 'localhost' ? 'cross-frame' : 'frame';
  fetch('/held/from-' + where);
  fetch('/ok/from-' + where);
  const socket = new WebSocket('ws://' + location.host + '/held/socket-of-' + where);
  new WebSocket('ws://' + location.host + '/ok/socket-of-' + where);
  fetch('/ok/socket-of-' + where + '/' + socket.readyState + '/' + (socket instanceof WebSocket));
</script>`;

/** Looks at a held socket from all sides, and sends what it saw. */
const SOCKETS = `<!doctype html><title>Sockets</title><p>Sockets</p><script>
  const url = (path) => 'ws://' + location.host + path;
  const outcome = (run) => { try { return String(run()); } catch (error) { return error.name; } };
  const held = new WebSocket(url('/held/socket'), ['chat']);
  class Own extends WebSocket {
    greeting = 'hello';
  }
  const own = new Own('/held/own');
  const heard = [];
  const closing = new WebSocket(url('/held/closing'));
  closing.onclose = (event) => heard.push('onclose', event.code, event.wasClean, closing.readyState);
  closing.addEventListener('error', () => heard.push('error'));
  closing.onopen = () => heard.push('open');
  closing.close();
  heard.push('closing', closing.readyState);
  const echo = new WebSocket(url('/ok/echo'));
  echo.onopen = () => echo.send('hello');
  echo.onmessage = async (event) => {
    // The stand-in has had as much time as the real one needed to connect and to be answered.
    fetch('/seen', { method: 'POST', body: JSON.stringify({
      state: held.readyState, url: held.url, isSocket: held instanceof WebSocket, isTarget: held instanceof EventTarget,
      isOwnConstructor: held.constructor === WebSocket, kind: Object.prototype.toString.call(held),
      connecting: held.CONNECTING, open: WebSocket.OPEN, name: WebSocket.name,
      send: outcome(() => held.send('x')), binaryType: held.binaryType, buffered: held.bufferedAmount,
      own: [own instanceof Own, own.greeting, own.readyState, own.url],
      heard, echo: [echo.readyState, event.data, echo instanceof WebSocket],
      wrong: outcome(() => new WebSocket('ftp://held/')),
    }) });
  };
  const away = new WebTransport('https://127.0.0.1:9/ok/transport');
  const stays = new WebTransport('https://127.0.0.1:9/held/transport');
  let state = 'pending';
  stays.ready.then(() => { state = 'ready'; }, () => { state = 'refused'; });
  away.ready.catch(() => fetch('/transport/' + state + '/' + (stays instanceof WebTransport)));
</script>`;

let site: Site;
let lab: ChromeLab;
const posted: string[] = [];
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve((_origin, crossOrigin) => ({
      '/everything': everything(crossOrigin),
      '/frame': FRAME,
      '/worker.js': worker('worker', `new Worker('/nested-worker.js');`),
      '/nested-worker.js': worker('nested-worker'),
      '/shared-worker.js': worker('shared-worker'),
      '/service-worker.js': worker('service-worker'),
      '/workers': `<!doctype html><p>Workers</p><script>
        new SharedWorker('/shared-worker.js');
        navigator.serviceWorker.register('/service-worker.js');
      </script>`,
      '/sockets': SOCKETS,
      '/cached': `<!doctype html><p>Cached</p><script>
        navigator.serviceWorker.register('/caching-worker.js');
        navigator.serviceWorker.ready.then(async () => {
          const frame = document.createElement('iframe');
          frame.src = '/controlled';
          document.body.append(frame);
        });
      </script><body>`,
      '/caching-worker.js': `addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`,
      '/controlled': `<!doctype html><script>fetch('/held/through-worker'); fetch('/ok/through-worker');</script>`,
      '/patterns': `<!doctype html><title>Patterns</title><p>Patterns</p><script>
        fetch('/api?x=1&y=2'); fetch('/apiZx=1'); fetch('/exact'); fetch('/exact/more'); fetch('/a/b/c'); fetch('/a/c');
        fetch('/with#fragment');
      </script>`,
      '/events': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
      '/ok/events': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n'),
      '/redirect-to-held': (response) => response.writeHead(302, { location: '/held/after-redirect' }).end(),
      '/seen': (response) => {
        response.req.setEncoding('utf8');
        response.req.on('data', (text: string) => posted.push(text));
        response.req.on('end', () => response.end());
      },
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

const HELD = '/held/';
const policy: Policy = {
  ...QUICK,
  quietWindow: 1_500,
  timeout: 30_000,
  background: [HELD, '/ok/events', '/ok/socket'],
};
const load = (path: string, hold: readonly string[] = [HELD]): Promise<Recording> =>
  recordIn(lab, site.origin + path, { ...policy, background: [...policy.background, ...hold] }, { hold });
const requested = ({ events }: Recording): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.kind === 'request' ? [new URL(event.url).pathname] : [])));
const ended = ({ events }: Recording): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.kind === 'finished' || event.kind === 'failed' ? [event.id] : [])));

describe('requests that are held', () => {
  let recording: Recording;
  let seen: readonly string[];
  beforeAll(async () => {
    recording = await load('/everything');
    // What is let go when the context ends would come in with it; the next load comes after that.
    await load('/frame');
    seen = site.seen.map((line) => line.split(' ')[1] ?? '');
  });

  it('never reach the server, of whatever kind they are and wherever they come from', () => {
    expect(seen.filter((path) => path.includes(HELD))).toEqual([]);
  });

  it('are asked for all the same, and neither answered nor refused', () => {
    const paths = requested(recording);
    for (const name of [
      ...['prefetch', 'font', 'background', 'image', 'script', 'video', 'object', 'iframe', 'cross-iframe'],
      ...['fetch', 'keepalive', 'beacon', 'xhr', 'events', 'preflight', 'preflight-keepalive', 'module.js', 'ping'],
      ...['many/9', 'after-redirect', 'worker.js', 'from-worker', 'from-nested-worker', 'from-blob-worker'],
      ...['from-shared-worker', 'from-service-worker', 'from-frame', 'from-cross-frame', 'from-inline-frame'],
    ]) {
      expect(paths, name).toContain(HELD + name);
    }
    const over = ended(recording);
    const answered = recording.events.filter(
      (event) => event.kind === 'request' && event.url.includes(HELD) && over.has(event.id),
    );
    expect(answered).toEqual([]);
  });

  it.each([
    ...['style.css', 'image', 'script.js', 'fetch', 'keepalive', 'beacon', 'xhr', 'events', 'preflight', 'module.js'],
    ...['preflight-keepalive', 'ping', 'socket', 'from-worker', 'from-nested-worker', 'from-shared-worker'],
    ...['from-service-worker', 'from-frame', 'from-cross-frame', 'socket-of-frame', 'socket-of-cross-frame'],
  ])('do not hold back %s', (name) => {
    expect(seen).toContain(`/ok/${name}`);
  });

  it.each(['worker', 'nested-worker', 'shared-worker', 'service-worker', 'frame', 'cross-frame'])(
    'leave the sockets of a %s connecting',
    (where) => {
      expect(seen).toContain(`/ok/socket-of-${where}/0/true`);
    },
  );
});

it('holds in several loads at once, none of which lets go the workers of another', async () => {
  const before = site.seen.length;
  await Promise.all(Array.from({ length: 4 }, () => load('/workers')));
  const seen = site.seen.slice(before);
  expect(seen.filter((line) => line.includes(HELD))).toEqual([]);
  for (const kind of ['shared-worker', 'service-worker']) {
    expect(seen.filter((line) => line.includes(`/ok/from-${kind}`))).toHaveLength(4);
  }
});

it('does not hold what another load at the same time asks for', async () => {
  const before = site.seen.length;
  await Promise.all([load('/workers'), recordIn(lab, `${site.origin}/workers`, policy)]);
  const seen = site.seen.slice(before);
  for (const kind of ['shared-worker', 'service-worker']) {
    expect(seen.filter((line) => line.includes(`/held/from-${kind}`))).toHaveLength(1);
  }
});

it('has sockets stay connecting, otherwise as the browser makes them', async () => {
  await load('/sockets');
  const { host } = new URL(site.origin);
  expect(posted.map((text) => JSON.parse(text))).toEqual([
    {
      state: 0,
      url: `ws://${host}/held/socket`,
      isSocket: true,
      isTarget: true,
      isOwnConstructor: true,
      kind: '[object WebSocket]',
      connecting: 0,
      open: 1,
      name: 'WebSocket',
      send: 'InvalidStateError',
      binaryType: 'blob',
      buffered: 0,
      own: [true, 'hello', 0, `ws://${host}/held/own`],
      heard: ['closing', 2, 'error', 'onclose', 1006, false, 3],
      echo: [1, 'hello', true],
      wrong: 'SyntaxError',
    },
  ]);
  expect(site.seen).toContain('GET /transport/pending/true');
  expect(site.seen).toContain('SOCKET /ok/echo');
});

it('holds what goes through a service worker', async () => {
  const recording = await load('/cached');
  expect(requested(recording)).toContain('/held/through-worker');
  expect(site.seen).toContain('GET /ok/through-worker');
  expect(site.seen.filter((line) => line.includes('/held/through-worker'))).toEqual([]);
});

it('takes `*` for anything, all else literally, and absolute patterns from end to end', async () => {
  const before = site.seen.length;
  await load('/patterns', ['/api?x=1', `${site.origin}/exact`, '/a/*/c', `${site.origin}/with#fragment`]);
  const passed = site.seen.slice(before).filter((line) => !line.includes('favicon'));
  expect(passed.toSorted()).toEqual(['GET /a/c', 'GET /apiZx=1', 'GET /exact/more', 'GET /patterns'].toSorted());
});

it('never holds the document of the page itself', async () => {
  const before = site.seen.length;
  const recording = await load('/patterns', ['*']);
  expect(recording.page?.title).toBe('Patterns');
  expect(site.seen.slice(before)).toEqual(['GET /patterns']);
});
