import { expect, it } from 'vitest';
import { openLabs } from '../../../src/jobs/engine/labs.ts';
import type { Lab } from '../../../src/model/recording/lab.ts';
import { scriptedLab } from '../../support/scripted.ts';

/** A lab that dies when it is told to, and says when it was closed. */
function mortalLab() {
  const lab = { isAlive: true, closed: 0 };
  const made: Lab = {
    ...scriptedLab([]),
    alive: () => lab.isAlive,
    close: async () => {
      lab.isAlive = false;
      lab.closed += 1;
    },
  };
  return { lab, made };
}

/** Opens labs one after the other, each when it is let. */
function opening() {
  const opened: ReturnType<typeof mortalLab>[] = [];
  let gate = Promise.resolve();
  const openLab = async (): Promise<Lab> => {
    const each = mortalLab();
    opened.push(each);
    await gate;
    return each.made;
  };
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { opened, openLab, hold };
}

const SETTINGS = { sandbox: true, browserArg: [], env: {}, install: false };
const nothing = (): void => undefined;

it('opens one browser for two loads that find the last one dead', async () => {
  const { opened, openLab, hold } = opening();
  const labs = await openLabs(SETTINGS, { openLab }, nothing);
  await labs.lab();
  for (const { lab } of opened) lab.isAlive = false;
  const go = hold();
  const both = [labs.lab(), labs.lab()];
  go();
  const [one, other] = await Promise.all(both);
  expect(one).toBe(other);
  expect(opened).toHaveLength(2);
  await labs.close();
  expect(opened.map(({ lab }) => lab.closed)).toEqual([1, 1]);
});

it('closes a browser that is just being opened', async () => {
  const { opened, openLab, hold } = opening();
  const labs = await openLabs(SETTINGS, { openLab }, nothing);
  const go = hold();
  const lab = labs.lab();
  const closed = labs.close();
  go();
  await Promise.all([lab, closed]);
  expect(opened.map(({ lab: each }) => each.closed)).toEqual([1]);
});

it('closes the browser when what was done meanwhile fails, and tries again when it is asked again', async () => {
  const { opened, openLab } = opening();
  let failures = 1;
  const meanwhile = async (): Promise<void> => {
    failures -= 1;
    if (failures === 0) throw new Error('no templates');
  };
  const labs = await openLabs(SETTINGS, { openLab }, nothing, meanwhile);
  await expect(labs.lab()).rejects.toThrow('no templates');
  expect(opened.map(({ lab }) => lab.closed)).toEqual([1]);
  await labs.lab();
  expect(opened).toHaveLength(2);
  await labs.close();
});
