import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchSourceMap } from '../../../src/shell/source-maps/fetch.ts';

const FILES: Readonly<Record<string, string>> = {
  '/app.js': 'run();\n//# sourceMappingURL=app.js.map\n',
  '/app.js.map': 'the map',
  '/inline.js': `run();\n//# sourceMappingURL=data:application/json;base64,${btoa('inline')}`,
  '/header.js': 'run();',
  '/elsewhere.js': 'run();\n//# sourceMappingURL=http://localhost:1/internal',
  '/none.js': 'run();',
  '/file.js': 'run();\n//# sourceMappingURL=file:///etc/hostname',
  '/moved.js': 'run();\n//# sourceMappingURL=moved.map',
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    if (url === '/header.js') response.setHeader('SourceMap', '/app.js.map');
    if (url === '/moved.map') response.writeHead(302, { location: 'http://localhost:1/internal' });
    else if (FILES[url] === undefined) response.statusCode = 404;
    response.end(FILES[url]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each([
  ['/app.js', 'the map'],
  ['/inline.js', 'inline'],
  ['/header.js', 'the map'],
  ['/none.js', undefined],
  ['/missing.js', undefined],
])('the map of %s', async (path, expected) => {
  expect(await fetchSourceMap(origin + path, new AbortController().signal)).toBe(expected);
});

test.each(['/elsewhere.js', '/file.js', '/moved.js'])(
  'a map is only read from where its script is: %s',
  async (path) => {
    expect(await fetchSourceMap(origin + path, new AbortController().signal)).toBeUndefined();
  },
);
