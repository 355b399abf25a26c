import { defined } from '../core/text/defined.ts';
import type { CommandName, OptionRecords } from './option.ts';
import type { ValuesOf } from './options.ts';

/** The values of the options in one file of options/, as a command gets them. */
export type ValuesIn<C extends CommandName, R extends OptionRecords> = Pick<ValuesOf<C>, keyof R & keyof ValuesOf<C>>;

/** Those values, without what was not given. */
export function valuesIn<R extends OptionRecords, V extends object>(records: R, values: V): Pick<V, keyof R & keyof V> {
  const own = Object.entries(values).filter(([name]) => name in records);
  return defined(Object.fromEntries(own)) as Pick<V, keyof R & keyof V>;
}
