import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/report.ts';
import { PagePicture } from '../answer/page-picture.tsx';
import type { EmbeddedPictures } from '../components/picture.ts';
import { BuildSign } from './build-sign.tsx';

/** What both builds looked like when they were complete, side by side; nothing where neither was filmed. */
export function ComparePictures(props: {
  readonly report: CompareReport;
  /** Of the base, and of the candidate. */
  readonly pictures: readonly EmbeddedPictures[];
}): JSX.Element | undefined {
  const { report, pictures } = props;
  const [base = new Map(), candidate = new Map()] = pictures;
  const before = PagePicture({ target: report.base, pictures: base, isTimeless: true });
  const after = PagePicture({ target: report.candidate, pictures: candidate, isTimeless: true });
  if (before === undefined && after === undefined) return undefined;
  return (
    <div class="both-pictures">
      {before !== undefined && (
        <div>
          <p>
            <BuildSign build="base" />
            Base
          </p>
          {before}
        </div>
      )}
      {after !== undefined && (
        <div>
          <p>
            <BuildSign build="candidate" />
            Candidate
          </p>
          {after}
        </div>
      )}
    </div>
  );
}
