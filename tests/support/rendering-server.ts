import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * A program that renders a page: its title is `TITLE` of its source, `FLAG` of its environment, and whether it was built. It
 * listens on `PORT`, or on the port in its first argument, and dies after `DIE` pages.
 */
const source = (title: string): string => `
  import { existsSync } from 'node:fs';
  import { createServer } from 'node:http';
  const title = ['${title}', process.env.FLAG, existsSync('built') && 'built'].filter(Boolean).join(' ');
  let pages = 0;
  createServer((request, response) => {
    if (request.url === '/data') return void response.end('data');
    pages += 1;
    if (pages > Number(process.env.DIE ?? Infinity)) {
      console.error('Error: out of beans, ' + process.env.FLAG);
      process.exit(3);
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>' + title + '</title><link rel="icon" href="data:,"><p>Hello</p><script>fetch("/data")</script>');
  }).listen(Number(process.argv[2] ?? process.env.PORT), 'localhost', () => console.log('listening'));
`;

/** Writes the program into a folder, and says how it is started there. */
export async function renderingServer(folder: string, title: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'server.mjs'), source(title));
  return `${JSON.stringify(process.execPath)} server.mjs`;
}

/** A repository whose branch main has one title, and whose work tree has another. */
export async function renderingRepository(folder: string, titles: { base: string; candidate: string }): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args]);
  await renderingServer(folder, titles.base);
  await writeFile(path.join(folder, '.gitignore'), 'built\n');
  await git('init', '-q', '-b', 'main');
  await git('add', '.');
  await git('-c', 'user.name=A', '-c', 'user.email=a@b.test', 'commit', '-q', '-m', 'a page');
  await renderingServer(folder, titles.candidate);
}
