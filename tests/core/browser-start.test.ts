import { expect, it } from 'vitest';
import { fileShortage, startTrouble } from '../../src/core/browser-start.ts';

const failed = (...said: readonly string[]): string =>
  `Failed to launch the browser process:  Code: 1\n\nstderr:\n${said.join('\n')}\n\nTROUBLESHOOTING: https://pptr.dev/troubleshooting\n`;

it('says with what the browser ended itself', () => {
  expect(
    startTrouble(
      failed(
        '[7:7:1122/113000.1:ERROR:dbus/bus.cc:405] Failed to connect to the bus: Could not parse server address',
        '[7:7:1122/113000.2:FATAL:content/browser/zygote_host/zygote_host_impl_linux.cc:128] No usable sandbox! If you are running on Ubuntu',
        '#0 0x55d0 (/usr/lib/chromium/chromium+0x1)',
      ),
    ),
  ).toEqual({ detail: 'No usable sandbox! If you are running on Ubuntu', cause: 'sandbox' });
});

it('knows missing libraries', () => {
  const line = '/opt/chrome/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file';
  expect(startTrouble(failed(line))).toEqual({ detail: line, cause: 'library-missing' });
});

it('knows a limit of open files, and a folder for temporary files that does not serve', () => {
  const files =
    '[7:7:1122/113000.1:FATAL:base/posix/unix_domain_socket.cc:60] Check failed: . : Too many open files (24)';
  expect(startTrouble(failed(files)).cause).toBe('open-files');
  expect(startTrouble('spawn /usr/bin/chromium EMFILE').cause).toBe('open-files');
  const socket =
    '[7:7:1122/113000.1:FATAL:x.cc:9] Socket path too long: /tmp/a/org.chromium.Chromium.weIhQo/SingletonSocket';
  expect(startTrouble(failed(socket)).cause).toBe('temporary-folder');
  const folder = "ENOENT: no such file or directory, mkdtemp '/nowhere/quiesce-profile-XXXXXX'";
  expect(startTrouble(folder)).toEqual({ detail: folder, cause: 'temporary-folder' });
});

it('goes by what was said last, or by what Puppeteer says', () => {
  expect(startTrouble(failed('first', 'the\u00a0last one!')).detail).toBe('the last one');
  expect(startTrouble('Failed to launch the browser process: spawn EACCES\nmore').detail).toBe(
    'Failed to launch the browser process: spawn EACCES',
  );
  expect(startTrouble(failed('x'.repeat(5000)))).toEqual({
    detail: expect.stringMatching(/^x{199}…$/),
    cause: 'unknown',
  });
});

it('knows few open files by the last words of a browser, and by the limit', () => {
  expect(fileShortage('FATAL:x.cc:1] Check failed: . : Too many open files (24)', 120)).toEqual({
    isReached: true,
    limit: 120,
  });
  expect(fileShortage('ERROR:x.cc:1] recvmsg returned MSG_CTRUNC flag, FD exhaustion?', undefined)).toEqual({
    isReached: true,
  });
  expect(fileShortage('', 100)).toEqual({ isReached: false, limit: 100 });
  expect([fileShortage('Out of memory', 1024), fileShortage('', undefined)]).toEqual([undefined, undefined]);
});
