import { changeInterval, changeText, coverage, failuresInWords } from '../../reporters/comparison.ts';
import { formatCount } from '../../wording/format.ts';
import { details, type Item, list, type Mark } from '../parts.ts';
import { isHostTold } from './answer.ts';
import type { CompareChapter } from './comparison.ts';

/** How the loads were laid out, whether the machine was fit, and why it stopped. */
export const method: CompareChapter = (report, detail) => {
  const { design, host, browser, tool } = report.result;
  const fit: Mark = host.verdict === 'fit' ? 'good' : host.verdict === 'unknown' ? 'unknown' : 'bad';
  const failures = failuresInWords(report, ([first]) => first).map((text): Item => ({ mark: 'bad', text }));
  const dropped = design.dropped.map(
    ({ block, because }): Item => ({ mark: 'warning', text: `Block ${block} does not count: ${because}` }),
  );
  const machine: readonly Item[] = isHostTold(report) ? [] : [{ mark: fit, text: host.sentence }];
  const stopped = { text: design.stoppedSentence };
  if (detail === 'brief') return list([stopped, ...machine, ...failures], detail);
  const pairs = `${formatCount(design.pairs, 'pair')} of loads`;
  return details(
    `How it was measured: ${pairs}`,
    [
      ...list(
        [
          {
            text: [
              `${pairs} in ${formatCount(design.blocks, 'block')} of four, in random order, seed `,
              { code: String(design.seed) },
            ],
          },
          stopped,
          ...(design.repeated === 0
            ? []
            : [
                {
                  text: `${formatCount(design.repeated, 'load was', 'loads were')} repeated because the machine was busy with other work`,
                },
              ]),
          ...machine,
          ...control(host, detail === 'all'),
          {
            text: [
              'Measured with Quiesce ',
              { code: tool.version },
              ' in ',
              { code: browser.product },
              ...(browser.elsewhere ? [' on another machine'] : []),
            ],
          },
          ...(browser.notes ?? []).map((text) => ({ text })),
        ],
        detail,
      ),
      ...list(dropped, detail, { noun: 'block' }),
      ...list(failures, detail),
    ],
    detail,
  );
};

/** How the machine's own speed differed between the builds, for who checks the method. */
function control(
  { control: difference }: Parameters<CompareChapter>[0]['result']['host'],
  isShown: boolean,
): readonly Item[] {
  if (difference === undefined || !isShown) return [];
  const compared = { difference, unit: 'ms' } as const;
  return [
    {
      text: `A fixed calculation before each load, which no build can change: ${changeText(compared)} (${changeInterval(compared)}, ${coverage(difference.level)})`,
    },
  ];
}
