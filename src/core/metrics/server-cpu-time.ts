import type { Metric } from '../../model/network/visit.ts';

/** How long the page's server worked. Only of servers that Quiesce started on this machine. */
export const serverCpuTime: Metric = {
  name: 'serverCpuTime',
  title: 'Server CPU time',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description: 'CPU time that the server and its child processes used during the load, if Quiesce started it on Linux.',
  headline: false,
  read: ({ recording }) => recording.serverCpuTime,
};
