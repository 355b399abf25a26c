import { expect, it } from 'vitest';
import { chromeArguments, noteOnArguments } from '../../../src/browser/connect/flags.ts';

it('adds what the user disables to what is disabled already: Chrome would take the last list alone', () => {
  const given = chromeArguments(['--disable-features=A,B', '--lang=de', '--disable-features=C']);
  const lists = given.filter((each) => each.startsWith('--disable-features='));
  expect(lists).toEqual([expect.stringMatching(/=Translate,.*,A,B,C$/)]);
  expect(given.at(-1)).toBe('--lang=de');
  expect(new Set(given).size).toBe(given.length);
});

it('finds nothing to note of a browser that was started as Quiesce starts one', () => {
  const commandLine = ['/usr/bin/chrome', ...chromeArguments(['--lang=de']), 'about:blank'].join(' ');
  expect(noteOnArguments(commandLine, 'Chrome/1')).toEqual([]);
});

it('names what of our own arguments another browser was started without, and nothing of its own', () => {
  const bare = noteOnArguments(
    '/usr/bin/chrome --disable-quic --proxy-server=ann:canary@proxy about:blank',
    'Chrome/1',
  );
  expect(bare).toEqual([
    {
      code: 'missing-arguments',
      missing: expect.arrayContaining([
        '--disable-background-networking',
        '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
      ]),
    },
  ]);
  expect(JSON.stringify(bare)).not.toMatch(/--disable-quic|canary/);
  // Of several lists Chrome takes the last.
  const lists = '--disable-features=WebUIOmniboxPopup --disable-features=WebUIOmniboxAimPopup,Other';
  expect(noteOnArguments(`chrome ${lists}`, 'Chrome/1')).toEqual([
    expect.objectContaining({ missing: expect.arrayContaining(['--disable-features=WebUIOmniboxPopup']) }),
  ]);
  // Without windows there is no address bar.
  const shell = noteOnArguments('chrome-headless-shell', 'HeadlessChrome/1');
  expect(JSON.stringify(shell)).not.toContain('--disable-features');
  expect(noteOnArguments(undefined, 'Chrome/1')).toEqual([{ code: 'unknown-arguments' }]);
});
