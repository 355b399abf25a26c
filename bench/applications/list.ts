/** The applications that bench/applications/index.ts audits: how each comes, and how it is started. */

/** Where an installed application is, and where it shall listen. */
export interface Place {
  /** The folder with the files of the application, and whatever it writes. */
  readonly folder: string;
  readonly port: number;
  /** A program that came with the application: of the npm packages, or of the Debian packages by its path. */
  program(name: string): string;
}

export interface Application {
  readonly name: string;
  /** What a reader should know about the page. */
  readonly what: string;
  readonly from: 'PyPI' | 'npm' | 'Debian';
  /** Packages with their versions, as the client of the registry takes them; the first is the application. */
  readonly packages: readonly string[];
  /** A small project for the application to serve: text by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** What must be run once before the first start. */
  readonly prepare?: (place: Place) => readonly string[];
  /** The command and its arguments. The command `python` is the one that the packages are installed for. */
  readonly start: (place: Place) => readonly string[];
  readonly env?: (place: Place) => Readonly<Record<string, string>>;
  /** The page; `/` when absent. */
  readonly path?: string;
}

const HOST = '127.0.0.1';
const origin = (port: number): string => `http://${HOST}:${port}`;

const DJANGO = `
import os, sys
from pathlib import Path
BASE = Path(__file__).parent
from django.conf import settings
settings.configure(DEBUG=True, SECRET_KEY='k', ROOT_URLCONF=__name__, ALLOWED_HOSTS=['*'], STATIC_URL='/static/',
  DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': BASE / 'db.sqlite3'}},
  INSTALLED_APPS=['django.contrib.admin', 'django.contrib.auth', 'django.contrib.contenttypes',
    'django.contrib.sessions', 'django.contrib.messages', 'django.contrib.staticfiles'],
  MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware',
    'django.contrib.auth.middleware.AuthenticationMiddleware', __name__ + '.Known',
    'django.contrib.messages.middleware.MessageMiddleware'],
  TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {
    'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth',
      'django.contrib.messages.context_processors.messages']}}])
class Known:
    def __init__(self, answer): self.answer = answer
    def __call__(self, request):
        from django.contrib.auth.models import User
        request.user = User.objects.filter(is_superuser=True).first()
        return self.answer(request)
import django
sys.modules.setdefault('site_of_bench', sys.modules[__name__])
django.setup()
from django.contrib import admin
from django.urls import path
urlpatterns = [path('admin/', admin.site.urls)]
if __name__ == '__main__':
    from django.core.management import call_command, execute_from_command_line
    if sys.argv[1] == 'runserver':
        call_command('migrate', verbosity=0)
        from django.contrib.auth.models import User
        if not User.objects.exists(): User.objects.create_superuser('admin', 'a@example.com', 'x')
    execute_from_command_line(sys.argv)
`;

const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: 'markdown', id: 'a', metadata: {}, source: '# Sales\n\nA notebook with a kernel.' },
    { cell_type: 'code', id: 'b', metadata: {}, execution_count: null, outputs: [], source: 'sum(range(10))' },
  ],
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

const WEBPACK = `
const Html = require('html-webpack-plugin');
module.exports = { mode: 'development', entry: './src/index.js', plugins: [new Html({ title: 'App' })] };
`;

/** In the order of the table. */
export const APPLICATIONS: readonly Application[] = [
  {
    name: 'jupyterlab',
    what: 'notebook IDE, its start page',
    from: 'PyPI',
    packages: ['jupyterlab==4.6.6'],
    start: ({ port, folder }) => jupyter('jupyterlab', port, folder),
    path: '/lab',
  },
  {
    name: 'notebook',
    what: 'a notebook with its kernel',
    from: 'PyPI',
    packages: ['notebook==7.6.5'],
    files: { 'sales.ipynb': NOTEBOOK },
    start: ({ port, folder }) => jupyter('notebook', port, folder),
    path: '/notebooks/sales.ipynb',
  },
  {
    name: 'marimo',
    what: 'reactive notebook in its editor',
    from: 'PyPI',
    packages: ['marimo==0.25.2'],
    files: {
      'notebook.py': `import marimo
app = marimo.App()
@app.cell
def _():
    import marimo as mo
    mo.md('# Sales')
    return
@app.cell
def _():
    sum(range(10))
    return
`,
    },
    start: ({ port }) => [
      ...['python', '-m', 'marimo', '--yes', 'edit', 'notebook.py', '--headless', '--no-token'],
      ...['--skip-update-check', '--host', HOST, '--port', `${port}`],
    ],
  },
  {
    name: 'streamlit',
    what: 'data app: a chart and a table through a socket',
    from: 'PyPI',
    packages: ['streamlit==1.67.0'],
    files: {
      'app.py': `import time, streamlit as st
st.title('Sales')
time.sleep(0.5)
st.line_chart([3, 1, 4, 1, 5, 9])
st.table({'a': [1, 2], 'b': [3, 4]})
`,
    },
    start: ({ port }) => [
      ...['python', '-m', 'streamlit', 'run', 'app.py', '--server.headless', 'true', '--server.address', HOST],
      ...['--server.port', `${port}`, '--browser.gatherUsageStats', 'false'],
    ],
  },
  {
    name: 'dash',
    what: 'dashboard: a plot and a clock that asks every second',
    from: 'PyPI',
    packages: ['dash==4.4.1'],
    files: {
      'app.py': `import sys, time
from dash import Dash, dcc, html, Input, Output
app = Dash(__name__)
app.layout = html.Div([html.H1('Sales'), dcc.Interval(id='tick', interval=1000), html.P(id='now'),
    dcc.Graph(id='plot', figure={'data': [{'x': [1, 2, 3], 'y': [4, 1, 2], 'type': 'bar'}]})])
@app.callback(Output('now', 'children'), Input('tick', 'n_intervals'))
def now(n): return time.strftime('%H:%M:%S')
app.run(host='127.0.0.1', port=int(sys.argv[1]), debug=False)
`,
    },
    start: ({ port }) => ['python', 'app.py', `${port}`],
  },
  {
    name: 'bokeh',
    what: 'plot that the server extends ten times a second',
    from: 'PyPI',
    packages: ['bokeh==3.9.2'],
    files: {
      'app.py': `from math import sin
from bokeh.plotting import curdoc, figure
from bokeh.models import ColumnDataSource
source = ColumnDataSource({'x': list(range(50)), 'y': [sin(x / 5) for x in range(50)]})
plot = figure(title='Live', width=700, height=400)
plot.line('x', 'y', source=source)
curdoc().add_root(plot)
def tick():
    x = source.data['x'][-1] + 1
    source.stream({'x': [x], 'y': [sin(x / 5)]}, 50)
curdoc().add_periodic_callback(tick, 100)
`,
    },
    start: ({ port }) => [
      ...['python', '-m', 'bokeh', 'serve', 'app.py', '--address', HOST, '--port', `${port}`],
      ...['--allow-websocket-origin', `${HOST}:${port}`],
    ],
    path: '/app',
  },
  {
    name: 'gradio',
    what: 'chat with a model (a function here), its start page',
    from: 'PyPI',
    packages: ['gradio==6.31.0'],
    files: {
      'app.py': `import sys, gradio as gr
gr.ChatInterface(lambda text, history: text.upper(), title='Chat').launch(
    server_name='127.0.0.1', server_port=int(sys.argv[1]), quiet=True)
`,
    },
    start: ({ port }) => ['python', 'app.py', `${port}`],
    env: () => ({ GRADIO_ANALYTICS_ENABLED: 'False', HF_HUB_OFFLINE: '1' }),
  },
  {
    name: 'nicegui',
    what: 'a clock and a slow table through socket.io',
    from: 'PyPI',
    packages: ['nicegui==3.18.0'],
    files: {
      'app.py': `import asyncio, sys, time
from nicegui import ui
@ui.page('/')
async def page():
    ui.label('Sales').classes('text-h4')
    clock = ui.label()
    ui.timer(1.0, lambda: clock.set_text(time.strftime('%X')))
    await ui.context.client.connected()
    await asyncio.sleep(1)
    ui.table(rows=[{'a': n, 'b': n * n} for n in range(8)])
ui.run(host='127.0.0.1', port=int(sys.argv[1]), reload=False, show=False)
`,
    },
    start: ({ port }) => ['python', 'app.py', `${port}`],
  },
  {
    name: 'shiny',
    what: 'data app: a plot, a slow table and a clock through a socket',
    from: 'PyPI',
    packages: ['shiny==1.8.0', 'matplotlib==3.11.2', 'pandas==3.1.1'],
    files: {
      'app.py': `import asyncio, time
import matplotlib.pyplot as plt
import pandas
from shiny import App, reactive, render, ui
app_ui = ui.page_fluid(ui.h2('Sales'), ui.output_text('clock'), ui.output_plot('plot'), ui.output_table('rows'))
def server(input, output, session):
    @render.text
    def clock():
        reactive.invalidate_later(1)
        return time.strftime('%X')
    @render.plot
    def plot():
        figure, axes = plt.subplots()
        axes.plot([3, 1, 4, 1, 5])
        return figure
    @render.table
    async def rows():
        await asyncio.sleep(1)
        return pandas.DataFrame({'a': range(5), 'b': range(5)})
app = App(app_ui, server)
`,
    },
    start: ({ port }) => ['python', '-m', 'shiny', 'run', 'app.py', '--host', HOST, '--port', `${port}`],
  },
  {
    name: 'panel',
    what: 'dashboard: a slider, a number that is counted up, and a table that comes later',
    from: 'PyPI',
    packages: ['panel==1.9.4'],
    files: {
      'app.py': `import asyncio
import pandas
import panel as pn
pn.extension('tabulator')
count = pn.indicators.Number(name='Visitors', value=1)
async def rows():
    await asyncio.sleep(1)
    return pn.widgets.Tabulator(pandas.DataFrame({'a': range(5), 'b': range(5)}))
def tick():
    count.value += 1
pn.state.onload(lambda: pn.state.add_periodic_callback(tick, period=1000))
pn.Column('# Sales', pn.widgets.IntSlider(name='Year', start=2000, end=2030), count, rows).servable()
`,
    },
    start: ({ port }) => ['python', '-m', 'panel', 'serve', 'app.py', '--address', HOST, '--port', `${port}`],
    path: '/app',
  },
  {
    name: 'solara',
    what: 'reactive app: a table and a button, through the socket of a kernel',
    from: 'PyPI',
    packages: ['solara==1.64.1', 'pandas==3.1.1'],
    files: {
      'app.py': `import pandas, solara
clicks = solara.reactive(0)
@solara.component
def Page():
    solara.Markdown('# Sales')
    solara.Button(label=f'Clicked {clicks.value}', on_click=lambda: clicks.set(clicks.value + 1))
    solara.DataFrame(pandas.DataFrame({'a': range(5), 'b': range(5)}))
`,
    },
    start: ({ port }) => ['python', '-m', 'solara', 'run', 'app.py', '--host', HOST, '--port', `${port}`, '--no-open'],
  },
  {
    name: 'chainlit',
    what: 'chat with an assistant that greets word by word',
    from: 'PyPI',
    packages: ['chainlit==2.9.6'],
    files: {
      'app.py': `import asyncio
import chainlit as cl
@cl.on_chat_start
async def start():
    message = cl.Message(content='')
    for word in 'Good morning, what do you want to know about sales?'.split():
        await message.stream_token(word + ' ')
        await asyncio.sleep(0.1)
    await message.update()
`,
    },
    start: ({ port }) => [
      'python',
      '-m',
      'chainlit',
      'run',
      'app.py',
      '--host',
      HOST,
      '--port',
      `${port}`,
      '--headless',
    ],
  },
  {
    name: 'mitmweb',
    what: 'flows of a proxy through a socket',
    from: 'PyPI',
    packages: ['mitmproxy==11.0.2'],
    start: ({ port }) => [
      ...['python', '-c', 'from mitmproxy.tools.main import mitmweb; mitmweb()', '--web-host', HOST],
      ...['--web-port', `${port}`, '--listen-host', HOST, '--listen-port', '0', '--no-web-open-browser'],
      ...['--set', 'web_password=word', '--set', 'confdir=conf'],
    ],
    path: '/?token=word',
  },
  {
    name: 'django admin',
    what: 'admin page of a logged-in user, runserver',
    from: 'PyPI',
    packages: ['django==5.2.19'],
    files: { 'site_of_bench.py': DJANGO },
    start: ({ port }) => ['python', 'site_of_bench.py', 'runserver', '--noreload', `${HOST}:${port}`],
    path: '/admin/',
  },
  {
    name: 'datasette',
    what: 'table of a database',
    from: 'PyPI',
    packages: ['datasette==0.65.5', 'setuptools==80.9.0'],
    start: ({ port }) => ['python', '-m', 'datasette', '--memory', '--host', HOST, '--port', `${port}`],
    path: '/_memory?sql=select+1+as+a%2C+2+as+b',
  },
  {
    name: 'mkdocs',
    what: 'documentation with live reload',
    from: 'PyPI',
    packages: ['mkdocs==1.6.1', 'click==8.2.1'],
    files: { 'mkdocs.yml': 'site_name: Docs\n', 'docs/index.md': '# Docs\n\nText.\n' },
    start: ({ port }) => ['python', '-m', 'mkdocs', 'serve', '--livereload', '--dev-addr', `${HOST}:${port}`],
  },
  {
    name: 'sphinx-autobuild',
    what: 'documentation with live reload',
    from: 'PyPI',
    packages: ['sphinx-autobuild==2025.8.25'],
    files: { 'docs/conf.py': "project = 'Docs'\n", 'docs/index.rst': 'Docs\n====\n\nText.\n' },
    start: ({ port }) => [
      ...['python', '-m', 'sphinx_autobuild', 'docs', 'built', '--host', HOST, '--port', `${port}`],
    ],
  },
  {
    name: 'glances',
    what: 'dashboard of a machine',
    from: 'PyPI',
    packages: ['glances[web]==4.5.8'],
    start: ({ port }) => [...['python', '-m', 'glances', '-w', '-B', HOST, '-p', `${port}`, '--disable-check-update']],
  },
  {
    name: 'locust',
    what: 'dashboard of a running load test',
    from: 'PyPI',
    packages: ['locust==2.47.0'],
    files: {
      'locustfile.py': `from locust import HttpUser, constant, task
class Visitor(HttpUser):
    wait_time = constant(2)
    @task
    def visit(self): self.client.get('/stats/report')
`,
    },
    start: ({ port }) => [
      ...['python', '-m', 'locust', '-f', 'locustfile.py', '--web-host', HOST, '--web-port', `${port}`],
      ...['--host', origin(port), '--users', '1', '--autostart'],
    ],
  },
  {
    name: 'tensorboard',
    what: 'curves of a training run',
    from: 'PyPI',
    packages: ['tensorboard==2.21.0', 'setuptools==80.9.0'],
    files: {
      'write.py': `from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
writer = EventFileWriter('logs/a')
for step in range(50):
    writer.add_event(Event(step=step, wall_time=1.0e9 + step,
        summary=Summary(value=[Summary.Value(tag='loss', simple_value=1 / (step + 1))])))
writer.close()
`,
    },
    prepare: () => ['python', 'write.py'],
    start: ({ port }) => [
      ...['python', '-m', 'tensorboard.main', '--logdir', 'logs', '--host', HOST, '--port', `${port}`],
    ],
  },
  {
    name: 'vite',
    what: 'React app from the dev server, hot reload',
    from: 'npm',
    packages: ['vite@8.3.8', '@vitejs/plugin-react@6.3.0', 'react@19.3.1', 'react-dom@19.3.1'],
    files: {
      'vite.config.mjs': "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
      'index.html':
        '<!doctype html><title>App</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
      'src/main.jsx': `import { createRoot } from 'react-dom/client';
import App from './App.jsx';
createRoot(document.getElementById('root')).render(<App />);
`,
      'src/App.jsx': 'export default () => <h1>Sales</h1>;\n',
    },
    start: ({ port, program }) => [program('vite'), '--host', HOST, '--port', `${port}`, '--strictPort'],
  },
  {
    name: 'webpack-dev-server',
    what: 'app from the dev server, hot reload',
    from: 'npm',
    packages: ['webpack@5.112.2', 'webpack-cli@7.3.1', 'webpack-dev-server@5.2.7', 'html-webpack-plugin@5.6.8'],
    files: {
      'webpack.config.js': WEBPACK,
      'src/index.js': "document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Sales' }));\n",
    },
    start: ({ port, program }) => [program('webpack'), 'serve', '--host', HOST, '--port', `${port}`],
  },
  {
    name: 'next dev',
    what: 'app from the dev server, hot reload',
    from: 'npm',
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
    files: {
      'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
      'app/page.jsx': "import Link from 'next/link';\nexport default () => <h1>Sales <Link href='/'>all</Link></h1>;\n",
    },
    start: ({ port, program }) => [program('next'), 'dev', '--hostname', HOST, '--port', `${port}`],
    env: () => ({ NEXT_TELEMETRY_DISABLED: '1' }),
  },
  {
    name: 'parcel',
    what: 'app from the dev server, hot reload',
    from: 'npm',
    packages: ['parcel@2.16.4'],
    files: {
      'src/index.html': '<!doctype html><title>App</title><body><script type="module" src="app.js"></script></body>',
      'src/app.js': "document.body.append(Object.assign(document.createElement('h1'), { textContent: 'Sales' }));\n",
    },
    start: ({ port, program }) => [program('parcel'), 'serve', 'src/index.html', '--host', HOST, '--port', `${port}`],
  },
  {
    name: 'eleventy',
    what: 'static site with live reload',
    from: 'npm',
    packages: ['@11ty/eleventy@3.1.8'],
    files: { 'site/index.md': '# Sales\n\nText.\n' },
    start: ({ port, program }) => [program('eleventy'), '--input=site', '--serve', `--port=${port}`, '--quiet'],
  },
  {
    name: 'astro dev',
    what: 'page from the dev server, its toolbar, hot reload',
    from: 'npm',
    packages: ['astro@7.3.5'],
    files: { 'src/pages/index.astro': '<html lang="en"><body><h1>Sales</h1></body></html>\n' },
    start: ({ port, program }) => [program('astro'), 'dev', '--host', HOST, '--port', `${port}`],
    env: () => ({ ASTRO_TELEMETRY_DISABLED: '1' }),
  },
  {
    name: 'nuxt dev',
    what: 'Vue app from the dev server: its loading page, then the app',
    from: 'npm',
    packages: ['nuxt@4.5.2'],
    files: {
      'app.vue': '<template><h1>Sales</h1></template>\n',
      'nuxt.config.js': 'export default { devtools: { enabled: true } };\n',
    },
    start: ({ port, program }) => [program('nuxt'), 'dev', '--host', HOST, '--port', `${port}`],
    env: () => ({ NUXT_TELEMETRY_DISABLED: '1' }),
  },
  {
    name: 'slidev',
    what: 'slides from a dev server',
    from: 'npm',
    packages: ['@slidev/cli@53.0.0', '@slidev/theme-default@0.25.0'],
    files: { 'slides.md': '# Sales\n\nText\n\n---\n\n# More\n' },
    start: ({ port, program }) => [program('slidev'), 'slides.md', '--port', `${port}`, '--bind', HOST],
  },
  {
    name: 'storybook',
    what: 'catalogue of components, dev server',
    from: 'npm',
    packages: ['storybook@10.6.0', '@storybook/html-vite@10.6.0', 'vite@8.3.8'],
    files: {
      '.storybook/main.js': "export default { stories: ['../src/*.stories.js'], framework: '@storybook/html-vite' };\n",
      'src/button.stories.js':
        "export default { title: 'Button' };\nexport const Plain = { render: () => '<button>Buy</button>' };\n",
    },
    start: ({ port, program }) => [
      ...[program('storybook'), 'dev', '--host', HOST, '--port', `${port}`, '--ci', '--exact-port'],
      ...['--disable-telemetry', '--no-version-updates'],
    ],
  },
  {
    name: 'browser-sync',
    what: 'static page with live reload (socket.io)',
    from: 'npm',
    packages: ['browser-sync@3.0.4'],
    files: { 'site/index.html': '<!doctype html><title>Page</title><body><h1>Page</h1></body>' },
    start: ({ port, program }) => [
      ...[program('browser-sync'), 'start', '--server', 'site', '--files', 'site', '--host', HOST, '--listen', HOST],
      ...['--port', `${port}`, '--no-open', '--no-ui'],
    ],
  },
  {
    name: 'node-red',
    what: 'flow editor (IDE)',
    from: 'npm',
    packages: ['node-red@4.1.15'],
    files: {
      'user/settings.js': "module.exports = { uiHost: '127.0.0.1', telemetry: { enabled: false } };\n",
    },
    start: ({ port, program }) => [program('node-red'), '--userDir', 'user', '--port', `${port}`],
  },
  {
    name: 'json-server',
    what: 'page of a mock API',
    from: 'npm',
    packages: ['json-server@0.17.4'],
    files: { 'db.json': '{ "items": [{ "id": 1 }] }' },
    start: ({ port, program }) => [program('json-server'), 'db.json', '--host', HOST, '--port', `${port}`],
  },
  {
    name: 'syncthing',
    what: 'admin page that waits for events',
    from: 'Debian',
    packages: ['syncthing=1.19.2~ds1-1+b4'],
    start: ({ port, program, folder }) => [
      ...[program('usr/bin/syncthing'), 'serve', '--home', `${folder}/home`, '--no-browser', '--no-restart'],
      ...['--no-upgrade', '--no-default-folder', `--gui-address=${origin(port)}`],
    ],
    env: ({ folder }) => ({ HOME: folder, STNODEFAULTFOLDER: '1' }),
  },
  {
    name: 'netdata',
    what: 'dashboard of a machine, once a second',
    from: 'Debian',
    packages: ['netdata-core=1.37.1-2', 'netdata-web=1.37.1-2'],
    files: {
      'netdata.conf': `[global]
  run as user = root
[db]
  mode = ram
[directories]
  web = WEB
  config = FOLDER
  stock config = FOLDER
  plugins = FOLDER/plugins
  cache = FOLDER/cache
  lib = FOLDER/lib
  log = FOLDER/log
[plugins]
  apps = no
  charts.d = no
  python.d = no
  go.d = no
  ebpf = no
[health]
  enabled = no
[registry]
  enabled = no
[web]
  bind to = 127.0.0.1
[statsd]
  enabled = no
[ml]
  enabled = no
`,
    },
    prepare: ({ folder, program }) => [
      ...['sh', '-c'],
      `sed -i "s#WEB#${program('usr/share/netdata/web')}#; s#FOLDER#${folder}#g" netdata.conf; mkdir -p cache lib log plugins; touch no-update`,
    ],
    start: ({ port, program, folder }) => [
      ...[program('usr/sbin/netdata'), '-D', '-c', `${folder}/netdata.conf`, '-p', `${port}`, '-P', `${folder}/pid`],
    ],
    env: () => ({ DO_NOT_TRACK: '1' }),
  },
];

function jupyter(module: string, port: number, folder: string): readonly string[] {
  return [
    ...['python', '-m', module, '--no-browser', '--allow-root', `--ServerApp.ip=${HOST}`, `--ServerApp.port=${port}`],
    ...['--IdentityProvider.token=', `--ServerApp.root_dir=${folder}`, '--ServerApp.port_retries=0'],
  ];
}
