import type { ComparePagesReport } from '../../../model/result/report.ts';
import { buildsOf, pagesTable, verdictOfPages } from '../../../report/compare-pages.ts';
import { paragraph } from '../../../report/parts.ts';
import { unfinished } from '../../../report/several-machines.ts';
import { renderPage } from '../components/frame.tsx';
import { sentence } from '../components/part.tsx';
import { Parts } from '../write.tsx';
import { Headline } from './headline.tsx';

/** A comparison of several pages as one HTML file: a row for each, which leads to its own report beside it. */
export function renderComparedPagesHtml(report: ComparePagesReport): string {
  const { result } = report;
  return renderPage({
    result,
    name: result.sentence,
    done: 'Compared',
    style: 'compare',
    script: 'comparison',
    children: (
      <>
        <Parts parts={unfinished(result)} />
        <article class={result.decision === 'invalid' ? 'target distrusted' : 'target'}>
          <Parts parts={paragraph(buildsOf(report))} />
          <Headline verdict={verdictOfPages(report)}>{sentence(result.sentence)}</Headline>
          <Parts parts={pagesTable(report, 'all', true)} title="Pages" />
        </article>
      </>
    ),
  });
}
