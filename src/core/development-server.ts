import type { Request } from '../model/network/timeline.ts';
import type { DevelopmentServer } from '../model/result/finding.ts';
import { shapeOf, shapeOfText } from './background/content/message-shape.ts';
import { withoutQueryAndHash } from './requests/address-parts.ts';

/**
 * What only a development server answers, by its path. Sources: Vite, `CLIENT_PUBLIC_PATH`; webpack-hot-middleware and
 * webpack-dev-server 3, their default paths; webpack, `output.hotUpdateChunkFilename`; Next.js, its paths of hot reloading and
 * what its pages load in development alone.
 */
const PATHS: readonly (readonly [RegExp, DevelopmentServer])[] = [
  [/\/@vite\/client$/, 'vite'],
  [/\/_next\/(?:webpack-hmr$|static\/(?:development\/|chunks\/.*dev_hmr-client))/, 'next'],
  [/\/__webpack_hmr$|^\/sockjs-node\/|\.hot-update\.js(?:on)?$/, 'webpack'],
];

/** What webpack-dev-server says over its socket after each build; the socket's path alone is that of many servers. */
const WEBPACK_SOCKET = '/ws';
const webpackHash = shapeOfText('{"type":"hash","data":"0123456789abcdef"}').shape;

/** The development server that answered these requests; undefined where none is known. */
export function developmentServerOf(requests: readonly Request[]): DevelopmentServer | undefined {
  for (const request of requests) {
    const found = isAnswered(request) ? serverBehind(request) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A leftover that a server does not know is answered as well. */
function isAnswered({ response }: Request): boolean {
  return response !== undefined && response.status < 400;
}

function serverBehind({ url, messages }: Request): DevelopmentServer | undefined {
  const path = withoutQueryAndHash(url).replace(/^[\w.+-]+:\/\/[^/]*/, '');
  const [, server] = PATHS.find(([pattern]) => pattern.test(path)) ?? [];
  if (server !== undefined) return server;
  const isHash = messages.some((each) => each.direction === 'received' && shapeOf(each).shape === webpackHash);
  return path === WEBPACK_SOCKET && isHash ? 'webpack' : undefined;
}
