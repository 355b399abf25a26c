/** A program to be killed: it has a browser and a folder for results open, and loads a page. Arguments: folder, URL. */
import { openOutput } from '../../src/jobs/engine/reports/output.ts';
import { openOwnLab } from './lab.ts';
import { QUICK } from './patience.ts';

const [out = '', url = ''] = process.argv.slice(2);
const output = await openOutput(out, true);
await output.openTempFiles().put('a recording');
const lab = await openOwnLab();
await lab.record(
  { url, policy: QUICK, content: false, watchUntil: 60_000, onTick: () => process.stdout.write('loading\n') },
  new AbortController().signal,
);
