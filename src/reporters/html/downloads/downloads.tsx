import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../../model/result/report.ts';
import { PAGES_FOLDER } from '../../../result/pages-with-steps.ts';
import { runName } from '../../../wording/result/run-name.ts';
import { formatCount, formatValue, joined } from '../../../wording/text/format.ts';
import { recordingFile, storedName } from '../../../wording/text/text.ts';
import { type StripFrame, stripOf } from '../../visual.ts';
import { foreign, Part, sentence } from '../components/part.tsx';
import { FileLink } from '../links/file-link.tsx';

/** Pictures that are seen at once; more are folded. */
const MAX_PICTURES = 8;

interface File {
  readonly href: string;
  readonly what: string;
  /** What the link says; the file's name when absent. */
  readonly says?: string;
  readonly size?: string;
}

function Link({ href, what, says, size }: File): JSX.Element {
  return (
    <li>
      <FileLink href={href}>
        <bdi dir="ltr">{foreign(says ?? href.split('/').at(-1) ?? href)}</bdi>
      </FileLink>
      <small>{sentence([what, size ?? ''].filter((part) => part !== '').join(', '))}</small>
    </li>
  );
}

/** The recordings of a target, each with the run it is of. */
function recordings({ result }: TargetReport, analysis: boolean): readonly (File | string)[] {
  return result.runs.flatMap((run): readonly (File | string)[] => {
    const { har } = run;
    if (har === undefined) return [];
    const href = recordingFile(har);
    const what = analysis ? '' : runName(run);
    return [href === undefined ? har : { href, what }];
  });
}

/** A frame by when it was filmed. The moments that it shows have times of their own. */
function frameInWords({ at, moments }: Pick<StripFrame, 'at' | 'moments'>): string {
  const shown = moments.map((moment) => `${moment.caption} (${formatValue(moment.at, 'ms')})`);
  return [formatValue(at, 'ms'), shown.join(', ')].filter((part) => part !== '').join(': ');
}

/** The pictures of a target, each once. */
function pictures({ result: { evidence } }: TargetReport): readonly File[] {
  if (evidence === undefined) return [];
  const { ablation } = evidence;
  const named: readonly (readonly [string | undefined, string])[] = [
    ...stripOf(evidence).map((frame) => [frame.file, frameInWords(frame)] as const),
    [ablation?.pictures.with, 'with everything'],
    [ablation?.pictures.without, 'with background traffic blocked'],
    [ablation?.pictures.difference, 'what differs between the two'],
  ];
  const files = new Map<string, string>();
  for (const [file, what] of named) {
    const href = storedName('picture', file);
    if (href !== undefined && !files.has(href)) files.set(href, what);
  }
  // Their files are named by what is in them, which says nothing to a reader.
  return [...files].map(([href, says]) => ({ href, says, what: '' }));
}

/** The files beside this page that were asked for. */
const resultFiles = ({ files }: AuditReport): readonly File[] =>
  files.map(({ file, describe }) => ({ href: file, what: describe }));

/** What lies beside an index of many pages; what belongs to one of them is linked from its own page. */
export function ResultDownloads({ report }: { readonly report: AuditReport }): JSX.Element | undefined {
  const files = resultFiles(report);
  if (files.length === 0) return undefined;
  return (
    <section class="part">
      <h2>Downloads</h2>
      <p class="lead">
        Each page has a file of its own in the folder {PAGES_FOLDER}. Recordings and images are linked from there.
      </p>
      <ul class="body downloads">{files.map(Link)}</ul>
    </section>
  );
}

function lineOf({ result: { runs, evidence } }: TargetReport): string {
  const hars = runs.filter(({ har }) => har !== undefined).length;
  const images = new Set(evidence?.film?.map(({ file }) => file) ?? []).size;
  return joined([
    ...(hars === 0 ? [] : [formatCount(hars, 'recording')]),
    ...(images === 0 ? [] : [formatCount(images, 'image')]),
  ]);
}

/** Everything that lies beside the page, and that the page does without. */
export function DownloadsPart(props: {
  readonly target: TargetReport;
  readonly report: AuditReport;
  readonly id: string;
}): JSX.Element {
  const { target, report, id } = props;
  const analysis = report.result.kind === 'analysis';
  const sized = (file: File): File => {
    const { sizes = {} } = report;
    const size = Object.hasOwn(sizes, file.href) ? sizes[file.href] : undefined;
    return size === undefined ? file : { ...file, size: formatValue(size, 'bytes') };
  };
  const lighthouse = storedName('lighthouse', target.result.lighthouse?.report);
  const beside = [
    ...resultFiles(report),
    ...(lighthouse === undefined ? [] : [sized({ href: lighthouse, what: 'Lighthouse’s own report' })]),
  ];
  const hars = recordings(target, analysis).map((har) => (typeof har === 'string' ? har : sized(har)));
  const shots = pictures(target).map(sized);
  return (
    <Part
      id={id}
      title="Downloads"
      line={lineOf(target)}
      lead={`Self-contained: this report works offline and can be shared as one file. The links open files next to ${report.oneOfMany === true ? 'the index of all pages' : 'it'}.`}
    >
      <div class="downloads">
        {beside.length > 0 && (
          <section>
            <h4>Results</h4>
            <ul>{beside.map(Link)}</ul>
          </section>
        )}
        {hars.length > 0 && (
          <section>
            <h4>{analysis ? 'Read from' : 'Recordings (HAR), for DevTools and other viewers'}</h4>
            <ul>
              {hars.map((har, index) =>
                typeof har === 'string' ? <li key={index}>{foreign(har)}</li> : <Link key={index} {...har} />,
              )}
            </ul>
          </section>
        )}
        {shots.length > 0 && (
          <section>
            <h4>Images, in full size</h4>
            <ul>{shots.slice(0, MAX_PICTURES).map(Link)}</ul>
            {shots.length > MAX_PICTURES && (
              <details class="more">
                <summary>{formatCount(shots.length - MAX_PICTURES, 'more image')}</summary>
                <ul>{shots.slice(MAX_PICTURES).map(Link)}</ul>
              </details>
            )}
          </section>
        )}
      </div>
    </Part>
  );
}
