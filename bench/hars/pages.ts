/** The pages that bench/hars/index.ts records: pages of this repository, and real applications as npm has them. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import sirv from 'sirv';
import { closeOn, listenOn, portOf } from '../../fixtures/listen.ts';
import { startFixtureServer } from '../../fixtures/server.ts';

const run = promisify(execFile);

/** Scenarios of fixtures/pages. */
export const SCENARIOS = [
  'plain',
  'redirects',
  'iframes',
  'shop',
  'poll',
  'long-poll',
  'sse',
  'websocket',
  'unread-stream',
  'llm-text',
  'hung-image',
  'kitchen-sink',
] as const;

/** An application: a package of npm with files that a browser can load, and the page that uses them. */
interface Application {
  readonly name: string;
  readonly version: string;
  readonly html: string;
}

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>${head}</head><body>${body}</body></html>`;

/** Under `/<last part of the name>/`, with the package's files in `files/` and answers of an API in `api/`. */
export const APPLICATIONS: readonly Application[] = [
  {
    name: 'swagger-ui-dist',
    version: '5.35.0',
    html: page(
      '<link rel="stylesheet" href="files/swagger-ui.css">',
      `<div id="app"></div><script src="files/swagger-ui-bundle.js"></script>
       <script>SwaggerUIBundle({ url: 'api/openapi.json', dom_id: '#app' })</script>`,
    ),
  },
  {
    name: 'redoc',
    version: '3.0.1',
    html: page(
      '',
      '<redoc spec-url="api/openapi.json"></redoc><script src="files/bundles/redoc.standalone.js"></script>',
    ),
  },
  {
    name: '@scalar/api-reference',
    version: '1.72.1',
    html: page(
      '',
      `<div id="app"></div><script src="files/dist/browser/standalone.js"></script>
       <script>Scalar.createApiReference('#app', { url: 'api/openapi.json' })</script>`,
    ),
  },
  {
    name: 'reveal.js',
    version: '6.0.2',
    html: page(
      '<link rel="stylesheet" href="files/dist/reveal.css"><link rel="stylesheet" href="files/dist/theme/white.css">',
      `<div class="reveal"><div class="slides"><section data-markdown="api/slides.md"></section></div></div>
       <script src="files/dist/reveal.js"></script>
       <script src="files/dist/plugin/markdown.js"></script>
       <script>Reveal.initialize({ plugins: [RevealMarkdown] })</script>`,
    ),
  },
  {
    name: 'docsify',
    version: '5.0.0',
    html: page(
      '<link rel="stylesheet" href="files/dist/themes/core.css">',
      `<div id="app"></div><script>window.$docsify = { basePath: 'api/', loadSidebar: true }</script>
       <script src="files/dist/docsify.min.js"></script>`,
    ),
  },
  {
    name: 'monaco-editor',
    version: '0.57.0',
    html: page(
      '<link rel="stylesheet" href="files/min/vs/editor/editor.main.css">',
      `<div id="app" style="height:600px"></div><script src="files/min/vs/loader.js"></script>
       <script>
         require.config({ paths: { vs: 'files/min/vs' } });
         require(['vs/editor/editor.main'], () => fetch('api/code.ts').then((answer) => answer.text()).then((value) =>
           monaco.editor.create(document.getElementById('app'), { value, language: 'typescript' })));
       </script>`,
    ),
  },
  {
    name: 'tinymce',
    version: '8.9.2',
    html: page(
      '<script src="files/tinymce.min.js"></script>',
      `<textarea>Text</textarea>
       <script>tinymce.init({ selector: 'textarea', license_key: 'gpl', plugins: 'lists link table code' })</script>`,
    ),
  },
  {
    name: 'bpmn-js',
    version: '18.31.1',
    html: page(
      '<link rel="stylesheet" href="files/dist/assets/diagram-js.css"><link rel="stylesheet" href="files/dist/assets/bpmn-js.css">',
      `<div id="app" style="height:600px"></div><script src="files/dist/bpmn-viewer.production.min.js"></script>
       <script>fetch('api/diagram.bpmn').then((answer) => answer.text()).then((text) =>
         new BpmnJS({ container: '#app' }).importXML(text))</script>`,
    ),
  },
];

const OPENAPI = JSON.stringify({
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/items': { get: { summary: 'List', responses: { 200: { description: 'OK' } } } } },
});
const BPMN = `<?xml version="1.0"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
 xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" id="d">
 <process id="p"><startEvent id="s"/></process><bpmndi:BPMNDiagram id="x"><bpmndi:BPMNPlane id="y" bpmnElement="p">
 <bpmndi:BPMNShape id="z" bpmnElement="s"><dc:Bounds x="100" y="100" width="36" height="36"/></bpmndi:BPMNShape>
 </bpmndi:BPMNPlane></bpmndi:BPMNDiagram></definitions>`;
const API: Readonly<Record<string, string>> = {
  'openapi.json': OPENAPI,
  'slides.md': '# Slide',
  'README.md': '# Document\n\n![A picture](picture.svg)',
  '_sidebar.md': '- [Home](/)',
  'code.ts': 'const answer: number = 42;\n',
  'diagram.bpmn': BPMN,
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"/>',
};

/** How long an application's server thinks, ms: its API and its files. */
const API_MS = 700;
const FILE_MS = 30;

/** A page, and what its server knows. */
export interface RecordedPage {
  readonly name: string;
  readonly url: string;
  /** When the last load had been given all it needed, in milliseconds since the Unix epoch. */
  truth(): number | undefined;
  /** Forgets earlier loads. */
  begin(): void;
}

export interface Pages {
  readonly pages: readonly RecordedPage[];
  close(): Promise<void>;
}

/** Serves all pages; packages come into the folder. */
export async function startPages(folder: string): Promise<Pages> {
  const fixtures = await startFixtureServer();
  const apps = await startApplications(folder);
  const scenarios = SCENARIOS.map((name): RecordedPage => {
    let before = 0;
    const loads = () => fixtures.loads.filter(({ scenario }) => scenario.name === name);
    return {
      name,
      url: fixtures.url(name),
      begin: () => {
        before = loads().length;
      },
      truth: () => {
        const load = loads()[before];
        return load && fixtures.truth(load).epoch;
      },
    };
  });
  return {
    pages: [...apps.pages, ...scenarios],
    close: async () => {
      await fixtures.close();
      await apps.close();
    },
  };
}

const epochNow = (): number => performance.timeOrigin + performance.now();
const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

async function startApplications(folder: string): Promise<Pages> {
  /** When the last file was out, for each application. */
  const lastOut = new Map<string, number>();
  const apps = await Promise.all(
    APPLICATIONS.map(async ({ name, version, html }) => ({
      short: name.replace(/^.*\//, ''),
      html,
      files: sirv(await unpacked(folder, name, version), { dev: true }),
    })),
  );
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, short = '', kind = '', ...rest] = (request.url ?? '/').split(/[/?]/);
    const app = apps.find((each) => each.short === short);
    if (!app) return void response.writeHead(404).end();
    response.once('finish', () => lastOut.set(short, epochNow()));
    await wait(kind === 'api' ? API_MS : FILE_MS);
    if (kind === '') return void response.setHeader('content-type', 'text/html').end(app.html);
    const found = API[rest[0] ?? ''];
    if (kind === 'api') {
      if (rest[0]?.endsWith('.svg')) response.setHeader('content-type', 'image/svg+xml');
      return void response.writeHead(found === undefined ? 404 : 200).end(found);
    }
    request.url = (request.url ?? '').slice(`/${short}/${kind}`.length);
    app.files(request, response, () => void response.writeHead(404).end());
  };
  const servers = await listenOn(() => createServer((request, response) => void answer(request, response)), 0);
  const origin = `http://127.0.0.1:${portOf(servers)}`;
  return {
    pages: apps.map(({ short }) => ({
      name: short,
      url: `${origin}/${short}/`,
      begin: () => void lastOut.delete(short),
      truth: () => lastOut.get(short),
    })),
    close: () => closeOn(servers),
  };
}

/** The files of a package, without what it depends on. */
async function unpacked(folder: string, name: string, version: string): Promise<string> {
  const target = path.join(folder, 'packages', `${name.replace('/', '+')}@${version}`);
  const files = path.join(target, 'package');
  if (existsSync(files)) return files;
  await mkdir(target, { recursive: true });
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', target, `${name}@${version}`]);
  await run('tar', ['xzf', path.join(target, packed.stdout.trim().split('\n').at(-1) ?? ''), '-C', target]);
  return files;
}
