import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchScript } from '../../../src/shell/source-maps/fetch.ts';

const FILES: Readonly<Record<string, string>> = {
  '/app.js': 'run();\n//# sourceMappingURL=app.js.map\n',
  '/app.js.map': 'the map',
  '/inline.js': `run();\n//# sourceMappingURL=data:application/json;base64,${btoa('inline')}`,
  '/header.js': 'run();',
  '/elsewhere.js': 'run();\n//# sourceMappingURL=http://localhost:1/internal',
  '/none.js': 'run();',
  '/file.js': 'run();\n//# sourceMappingURL=file:///etc/hostname',
  '/moved.js': 'run();\n//# sourceMappingURL=moved.map',
  '/lost.js': 'run();\n//# sourceMappingURL=lost.js.map',
  '/odd.js': 'run();\n//# sourceMappingURL=http://:x',
  '/page': '<script>run()</script>',
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    if (url === '/page') response.setHeader('content-type', 'text/html');
    if (url === '/header.js') response.setHeader('SourceMap', '/app.js.map');
    if (url === '/moved.map') response.writeHead(302, { location: 'http://localhost:1/internal' });
    else if (FILES[url] === undefined) response.statusCode = 404;
    response.end(FILES[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const fetched = (path: string) => fetchScript(origin + path, new AbortController().signal);

test.each([
  ['/app.js', 'app.js.map', 'the map'],
  ['/inline.js', FILES['/inline.js']?.split('=').slice(1).join('='), 'inline'],
  ['/header.js', '/app.js.map', 'the map'],
])('the map of %s', async (path, named, text) => {
  expect(await fetched(path)).toEqual({ text: FILES[path], map: { named, text } });
});

test('a script without a map, what is no script, and what is not there', async () => {
  expect(await fetched('/none.js')).toEqual({ text: 'run();' });
  expect(await fetched('/page')).toBeUndefined();
  expect(await fetched('/missing.js')).toBeUndefined();
});

test.each([
  ['/elsewhere.js', { code: 'elsewhere' }],
  ['/file.js', { code: 'elsewhere' }],
  ['/moved.js', { code: 'no-answer' }],
  ['/lost.js', { code: 'status', status: 404 }],
  ['/odd.js', { code: 'no-map' }],
])('a map is only read from where its script is, and it is said why it was not: %s', async (path, reason) => {
  expect((await fetched(path))?.map).toEqual({ named: expect.any(String), reason });
});
