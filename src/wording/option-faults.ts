import type { OptionFault } from '../model/option-fault.ts';

/** What is wrong with the text of an option, a clause that reads on after the option's name. */
export function optionFaultInWords(fault: OptionFault): string {
  switch (fault.code) {
    case 'header-form':
      return "must be 'Name: value', with a name of letters, digits and dashes";
    case 'header-cookie':
      return 'must not be a Cookie: give cookies with --cookie name=value';
    case 'header-reserved':
      return `must not be ${fault.name}: the browser sets that itself`;
    case 'header-value':
      return `must have a value of one line of Latin letters (${fault.name})`;
    case 'cookie-form':
      return 'must be name=value, with a name of letters, digits and dashes';
    case 'cookie-value':
      return `must have a value without semicolons and line breaks (${fault.name})`;
    case 'login-form':
      return 'must be user:password, on one line';
    case 'network-form':
      return `must be none, ${fault.presets.join(', ')}, or latency,down,up such as 150ms,1.6Mbps,750kbps`;
    case 'network-latency':
      return `must have a latency of at most ${fault.most} ms`;
    case 'network-rate':
      return `must have rates from ${fault.least} to ${fault.most} kbit/s, or 0 for no limit`;
    case 'not-a-selector':
      return `"${fault.selector}" is not a CSS selector`;
    case 'folder-outside':
      return `must be a folder inside the repository, not "${fault.folder}". The base is built in a work tree of its own`;
    case 'process-unknown':
      return `there is no process ${fault.pid}`;
    case 'device-unknown':
      return `must be a device that Quiesce knows, such as ${fault.near.join(', ') || 'desktop, phone, tablet, iPhone 15, Pixel 5 …'}`;
    case 'place-form':
      return 'must be latitude,longitude in degrees, such as 52.52,13.40';
    case 'share-form':
      return 'must be a share such as 2/4 (the second of four), or auto, or auto/4';
    case 'shares-out-of-range':
      return `must be of 1 to ${fault.most} shards, not of ${fault.of}`;
    case 'share-out-of-range':
      return `must be one of 1/${fault.of} to ${fault.of}/${fault.of}: shards are counted from 1`;
    case 'shares-contradict':
      return `there are ${fault.typed} as typed, and ${fault.counted} as CI_NODE_TOTAL says: name the share, as in 2/4`;
    case 'share-beyond':
      return `there are ${fault.of}, but ${fault.variable} says this is number ${fault.index}`;
    case 'share-no-number':
      return `${fault.variable} must be a number from 1 to ${fault.of}, as CI_NODE_TOTAL has it, and is not: name the share, as in 2/4, or 1/1 for all the work`;
    case 'shares-unknown':
      return `${fault.variable} does not say how many shards there are: use auto/<n>`;
    case 'share-unknown':
      return 'nothing here says which share this is (JOB_COMPLETION_INDEX, CI_NODE_INDEX): name it, as in 2/4';
  }
}
