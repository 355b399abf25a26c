import type { EventEmitter } from 'node:events';
import { version } from '../jobs/engine/version.ts';
import { whyUnwritable } from '../wording/messages/file-errors.ts';
import { EXIT, QuiesceError } from '../wording/messages/messages.ts';
import { COMMANDS } from './commands/index.ts';
import { commandHelp, fullHelp, HELP_WIDTH, shortHelp } from './help.ts';
import { cleanOutput, type Stream } from './output.ts';
import { parseCommandLine, unknownCommand } from './parse.ts';
import { printError } from './print-error.ts';
import { wantsColor } from './terminal.ts';
import { JOBS, type World, widthOf } from './world.ts';

/**
 * Runs one command line.
 *
 * @param argv The arguments after the program's name.
 * @returns The exit code. Every expected error has been printed as one line on stderr.
 */
export async function main(argv: readonly string[], outside: World<Stream>): Promise<number> {
  const world = cleaned(outside);
  if (argv.length === 0) {
    world.stdout.write(shortHelp(COMMANDS, helpWidth(world)));
    return EXIT.ok;
  }
  try {
    const line = parseCommandLine(argv, COMMANDS, world.cwd);
    if (line.asks === 'run') return await line.command.run(line.words, line.given, world);
    world.stdout.write(line.asks === 'version' ? `${version()}\n` : helpOn(line.words, world));
    return EXIT.ok;
  } catch (error) {
    return printFailure(error, argv, world);
  }
}

/** The same world, where nothing that is written commands a terminal or a runner. */
function cleaned(outside: World<Stream>): World {
  const clean = (stream: Stream, redacts: boolean) =>
    cleanOutput(stream, { color: wantsColor(stream, outside.env), redacts });
  return { ...outside, stdout: clean(outside.stdout, false), stderr: clean(outside.stderr, true) };
}

/** How long a job may take to stop after an error that nothing caught, ms. */
const STOPS_WITHIN_MS = 30_000;

/** The process behind the command line: its streams, its signals, its exit code. */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  let isOver = false;
  const exit = (code: number): void => {
    isOver = true;
    process.exit(code);
  };
  const world: World<Stream> = {
    env: process.env,
    cwd: process.cwd(),
    program: [process.execPath, process.argv[1] ?? ''],
    stdout: process.stdout,
    stderr: process.stderr,
    isRoot: process.getuid?.() === 0,
    signals: process,
    exit,
    notifyParent(message) {
      if (process.connected) process.send?.(message);
    },
    async openFile(file) {
      const { default: open } = await import('open');
      // A program that cannot be started says so later, when nobody waits any more.
      (await open(file)).on('error', () => undefined);
    },
    jobs: JOBS,
  };
  const listeners: EventEmitter = process;
  let hasCrashed = false;
  const crash = (error: unknown): void => {
    // What comes after the first follows from it, or is the same again.
    if (hasCrashed) return;
    hasCrashed = true;
    const code = printFailure(error, argv, cleaned(world));
    // After an error that nothing caught, nobody knows what still holds: a job stops as after Ctrl-C, and writes what is
    // finished. Where it cannot, finished runs are stored by then, and what is left behind is removed at the exit.
    if (listeners.emit('crash')) setTimeout(exit, STOPS_WITHIN_MS, code);
    else exit(code);
  };
  process.on('uncaughtException', crash);
  // A reader of a pipe may close it early (`| head`), and a terminal may be closed; that is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO')
        crash(new QuiesceError('output-failed', { detail: whyUnwritable(error) }));
    });
  }
  // Also for "nothing failed" and "a gate failed": a program that was ended from within has answered nothing.
  process.once('exit', () => {
    if (!isOver) process.exitCode = printFailure(new QuiesceError('ended-from-within'), argv, cleaned(world));
  });
  const code = await main(argv, world);
  isOver = true;
  process.exitCode = code;
  // What a configuration file or a script has left running would keep the command from ending. A program that listens ends it.
  if (process.connected) return;
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit();
}

/** Resolves when all that was written to a stream has left it. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve());
  });

/** As wide as the terminal, within readable limits. */
const helpWidth = ({ stdout }: World): number => Math.max(60, Math.min(HELP_WIDTH, widthOf(stdout, HELP_WIDTH)));

function helpOn(words: readonly string[], world: World): string {
  const wanted = words.join(' ');
  if (wanted === '' || wanted === 'help') return shortHelp(COMMANDS, helpWidth(world));
  if (wanted === 'all') return fullHelp(COMMANDS, helpWidth(world));
  const matching = COMMANDS.filter((command) => command.name === wanted || command.name.startsWith(`${wanted} `));
  if (matching.length === 0) throw unknownCommand(wanted, COMMANDS, world.cwd);
  return matching.map((command) => commandHelp(command, helpWidth(world))).join('\n');
}

function printFailure(error: unknown, argv: readonly string[], world: World): number {
  const verbose = argv.includes('--verbose') || /^(1|true|yes|on)$/i.test(world.env.QUIESCE_VERBOSE ?? '');
  if (error instanceof QuiesceError) {
    printError(error.message, world);
    if (verbose && error.cause instanceof Error) world.stderr.write(`${error.cause.stack}\n`);
    return error.exit;
  }
  const first = (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0];
  printError(`unexpected error: ${first}${verbose ? '' : ' (run again with --verbose)'}`, world);
  if (verbose) world.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT.unmeasured;
}
