import type { JSX } from 'preact';
import { BUILDS } from '../../../model/compare/build.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import { PagePicture } from '../answer/page-picture.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';
import { BUILD_NAMES, BuildSign } from './build-sign.tsx';

/** What both builds looked like when they were complete, side by side; nothing where neither was filmed. */
export function ComparePictures(props: {
  readonly report: CompareReport;
  /** Of the base, and of the candidate. */
  readonly pictures: readonly EmbeddedPictures[];
}): JSX.Element | undefined {
  const { report, pictures } = props;
  const sides = BUILDS.flatMap((build, index) => {
    const own = pictures[index] ?? new Map();
    const picture = PagePicture({ target: report[build], pictures: own, isTimeless: true });
    return picture === undefined ? [] : [{ build, picture }];
  });
  if (sides.length === 0) return undefined;
  return (
    <div class="both-pictures">
      {sides.map(({ build, picture }) => (
        <div key={build}>
          <p>
            <BuildSign build={build} />
            {BUILD_NAMES[build]}
          </p>
          {picture}
        </div>
      ))}
    </div>
  );
}
