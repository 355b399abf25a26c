import type { JSX } from 'preact';
import type { Build } from '../../../model/compare/comparison.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import { chapters } from '../../../report/compare/index.ts';
import { verdictOf } from '../../../report/comparison.ts';
import { unfinished } from '../../../report/several-machines.ts';
import { renderPage } from '../components/frame.tsx';
import { Address, foreign, sentence } from '../components/part.tsx';
import { PictureStore } from '../components/shot.tsx';
import { embeddedPictures } from '../links/picture.ts';
import { Chapters, Parts } from '../write.tsx';
import { BUILD_NAMES, BuildSign } from './build-sign.tsx';
import { CompareEvidencePart } from './compare-evidence.tsx';
import { CompareGatesPart } from './compare-gates.tsx';
import { Differences, Verdict } from './compare-verdict.tsx';
import { CompareWaterfallsPart } from './compare-waterfalls.tsx';

/** A comparison as one HTML file that asks for nothing else. */
export function renderComparisonHtml(report: CompareReport): string {
  const { step, title, target } = report.candidate.result;
  return renderPage({
    result: report.result,
    name: `${verdictOf(report).word}: ${step ?? title ?? target}`,
    done: 'Compared',
    style: 'compare',
    script: 'comparison',
    children: <Content report={report} />,
  });
}

function Content({ report }: { readonly report: CompareReport }): JSX.Element {
  const { result } = report;
  const { step, conditions } = report.candidate.result;
  const pictures = embeddedPictures({ targets: [report.base, report.candidate] });
  return (
    <>
      <Parts parts={unfinished(result)} />
      <article class={result.decision === 'invalid' ? 'target distrusted' : 'target'}>
        <dl class="builds">
          {step !== undefined && (
            <div>
              <dt>Step</dt>
              <dd>
                <b>
                  <bdi>{foreign(step)}</bdi>
                </b>
              </dd>
            </div>
          )}
          <BuildLine report={report} build="base" />
          <BuildLine report={report} build="candidate" />
        </dl>
        {conditions !== undefined && <p class="conditions">Both: {sentence(conditions.sentence)}</p>}
        <Differences report={report} />
        <PictureStore pictures={pictures} />
        <Verdict report={report} pictures={pictures} />
        <h2 class="unseen">The comparison in detail</h2>
        <Chapters
          id="compare"
          pictures={pictures[1] ?? new Map()}
          parts={chapters.flatMap((chapter) => chapter(report, 'all'))}
          figures={{
            gates: () => <CompareGatesPart report={report} />,
            waterfall: () => <CompareWaterfallsPart report={report} />,
            film: () => <CompareEvidencePart report={report} />,
          }}
        />
      </article>
    </>
  );
}

/** What was loaded as a build, with the sign that its loads have in every drawing. */
function BuildLine({ report, build }: { readonly report: CompareReport; readonly build: Build }): JSX.Element {
  const { target, url, title, finalUrl } = report[build].result;
  const moved = finalUrl !== undefined && finalUrl !== url ? finalUrl : undefined;
  return (
    <div>
      <dt>
        <BuildSign build={build} />
        {BUILD_NAMES[build]}
      </dt>
      <dd>
        {target !== url && (
          <>
            <b>
              <bdi dir="ltr">{foreign(target)}</bdi>
            </b>{' '}
          </>
        )}
        <Address url={url} />
        {moved !== undefined && (
          <>
            {' '}
            → <Address url={moved} />
          </>
        )}
        {title !== undefined && title !== '' && (
          <>
            {' '}
            <small>
              <bdi>{foreign(title)}</bdi>
            </small>
          </>
        )}
      </dd>
    </div>
  );
}
