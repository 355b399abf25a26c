/**
 * A thread in the process of a script that ends this process when the program is gone: the script itself may be in a loop in
 * which it hears nothing.
 */

import { Socket } from 'node:net';
import { LIFELINE } from './script-protocol.ts';

new Socket({ fd: LIFELINE })
  .on('error', () => undefined)
  .on('close', () => process.kill(process.pid, 'SIGKILL'))
  .resume();
