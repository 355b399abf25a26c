import type { CapacityResult } from '../../model/capacity.ts';
import { capacitySentence, INSTABILITY, uslSentence } from '../../wording/capacity.ts';
import { levelColumns, serversOf } from '../capacity-table.ts';
import { details, list, table } from './blocks.ts';
import { code, prose } from './inert.ts';

/** A summary for a pull request or a job. */
export function renderCapacityMarkdown(result: CapacityResult): string {
  const servers = serversOf(result);
  const blocks = [
    `## Capacity of ${code(result.url)}`,
    prose(result.sentence ?? '', 1000),
    ...(result.budgets === undefined
      ? []
      : [
          list(
            result.budgets.map(
              ({ state, sentence }) => `${state === 'pass' ? '✅' : state === 'fail' ? '❌' : '❔'} ${prose(sentence)}`,
            ),
          ),
        ]),
    ...servers.flatMap((server) => {
      const shown = levelColumns(server.levels);
      const law = uslSentence(server);
      return [
        ...(servers.length > 1 ? [`### ${prose(server.title)}`, prose(capacitySentence(server), 1000)] : []),
        table(
          [...shown.map(({ title }) => ({ title, figures: true })), { title: '' }],
          server.levels.map((level) => [
            ...shown.map(({ read }) => read(level)),
            [
              ...(level.concurrency === server.knee?.concurrency ? ['**knee**'] : []),
              ...(level.unstable ?? []).map((each) => prose(INSTABILITY[each])),
            ].join('; '),
          ]),
        ),
        details(
          'Details',
          list([
            ...(law === undefined ? [] : [prose(law, 1000)]),
            ...server.findings.map(({ message }) => prose(message, 1000)),
          ]),
        ),
      ];
    }),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
