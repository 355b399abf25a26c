import { parseShard } from '../../core/shards.ts';
import { asGiven, inGroup, LOADING, type OptionRecords } from '../option.ts';
import { parsed, text } from '../value-schemas.ts';

/** How several machines share a job. */
export const machines = inGroup('Several machines', {
  shard: {
    argument: '<i/n>',
    description: 'part of the pages for this machine: 2/4, or auto/4 for JOB_COMPLETION_INDEX; join with quiesce merge',
    kind: 'text',
    schema: parsed(text('must be a share such as 2/4'), parseShard),
    stored: asGiven,
    wholeAudit: true,
    defaultText: 'from CI_NODE_INDEX, otherwise everything',
    commands: LOADING,
    for: {
      compare: {
        description:
          'part of the loads for this machine: 2/4, or auto/4 for JOB_COMPLETION_INDEX; join with quiesce merge',
      },
    },
  },
} as const satisfies OptionRecords);
