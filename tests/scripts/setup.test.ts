import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type SetupWorld, setUp, setUpShell } from '../../scripts/setup.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';

const DEBIAN = 'ID=debian\nVERSION_ID="12"\n';
const MINT = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n';
const UBUNTU = 'NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n';
const FEDORA = 'ID=fedora\n';
const NO_DOWNLOAD = new QuiesceError('browser-download-failed', { detail: 'no way there' });

interface Machine {
  readonly browser?: string;
  readonly named?: boolean;
  readonly install?: string | QuiesceError;
  /** Whether the downloaded browser starts before and after its libraries are installed. */
  readonly starts?: 'at once' | 'with libraries' | 'never';
  readonly osRelease?: string;
  readonly isRoot?: boolean;
  readonly shell?: boolean;
  /** A snap stub installs, but is no browser. */
  readonly apt?: 'works' | 'fails' | 'gives a stub';
}

async function setUpOn(machine: Machine) {
  const { world, said, ran } = worldOf(machine);
  return { exit: await setUp(world), said, ran };
}

function setUpShellOn(machine: Machine) {
  const { world, said, ran } = worldOf(machine);
  setUpShell(world);
  return { said, ran };
}

function worldOf(machine: Machine) {
  const said: string[] = [];
  const ran: string[] = [];
  let browser = machine.browser;
  let hasLibraries = false;
  const world: SetupWorld = {
    find: async () => {
      if (machine.named) throw new QuiesceError('browser-not-executable', { path: '/x', detail: 'no such file' });
      if (browser === undefined) throw new QuiesceError('browser-not-found');
      return { path: browser };
    },
    install: async () => {
      if (typeof machine.install !== 'string') throw machine.install ?? NO_DOWNLOAD;
      return { path: machine.install, version: '1.2.3.4', already: false };
    },
    run: (program, args) => {
      ran.push([program, ...args].join(' '));
      if (program !== 'apt-get') {
        const starts = machine.starts ?? 'at once';
        const ok = starts === 'at once' || (starts === 'with libraries' && hasLibraries);
        return { status: ok ? 0 : 127, said: ok ? '' : 'libnss3.so is missing' };
      }
      if (machine.apt === 'fails') return { status: 100, said: 'E: no network' };
      if (args[0] === 'satisfy') hasLibraries = true;
      if (args[0] === 'install' && machine.apt !== 'gives a stub') browser = '/usr/bin/chromium';
      return { status: 0, said: '' };
    },
    readFile: (path) => (path === '/etc/os-release' ? machine.osRelease : 'libnss3\nlibgbm1 (>= 8)\n'),
    hasShell: () => machine.shell ?? false,
    isRoot: machine.isRoot ?? true,
    say: (line) => said.push(line),
  };
  return { world, said, ran };
}

test('a browser that is there: nothing is said or done', async () => {
  expect(await setUpOn({ browser: '/usr/bin/chrome' })).toEqual({ exit: 0, said: [], ran: [] });
});

test('a named browser that does not work is not replaced', async () => {
  const { exit, said, ran } = await setUpOn({ named: true, install: '/cache/chrome' });
  expect(exit).toBe(3);
  expect(said[0]).toContain('/x cannot be started');
  expect(ran).toEqual([]);
});

test('none: Chrome for Testing', async () => {
  const { exit, said, ran } = await setUpOn({ install: '/cache/chrome', osRelease: FEDORA });
  expect(exit).toBe(0);
  expect(said).toEqual(['Installed Chrome for Testing 1.2.3.4: /cache/chrome']);
  expect(ran).toEqual(['/cache/chrome --version']);
});

test('a bare container: the libraries that the archive asks for', async () => {
  const { exit, said, ran } = await setUpOn({ install: '/cache/chrome', starts: 'with libraries', osRelease: DEBIAN });
  expect(exit).toBe(0);
  expect(said).toHaveLength(1);
  expect(ran).toContain('apt-get satisfy -y --no-install-recommends libnss3,libgbm1 (>= 8)');
});

test.each([
  ['Debian', DEBIAN],
  ['Mint', MINT],
  ['an Ubuntu that has one', UBUNTU],
])('out of reach on %s: its own Chromium', async (_, osRelease) => {
  const { exit, said, ran } = await setUpOn({ osRelease });
  expect(exit).toBe(0);
  expect(ran).toEqual(['apt-get update', 'apt-get install -y chromium']);
  expect(said).toEqual(['Chrome for Testing could not be used; installed Chromium with apt-get: /usr/bin/chromium']);
});

test('a download that does not start is no browser either', async () => {
  const { exit, said } = await setUpOn({ install: '/cache/chrome', starts: 'never', osRelease: DEBIAN });
  expect(exit).toBe(0);
  expect(said[0]).toContain('/usr/bin/chromium');
});

test.each<[string, Machine, RegExp]>([
  [
    'Ubuntu, where the package is a pointer to a snap',
    { osRelease: UBUNTU, apt: 'gives a stub' },
    /no way there.*pointer to a snap/,
  ],
  ['another system', { osRelease: FEDORA }, /no way there/],
  ['no os-release', {}, /no way there/],
  ['not root', { osRelease: DEBIAN, isRoot: false }, /no way there.*As root, "apt-get install chromium"/],
  ['apt-get fails as well', { osRelease: DEBIAN, apt: 'fails' }, /no way there.*E: no network/],
])('%s: one line and exit code 3', async (_, machine, line) => {
  const { exit, said } = await setUpOn(machine);
  expect(exit).toBe(3);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(line);
  expect(said[0]).not.toMatch(/\n/);
});

test('on this machine the script is silent, a browser being there', () => {
  const script = fileURLToPath(new URL('../../scripts/setup.ts', import.meta.url));
  const done = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(done).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

test('for the tests, root on Debian gets the headless shell too', () => {
  const { said, ran } = setUpShellOn({ osRelease: DEBIAN });
  expect(ran).toEqual(['apt-get update', 'apt-get install -y chromium-headless-shell']);
  expect(said).toEqual(['Installed chromium-headless-shell with apt-get, for the tests.']);
});

test('without it, the tests run all the same', () => {
  expect(setUpShellOn({ osRelease: DEBIAN, apt: 'fails' }).said[0]).toMatch(/run in Chrome.*E: no network/);
});

test.each<[string, Machine]>([
  ['one that is there', { osRelease: DEBIAN, shell: true }],
  ['another system', { osRelease: FEDORA }],
  ['not root', { osRelease: DEBIAN, isRoot: false }],
])('no headless shell is installed: %s', (_, machine) => {
  expect(setUpShellOn(machine)).toEqual({ said: [], ran: [] });
});
