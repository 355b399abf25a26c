import type { ComparePagesReport } from '../../../model/result/report.ts';
import { buildsOf, pagesOverview } from '../../../report/compare-pages.ts';
import { paragraph } from '../../../report/parts.ts';
import { renderPage } from '../components/frame.tsx';
import { Parts } from '../write.tsx';

/** A comparison of several pages as one HTML file: a row for each, which leads to its own report beside it. */
export function renderComparedPagesHtml(report: ComparePagesReport): string {
  return renderPage({
    result: report.result,
    name: report.result.sentence,
    done: 'Compared',
    style: 'compare',
    script: 'comparison',
    children: (
      <article class={report.result.decision === 'invalid' ? 'target distrusted' : 'target'}>
        <Parts parts={[...paragraph(buildsOf(report)), ...pagesOverview(report, 'all', true)]} title="Pages" />
      </article>
    ),
  });
}
