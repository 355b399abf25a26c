import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unpacked } from '../../reporters/markup.ts';
import { auditInChrome, chromeSettings } from '../../support/chrome.ts';
import { compare } from '../../support/jobs.ts';

const CANARIES = ['CANARY-header/=&"1', 'CANARY-cookie-2', 'CANARY päss:3'];
const [HEADER = '', COOKIE = '', PASSWORD = ''] = CANARIES;
const SETTINGS = {
  header: [`X-Preview: ${HEADER}`, 'X-Short: 7f'],
  cookie: [`session=${COOKIE}`],
  basicAuth: `ann:${PASSWORD}`,
};
/** Everything that may stand for a secret in a file: as it is, encoded, and in base64. */
const FORMS = CANARIES.flatMap((canary) => [
  canary,
  encodeURIComponent(canary),
  JSON.stringify(canary).slice(1, -1),
  Buffer.from(canary).toString('base64').replace(/=+$/, ''),
]).concat(
  [`ann:${PASSWORD}`, `session=${COOKIE}`].map((text) => Buffer.from(text).toString('base64').replace(/=+$/, '')),
  'CANARY',
);

let server: Server;
let url: string;
/** A server that says back whatever it is told, wherever it can. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    for await (const _ of request);
    const { authorization = '', cookie = '' } = request.headers;
    const header = String(request.headers['x-preview'] ?? '');
    if (authorization === '') {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
      return;
    }
    response.setHeader('x-echo', `${encodeURIComponent(header)} ${cookie} ${authorization}`);
    response.setHeader('x-short', String(request.headers['x-short']));
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-api-key', 'SECRET-OF-THE-PAGE');
    const login = Buffer.from(authorization.slice('Basic '.length), 'base64').toString();
    const all = JSON.stringify({ header, cookie, login, authorization });
    if (request.url === '/' || request.url?.startsWith('/?calm')) {
      const poll =
        request.url === '/' ? "setInterval(() => ask('/poll?n=' + encodeURIComponent(all.cookie)), 300);" : '';
      response.setHeader('content-type', 'text/html; charset=utf-8').end(
        `<title>${login}</title><p>${header} ${cookie}</p><script src="/file.js?of=${encodeURIComponent(login)}"></script>
        <script>const all = ${all};
        document.title += all.header;
        const ask = (what) => fetch(what).then((answer) => answer.text());
        ask('/json'); ask('/binary'); ask('/path/' + encodeURIComponent(all.header) + '/' + btoa(all.cookie));
        ask('/missing/' + encodeURIComponent(all.cookie)).catch(() => {});
        fetch('/to', { method: 'POST', body: JSON.stringify(all) });
        ${poll}
        history.replaceState(null, '', '/#' + all.cookie); alert(all.login); performance.mark(all.cookie);</script>`,
      );
    } else if (request.url === '/json') response.setHeader('content-type', 'application/json').end(all);
    else if (request.url === '/binary') {
      response
        .setHeader('content-type', 'application/octet-stream')
        .end(Buffer.concat([Buffer.from([0, 255]), Buffer.from(all)]));
    } else if (request.url?.startsWith('/missing')) response.writeHead(404).end(all);
    else {
      // The last that the page waits for, which is named; the name is so long that it is cut in the middle of a secret.
      if (request.url?.startsWith('/path')) await setTimeout(400);
      response.setHeader('content-type', 'text/javascript').end(`/* ${all} */`);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The names of what holds a secret. */
function holders(texts: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    FORMS.filter((form) => text.includes(form)).map((form) => `${name}: ${form}`),
  );
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    const text = (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    texts[entry.name] = entry.name.endsWith('.html') ? await unpacked(text) : text;
  }
  return texts;
}

it.concurrent.each([[false], [true]])(
  'no secret that was given is in a file or told, harSecrets %s',
  async (harSecrets) => {
    const told: unknown[] = [];
    let files: Readonly<Record<string, string>> = {};
    const outcome = await auditInChrome(
      { targets: [url], ...SETTINGS, evidence: !harSecrets, ablation: !harSecrets, harContent: true, harSecrets },
      { onProgress: (event) => told.push(event) },
      async (folder) => {
        files = await filesIn(folder);
      },
    );
    expect(outcome.result.targets[0]?.runs.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['index.html', 'result.json', 'run-1.har']));
    expect(files['index.html']).toContain('"startedAt":');
    expect(holders({ ...files, told: JSON.stringify(told), outcome: JSON.stringify(outcome) })).toEqual([]);
    // The names are there, so that somebody else can load it alike; and short values are gone where their name says it.
    expect(outcome.result.settings).toMatchObject({
      header: ['X-Preview: [redacted]', 'X-Short: [redacted]'],
      cookie: ['session=[redacted]'],
      basicAuth: '[redacted]',
    });
    expect(files['run-1.har']).toMatch(/"name":"x-short","value":"\[redacted\]"/i);
    expect(files['run-1.har']).not.toContain('"value":"7f"');
  },
);

it.concurrent('a login in an address is in no file either, and only HARs keep the secrets of the page itself', async () => {
  let files: Readonly<Record<string, string>> = {};
  const { header, cookie } = SETTINGS;
  const outcome = await auditInChrome(
    {
      ...{ targets: [url.replace('//', `//ann:${encodeURIComponent(PASSWORD)}@`)], header, cookie },
      ...{ evidence: true, trace: true, harContent: true, harSecrets: true },
      format: ['html', 'json', 'har', 'junit', 'md', 'csv'],
    },
    {},
    async (folder) => {
      files = await filesIn(folder);
    },
  );
  expect(outcome.result.targets[0]?.runs.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(Object.keys(files)).toContain('trace.json.gz');
  expect(files['trace.json.gz']).toContain('x-api-key');
  expect(holders({ ...files, outcome: JSON.stringify(outcome) })).toEqual([]);
  const keepers = Object.keys(files).filter((name) => files[name]?.includes('SECRET-OF-THE-PAGE'));
  expect(keepers).toContain('run-1.har');
  expect(keepers.filter((name) => !name.endsWith('.har'))).toEqual([]);
});

it.concurrent('nor in what an interrupted comparison leaves behind', async () => {
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
  const told: unknown[] = [];
  const abort = new AbortController();
  try {
    const { runs: _runs, ...settings } = chromeSettings({
      targets: [`${url}?calm`, `${url}?calm-too`],
      out,
      ...SETTINGS,
    });
    const outcome = await compare(
      {
        ...settings,
        minEffect: '5%',
        alpha: 0.05,
        gate: ['pageComplete'],
        strict: false,
        resume: false,
        maxPairs: 4,
        looks: [4],
      },
      {
        signal: abort.signal,
        onProgress(event) {
          told.push(event);
          if (event.kind === 'run-finished' && event.run.role === 'timed' && event.run.block === 2) abort.abort();
        },
      },
    );
    const files = await filesIn(out);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['comparison.json', 'block-1.json']));
    expect(holders({ ...files, told: JSON.stringify(told), outcome: JSON.stringify(outcome) })).toEqual([]);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
});
