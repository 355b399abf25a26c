import type { Command } from '../command.ts';
import { analyze } from './analyze.ts';
import { audit } from './audit.ts';
import { browserInstall } from './browser.ts';
import { compare } from './compare.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';

/** The list. `help` is made from it, in main.ts. */
export const COMMANDS: readonly Command[] = [audit, compare, analyze, init, doctor, browserInstall];
