/** What was found in the folder of a project. */
export interface Project {
  /** Folders with a built site, from the project's own, with forward slashes; the likeliest first. */
  readonly builds: readonly string[];
  /** The scripts of its package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** The packages that it depends on. */
  readonly packages: readonly string[];
  /** How its scripts are run: 'npm run', 'pnpm', 'yarn', 'bun run'. */
  readonly runner: string;
}

/** A server that the project can start. */
export interface ProjectServer {
  readonly command: string;
  readonly url: string;
}

/** Where builds are written, by the tools' own defaults; `public` last, for many tools keep sources there. */
export const BUILD_FOLDERS = [
  'dist',
  'build',
  'out',
  '_site',
  '.output/public',
  'build/client',
  'docs/.vitepress/dist',
  '.vitepress/dist',
  'storybook-static',
  'public',
] as const;

/** Tools that keep the template of their page in `public`. */
const PUBLIC_IS_SOURCE: readonly string[] = ['react-scripts', '@vue/cli-service', 'next', 'vite', 'astro'];

/** The folders that hold a build, not the sources of one. */
export function realBuilds(folders: readonly string[], packages: readonly string[]): readonly string[] {
  return packages.some((each) => PUBLIC_IS_SOURCE.includes(each))
    ? folders.filter((folder) => folder !== 'public')
    : folders;
}

/** Scripts that start a server, the one most like production first. A server of development shows another page. */
const SERVING = ['preview', 'serve', 'start'] as const;

/** Ports that servers listen on by default, by the words that start them. Source: the tools' own documentation. */
const PORTS: readonly (readonly [words: RegExp, port: number])[] = [
  [/\bvite\s+preview\b|\bvitepress\s+(?:preview|serve)\b|\bsvelte-kit\s+preview\b/, 4173],
  [/\bastro\s+preview\b|\bastro\s+dev\b/, 4321],
  [/\bnuxi?\s+(?:preview|start|dev)\b|\bnext\s+(?:start|dev)\b|\bdocusaurus\s+(?:serve|start)\b/, 3000],
  [/\b(?:remix|react-router)-serve\b|\breact-scripts\s+start\b/, 3000],
  [/\bgatsby\s+serve\b/, 9000],
  [/\bgatsby\s+develop\b/, 8000],
  [/\bng\s+serve\b/, 4200],
  [/\bstorybook\s+dev\b|\bstart-storybook\b/, 6006],
  [/\beleventy\b|\bvue-cli-service\s+serve\b|\bhttp-server\b|\bwebpack(?:-dev-server|\s+serve)\b/, 8080],
  [/\bparcel\b/, 1234],
  [/\bvite\b/, 5173],
];

/** What most servers of Node listen on. */
const USUAL_PORT = 3000;

/** How the project is served, as far as its scripts tell; undefined when none of them starts a server. */
export function serverOf({ scripts, runner }: Project): ProjectServer | undefined {
  const name = SERVING.find((each) => scripts[each] !== undefined);
  const line = name === undefined ? undefined : scripts[name];
  if (name === undefined || line === undefined) return undefined;
  const said = /(?:--port[= ]|(?:^|\s)-p[= ]?|\bPORT=)(\d{2,5})\b/.exec(line)?.[1];
  const known = PORTS.find(([words]) => words.test(line))?.[1];
  return { command: `${runner} ${name}`, url: `http://localhost:${said ?? known ?? USUAL_PORT}` };
}
