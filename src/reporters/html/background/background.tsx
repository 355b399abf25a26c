import { Fragment, type JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { BackgroundEndpoint, EvidencePicture, PageCompleteResult, Settings } from '../../../model/result.ts';
import { backgroundLine } from '../../../report/chapter-lines.ts';
import { backgroundOf } from '../../../result/background.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { ownerOf } from '../../../result/owner-of.ts';
import { answerOf, headlineComplete, idleAnswerOf, isIdleAlike } from '../../../result/representative.ts';
import { adviceOn, kindInWords } from '../../../wording/background-advice.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../../wording/format.ts';
import { stateInWords } from '../../../wording/outcome.ts';
import { ownerInWords } from '../../../wording/owners.ts';
import { confidenceInWords, countedAnswer, impactInWords, overruledInWords } from '../../../wording/words.ts';
import { DOCS } from '../components/docs.ts';
import { Explained } from '../components/explained.tsx';
import { Owners } from '../components/owners.tsx';
import { foreign, Part, type SectionProps, sentence } from '../components/part.tsx';
import type { EmbeddedPictures } from '../components/picture.ts';
import { Shot } from '../components/shot.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Proof } from '../film/proof.tsx';

/** Endpoints that are seen at once; of more, the ones that cost the least are folded away. */
const FEW = 12;
/** Pictures of one endpoint's work that are seen. */
const MOST_SHOTS = 2;

/** "GET https://shop.example/api/stock?*" with what tells it from its neighbours first; it breaks at slashes. */
export function Endpoint({ label }: { readonly label: string }): JSX.Element {
  const parts = /^([A-Z]+) ([a-z][a-z+.-]*:\/\/[^/?#\s]+)(\S*)$/i.exec(foreign(label));
  const [, method, origin, path = ''] = parts ?? [];
  const shown = method === undefined ? foreign(label) : `${method} ${path === '' ? '/' : path}`;
  const pieces = shown.split(/(?<=[/?&])/);
  return (
    <>
      <bdi dir="ltr" class="mono">
        {pieces.map((piece, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {piece}
          </Fragment>
        ))}
      </bdi>
      {origin !== undefined && (
        <small>
          <bdi dir="ltr">{origin}</bdi>
        </small>
      )}
    </>
  );
}

/** An endpoint with what its kind is: given at the first of each kind, since the rows below it need no second advice. */
const named = (first: ReadonlySet<BackgroundEndpoint>): Column<BackgroundEndpoint> => ({
  title: 'Endpoint',
  className: 'endpoint',
  cell: (endpoint) => {
    const { name, meaning } = kindInWords(endpoint.kind);
    return (
      <>
        <span class="kind">{foreign(name)}</span>
        <Endpoint label={endpoint.endpoint} />
        {first.has(endpoint) && meaning !== '' && <small class="meaning">{meaning}</small>}
      </>
    );
  },
});

/** The first endpoint of each kind. */
function firstOfKinds(endpoints: readonly BackgroundEndpoint[]): ReadonlySet<BackgroundEndpoint> {
  return new Set(new Map(endpoints.toReversed().map((endpoint) => [endpoint.kind, endpoint])).values());
}

/** What was seen of an endpoint, with the pictures in which it changed something. */
const seen = (shots: readonly EvidencePicture[], pictures: EmbeddedPictures): Column<BackgroundEndpoint> => ({
  title: 'What was seen',
  className: 'wide',
  cell: (endpoint) => (
    <>
      {sentence(endpoint.because)}
      <small>{confidenceInWords(endpoint)}</small>
      {/* A recorded file shows no screen. */}
      {endpoint.visualImpact !== 'unknown' && <small>{`It ${impactInWords(endpoint)}.`}</small>}
      <Changed shots={shots.filter((shot) => shot.endpoint === endpoint.endpoint)} pictures={pictures} />
    </>
  ),
});

/** The page after an endpoint had changed it. */
function Changed(props: { readonly shots: readonly EvidencePicture[]; readonly pictures: EmbeddedPictures }) {
  const shots = props.shots.slice(0, MOST_SHOTS);
  if (shots.length === 0) return undefined;
  return (
    <div class="changed">
      {shots.map(({ file, at }, index) => (
        <Shot
          key={index}
          file={file}
          pictures={props.pictures}
          alt={`The page at ${formatValue(at, 'ms')}, after this traffic had changed it`}
        >
          changed at {formatValue(at, 'ms')}
        </Shot>
      ))}
    </div>
  );
}

/** "12 requests, every 1.20 s". */
export const trafficInWords = ({ requests, period }: Pick<BackgroundEndpoint, 'requests' | 'period'>): string =>
  sentence(`${formatCount(requests, 'request')}${period === undefined ? '' : `, every ${formatValue(period, 'ms')}`}`);

const TRAFFIC: Column<BackgroundEndpoint> = {
  title: 'Traffic',
  className: 'some',
  cell: (endpoint) => (
    <>
      {trafficInWords(endpoint)}
      <small>
        {formatInterval(endpoint.firstStartedAt, endpoint.lastActivityAt, 'ms')}
        {endpoint.stillOpen && ', still open'}
      </small>
    </>
  ),
};

const costs = (complete: number | undefined): Column<BackgroundEndpoint> => ({
  title: 'Page complete if counted',
  className: 'counted',
  cell: (endpoint) => {
    const { figure, beside } = countedAnswer(endpoint, complete);
    return (
      <>
        <b>{figure}</b>
        {beside !== undefined && <small>{beside}</small>}
      </>
    );
  },
});

const OVERRULED: Column<BackgroundEndpoint> = {
  title: 'Why it counts',
  className: 'some',
  cell: (endpoint) => foreign(overruledInWords(endpoint)),
};

const advised = (target: TargetReport, answer: PageCompleteResult | undefined): Column<BackgroundEndpoint> => ({
  title: 'What to do',
  className: 'wide todo',
  cell: (endpoint) => (
    <>
      {sentence(adviceOn(endpoint, answer).join(' '))}
      <small>{foreign(ownerInWords(ownerOf(endpoint, target.result)))}</small>
    </>
  ),
});

/** Why there is no proof of what was left out. */
function unproved({ ablation }: Settings): string {
  return `No run blocked background traffic${ablation === false ? ' (--no-ablation)' : ''}: Quiesce judged it by its requests, and by the film.`;
}

/** What all of it together would have done: the answer of network idle. */
function Together({ target, complete }: { readonly target: TargetReport; readonly complete: number | undefined }) {
  const raw = idleAnswerOf(target)?.raw;
  if (raw === undefined) return undefined;
  return (
    <>
      <p class="together">
        <span>If all of it counted (network idle)</span>
        <span>
          <b>{isIdleAlike(target) ? 'no later' : stateInWords(raw)}</b>
          {complete !== undefined && !isIdleAlike(target) && ` instead of ${formatValue(complete, 'ms')}`}
        </span>
      </p>
      {raw.state === 'never' && (
        <p class="hint">
          Tests that wait for a silent network (“network idle”) time out on this page, or pass by chance. Let them wait
          for something on the page instead.
        </p>
      )}
    </>
  );
}

/** The endpoints whose traffic was left out and what each would have cost; then those that count all the same. */
export function BackgroundPart(props: SectionProps): JSX.Element | undefined {
  const { target, report, id, analysis, pictures } = props;
  const { left, counted } = backgroundOf(target);
  if (left.length + counted.length === 0) {
    if (countedRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="Background traffic" line={backgroundLine(target) ?? ''}>
        <p class="soft">
          None was found: every request counts{analysis ? '' : ', so nothing had to be proved'}.{' '}
          {target.networkIdle !== undefined && sentence(target.networkIdle)}
        </p>
      </Part>
    );
  }
  const complete = headlineComplete(target);
  const answer = answerOf(target);
  // Of an answer that is not known nobody can say what would have moved it.
  const priced = left.some((endpoint) => countedAnswer(endpoint, complete).figure !== ABSENT);
  const { evidence } = target.result;
  const sight = seen(evidence?.pictures ?? [], pictures);
  const columns = (rows: readonly BackgroundEndpoint[]) => [
    named(firstOfKinds(rows)),
    sight,
    TRAFFIC,
    ...(priced ? [costs(complete)] : []),
    advised(target, answer),
  ];
  const more = left.slice(FEW);
  const rowMarks = (endpoint: BackgroundEndpoint) => ({ 'data-who': ownerOf(endpoint, target.result).who }) as const;
  // The icon of the tab, most often: nobody has to do anything about it.
  const harmless = more.length === 0 && counted.length === 0 && isIdleAlike(target);
  const first = (
    <Table
      caption="Excluded background endpoints"
      columns={columns(left)}
      rows={left.slice(0, FEW)}
      className="even"
      rowMarks={rowMarks}
    />
  );
  return (
    <Part
      id={id}
      title="Background traffic"
      line={backgroundLine(target) ?? ''}
      docs={DOCS.background}
      lead={
        left.length === 0
          ? 'Traffic that looks as if it only keeps the network busy. All of it counts.'
          : `Traffic that only keeps the network busy. It is left out of page complete, and stays in the waterfall${analysis ? '' : ' and in the HAR'}. ${sentence(target.networkIdle ?? '')}`
      }
    >
      {evidence?.ablation !== undefined && <Proof ablation={evidence.ablation} target={target} pictures={pictures} />}
      {evidence !== undefined && evidence.ablation === undefined && (
        <p class="soft">{unproved(report.result.settings)}</p>
      )}
      {left.length > 0 && (
        <div class={evidence?.ablation === undefined ? 'owned' : 'owned with-proof'}>
          <Owners name={`${id}-background-of`} owners={left.map((endpoint) => ownerOf(endpoint, target.result).who)} />
          {harmless ? (
            <details class="more">
              <summary>{formatCount(left.length, 'endpoint')}, which delayed nothing</summary>
              {first}
            </details>
          ) : (
            first
          )}
          {more.length > 0 && (
            <details class="more">
              <summary>{`${formatCount(more.length, 'more endpoint')} that cost less`}</summary>
              <Table
                caption="More background endpoints"
                columns={columns(left)}
                rows={more}
                className="even"
                rowMarks={rowMarks}
              />
            </details>
          )}
          {!harmless && <Together target={target} complete={complete} />}
          <Explained section={DOCS.networkIdle} label="What is network idle?" />
        </div>
      )}
      {counted.length > 0 && (
        <div class="overruled">
          <h4>Looks like background, but counts</h4>
          <Table
            caption="Endpoints that look like background, but count"
            columns={[named(firstOfKinds(counted)), sight, TRAFFIC, OVERRULED, advised(target, answer)]}
            rows={counted}
            className="even"
          />
        </div>
      )}
    </Part>
  );
}
