import type { JSX } from 'preact';
import type { CapacityResult } from '../../../model/capacity.ts';
import { chapters } from '../../../report/capacity/index.ts';
import { serversOf } from '../../../report/capacity/servers.ts';
import { capacityAnswer } from '../../../wording/capacity.ts';
import { renderPage } from '../components/frame.tsx';
import { Address, foreign, sentence } from '../components/part.tsx';
import { Chapters } from '../write.tsx';
import { type DrawnServer, ThroughputChart, TimeChart } from './capacity-chart.tsx';

/** How much a server can take, as one HTML file that asks for nothing else. */
export function renderCapacityHtml(result: CapacityResult): string {
  return renderPage({
    result,
    name: `Capacity of ${result.url}`,
    done: result.ended?.code === 'imported' ? 'Read' : 'Measured',
    style: 'capacity',
    script: 'report',
    children: <Content result={result} />,
  });
}

function Content({ result }: { readonly result: CapacityResult }): JSX.Element {
  // The first sentence is the answer, and the others are why.
  const [statement = '', ...rest] = capacityAnswer(result);
  return (
    <>
      <h1 class="statement">{sentence(statement)}</h1>
      {rest.length > 0 && <p class="k-rest">{sentence(rest.join(' '))}</p>}
      <p class="lead">
        <Address url={result.url} />
        {result.candidate !== undefined && (
          <>
            {' '}
            against <Address url={result.candidate.url} />
          </>
        )}
      </p>
      <div class="part body">
        <Chapters
          id="capacity"
          parts={chapters.flatMap((chapter) => chapter(result, 'all'))}
          figures={{ charts: () => <Charts result={result} /> }}
        />
      </div>
    </>
  );
}

function Charts({ result }: { readonly result: CapacityResult }): JSX.Element {
  const servers = serversOf(result).map(
    (server, i): DrawnServer => ({ ...server, side: i === 0 ? 'base' : 'candidate' }),
  );
  const hasTimes = servers.some(({ levels }) =>
    levels.some(({ mean, p90 }) => mean !== undefined || p90 !== undefined),
  );
  return (
    <>
      {servers.some(({ levels }) => levels.length > 1) && (
        <div class="k-charts">
          <ThroughputChart servers={servers} />
          {hasTimes && <TimeChart servers={servers} />}
        </div>
      )}
      {servers.length > 1 && (
        <p class="k-keys">
          <span class="k-base">Base</span> <span class="k-candidate">Candidate</span>
        </p>
      )}
      <p class="k-note">
        {result.load === 'open'
          ? 'An open load: the load generator sent requests at a fixed rate.'
          : 'A closed load: each connection sends its next request once it has the answer.'}{' '}
        The upright line is the knee, dashes are the Universal Scalability Law, and bars are 95% intervals. Load by{' '}
        {foreign(result.engine)}.
      </p>
    </>
  );
}
