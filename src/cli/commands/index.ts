import type { Command } from '../command.ts';
import { action } from './action.ts';
import { analyze } from './analyze.ts';
import { audit } from './audit.ts';
import { browserInstall } from './browser.ts';
import { capacity } from './capacity.ts';
import { compare } from './compare.ts';
import { completion } from './completion.ts';
import { doctor } from './doctor.ts';
import { github } from './github.ts';
import { init } from './init.ts';
import { merge } from './merge.ts';
import { report } from './report.ts';
import { trend } from './trend.ts';

/** The list. `help` is made from it, in main.ts. */
export const COMMANDS: readonly Command[] = [
  audit,
  compare,
  analyze,
  capacity,
  trend,
  report,
  merge,
  github,
  action,
  init,
  doctor,
  browserInstall,
  completion(() => COMMANDS),
];
