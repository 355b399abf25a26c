/** A worker of bench/statistics.ts: simulates one task after the other. */
import { parentPort } from 'node:worker_threads';
import { simulate, type Task } from './statistics-simulate.ts';

parentPort?.on('message', (task: Task) => parentPort?.postMessage(simulate(task)));
