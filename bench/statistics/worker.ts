/** A worker of bench/statistics/index.ts: simulates one task after the other. */
import { parentPort } from 'node:worker_threads';
import { simulate, type Task } from './simulate.ts';

parentPort?.on('message', (task: Task) => parentPort?.postMessage(simulate(task)));
