import type { Page } from 'puppeteer-core';
import type { ScriptOf } from '../../model/recording/script.ts';

/** A module for `--script`: it exports one of these by default, or their functions by name. */
export type Script = ScriptOf<Page>;

/** Gives the script back as it is; editors know its types by it. */
export function defineScript(script: Script): Script {
  return script;
}
