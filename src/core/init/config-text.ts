import { type Project, serverOf } from './project.ts';

/** A page that can be loaded anywhere, for projects in which nothing was found. */
const EXAMPLE = 'https://example.com/';

/** The built site comes first: nothing needs to be started for it, and it is what users get. */
export function configText(project: Project): string {
  const [build] = project.builds;
  const server = serverOf(project);
  const served = build === undefined && server !== undefined;
  const url = build ?? (served ? '/' : EXAMPLE);
  const other = served ? '/about/' : build === undefined ? `${EXAMPLE}about/` : 'https://staging.example.com/';
  const unused = served ? '' : '# ';
  return `# yaml-language-server: $schema=https://unpkg.com/quiesce/schema/config.v1.schema.json
#
# What "quiesce audit" does in this project. Options on the command line win over QUIESCE_* variables, these over
# this file, and what a page says for itself over the rest of it. All options: quiesce help audit

# The pages. They take turns, so that drift favours none. "quiesce audit home" audits one of them.
pages:
  - name: home
    url: ${quoted(url)}${build === undefined ? '' : ' # a folder with a built site; Quiesce serves it'}
  # - name: about
  #   url: ${other}
  #   runs: 10
  #   timeout: 30s

# Timed runs of each page: more of them, narrower intervals.
runs: 5

# Silence that proves the page complete; it is not part of the time.
quietWindow: 3s

# ${served ? 'The server that is started before and ended afterwards; pages can be paths there: /about/' : 'A server to start before and to end afterwards; pages can then be paths there: /about/'}
${unused}serveCommand: ${quoted(server?.command ?? 'npm start')}
${unused}serveUrl: ${server?.url ?? 'http://localhost:3000'}
${unused}serveTimeout: 60s

# Traffic that pages do not need, and such that they do, where Quiesce cannot know. * stands for anything.
# background:
#   - /api/presence
# foreground:
#   - /api/first-prices

# What is written. "quiesce help audit" lists all formats.
# format: [html, json, har]
`;
}

/** Plain where YAML takes it for a text of its own accord, else in quotes. */
function quoted(text: string): string {
  return /^[\w./][\w./ :-]*$/.test(text) && !/: |:$/.test(text) ? text : JSON.stringify(text);
}
