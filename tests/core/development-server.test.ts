import { describe, expect, it } from 'vitest';
import { developmentServerOf } from '../../src/core/development-server.ts';
import type { Message, Request, Response } from '../../src/model/network/timeline.ts';
import { timelineOf } from '../support/scripted.ts';

const [PLAIN] = timelineOf({ requests: [{ path: '/', from: 0, to: 100 }], until: 200 }).requests;

function requested(url: string, status = 200, texts: readonly string[] = []): Request {
  const response = { ...PLAIN?.response, status } as Response;
  const messages = texts.map((text): Message => ({ at: 1, bytes: text.length, direction: 'received', text }));
  return { ...(PLAIN as Request), url, response, messages };
}

describe('a development server', () => {
  it.each([
    ['http://localhost:5173/@vite/client', 'vite'],
    ['http://localhost:5173/base/@vite/client?t=1', 'vite'],
    ['ws://localhost:3000/_next/webpack-hmr', 'next'],
    ['ws://localhost:3000/_next/webpack-hmr?page=%2F', 'next'],
    ['http://localhost:3000/_next/static/development/_buildManifest.js', 'next'],
    ['http://localhost:3000/_next/static/chunks/%5Bturbopack%5D_browser_dev_hmr-client_hmr-client_ts_1b2c.js', 'next'],
    ['http://localhost:8000/__webpack_hmr', 'webpack'],
    ['http://localhost:8080/sockjs-node/info?t=1', 'webpack'],
    ['http://localhost:8080/main.0f1e2d.hot-update.json', 'webpack'],
  ])('is known by %s', (url, server) => {
    expect(developmentServerOf([requested('http://localhost/'), requested(url)])).toBe(server);
  });

  it('of webpack is known by what it says over its socket', () => {
    const said = [
      '{"type":"hot"}',
      '{"type":"liveReload"}',
      '{"type":"hash","data":"6f2dd1a95b0d9cd2e0a3"}',
      '{"type":"ok"}',
    ];
    expect(developmentServerOf([requested('ws://localhost:8080/ws', 101, said)])).toBe('webpack');
  });

  it.each([
    ['what a build asks for', requested('https://shop.example/_next/static/chunks/main-app-0a1b.js')],
    ['a name that only begins alike', requested('https://shop.example/docs/@vite/client-api')],
    ['a leftover that the server does not have', requested('https://shop.example/@vite/client', 404)],
    ['a socket that says other things', requested('wss://shop.example/ws', 101, ['{"type":"price","data":"12"}'])],
    ['its message on another path', requested('wss://shop.example/live', 101, ['{"type":"hash","data":"6f2d"}'])],
    ['its path in a query', requested('https://shop.example/search?q=/@vite/client')],
  ])('is not %s', (_, request) => {
    expect(developmentServerOf([request])).toBeUndefined();
  });
});
