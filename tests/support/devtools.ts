import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Imports a module of DevTools' own front end, from its sources, as a program of Node.
 *
 * @param module below `front_end/models`, such as `har/har.js`
 * @param folder where the bundle is put
 */
export async function importDevTools(module: string, folder: string) {
  const entry = path.resolve('node_modules/chrome-devtools-frontend/front_end/models', module);
  const outfile = path.join(folder, `devtools-${path.basename(module, '.js')}.mjs`);
  await build({
    stdin: { contents: `export * from ${JSON.stringify(entry)};`, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile,
    logLevel: 'silent',
    plugins: [
      {
        // The build of DevTools makes this file; the package has only its types.
        name: 'locales',
        setup(plugin) {
          plugin.onResolve({ filter: /\/locales\.js$/ }, () => ({ path: 'locales', namespace: 'stub' }));
          plugin.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({
            contents:
              "export const LOCALES = ['en-US'], BUNDLED_LOCALES = ['en-US'], DEFAULT_LOCALE = 'en-US', REMOTE_FETCH_PATTERN = '', LOCAL_FETCH_PATTERN = '';",
          }));
        },
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}
