import type { Lab } from '../../model/lab.ts';

/** Hands out a living lab, opening a new one when the last one died. */
export interface LabKeeper {
  lab(): Promise<Lab>;
  close(): Promise<void>;
}

/** Keeps one lab warm; `open` is called again only when it is gone. */
export function keepLab(open: () => Promise<Lab>): LabKeeper {
  let current: Lab | undefined;
  return {
    async lab() {
      if (current?.alive()) return current;
      await current?.close();
      current = undefined;
      current = await open();
      return current;
    },
    async close() {
      await current?.close();
      current = undefined;
    },
  };
}
