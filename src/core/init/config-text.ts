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
# Options of "quiesce audit". All of them: quiesce help audit
# Command line > QUIESCE_* variables > a page's own settings > this file.

# Pages are loaded in turn, so a slow phase of the machine affects all of them. "quiesce audit home" audits one.
pages:
  - name: home
    url: ${quoted(url)}${build === undefined ? '' : ' # a folder with a built site; Quiesce serves it'}
  # - name: about
  #   url: ${other}
  #   runs: 10
  #   timeout: 30s

# Timed runs of each page. More runs narrow the intervals.
runs: 5

# How long the network must be silent to prove that the page is complete; not part of the time.
quietWindow: 3s

# ${served ? 'Quiesce starts this server, and stops it afterwards. Pages can be paths on it: /about/' : 'A server that Quiesce starts, and stops afterwards. Pages can then be paths on it: /about/'}
${unused}serveCommand: ${quoted(server?.command ?? 'npm start')}
${unused}serveUrl: ${server?.url ?? 'http://localhost:3000'}
${unused}serveTimeout: 60s

# Requests to ignore, or to count, when Quiesce decides wrongly. * matches anything.
# background:
#   - /api/presence
# foreground:
#   - /api/first-prices

# Formats to write. "quiesce help audit" lists all.
# format: [html, json, har]
`;
}

/** Plain where YAML takes it for a text of its own accord, else in quotes. */
function quoted(text: string): string {
  return /^[\w./][\w./ :-]*$/.test(text) && !/: |:$/.test(text) ? text : JSON.stringify(text);
}
