import path from 'node:path';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';
import type { World } from '../world.ts';
import { github } from './github.ts';

/** `quiesce action <step>` */
export const action: Command = {
  name: 'action',
  argument: '<plan|measure|publish>',
  hidden: true,
  summary: 'one step of the GitHub Action',
  details:
    'For action.yml only; people use audit, compare, merge and github. plan reads and checks the inputs (ACTION_INPUTS, as ' +
    'JSON) and plans the other steps. measure runs the planned job (ACTION_PLAN), and prevents the runner from reading its ' +
    'log as commands. publish shows the result on GitHub (ACTION_EXIT_CODE, ACTION_REPORT_URL, GITHUB_TOKEN) and fails the ' +
    'job as fail-on says. Only publish sees the token, and only measure runs anything of the repository, also its ' +
    'configuration file.',
  examples: [['quiesce action plan', 'as action.yml does it']],
  async run(words, _given, world) {
    const [name = '', ...more] = words;
    const step = STEPS[name];
    if (step === undefined || more.length > 0) {
      throw new QuiesceError('command-unknown', { detail: ['action', ...words].join(' ') });
    }
    return step(world);
  },
};

const STEPS: Readonly<Record<string, (world: World) => Promise<number>>> = { plan, measure, publish };

async function plan(world: World): Promise<number> {
  const { plan } = await import('../../jobs/action/plan.ts');
  return plan({ ...world, readsConfig: false, write: (text) => void world.stdout.control(text) });
}

async function measure(world: World): Promise<number> {
  const { measure } = await import('../../jobs/action/measure.ts');
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = () => (first.signal.aborted ? second : first).abort();
  world.signals.on('SIGINT', stop);
  world.signals.on('SIGTERM', stop);
  try {
    return await measure(await plannedIn(world), {
      ...world,
      stops: [first.signal, second.signal],
      write: (text) => void world.stdout.control(text),
    });
  } finally {
    world.signals.off('SIGINT', stop);
    world.signals.off('SIGTERM', stop);
  }
}

async function publish(world: World): Promise<number> {
  const { exitAfter, wasInterrupted } = await import('../../jobs/action/measure.ts');
  const { out, github: typed } = await plannedIn(world);
  const { ACTION_EXIT_CODE = '', ACTION_REPORT_URL: reportUrl = '' } = world.env;
  const measured = Number(ACTION_EXIT_CODE);
  const published = await github.run(
    [path.resolve(world.cwd, out)],
    {
      ...typed,
      ...(reportUrl !== '' && { reportUrl }),
      // Part of an answer is no news where the next push is under way.
      ...(wasInterrupted(measured) && { comment: false }),
    },
    // It has the token, and the folder is one in which a build has written.
    { ...world, readsConfig: false },
  );
  return exitAfter(measured, published);
}

async function plannedIn({ env }: World) {
  const { readPlan } = await import('../../settings/action-inputs.ts');
  return readPlan(env.ACTION_PLAN ?? '');
}
