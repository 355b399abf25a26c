import type { JSX } from 'preact';
import type { CompareReport } from '../../../model/result/report.ts';
import {
  changeInterval,
  changeText,
  coverage,
  minEffectText,
  placedRuns,
  type ShownMetric,
  shownMetrics,
} from '../../../report/comparison.ts';
import { formatCount, formatValue } from '../../../wording/text/format.ts';
import { foreign, Part, sentence } from '../components/part.tsx';
import { BuildSign } from './build-sign.tsx';
import { DecisionBadge } from './decision-badge.tsx';
import { IntervalDrawing } from './interval-drawing.tsx';
import { LoadStrip } from './load-strip.tsx';

/** "Page complete +17% (+15% to +19%)"; of what is not decided the interval alone. */
function gateInShort({ comparison, title }: ShownMetric): string {
  const interval = changeInterval(comparison);
  return comparison.decision === 'unsure' ? `${title} ${interval}` : `${title} ${changeText(comparison)} (${interval})`;
}

/** The metrics that decide: each with its sentence, its interval and every load. */
export function CompareGatesPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const gates = shownMetrics(report).filter(({ comparison }) => comparison.gate);
  if (gates.length === 0) return undefined;
  const loads = placedRuns(report);
  const { design, decision } = report.result;
  return (
    <Part
      id="compare"
      title={gates.length === 1 ? 'The metric that decides' : 'The metrics that decide'}
      short="Decision"
      line={gates.map(gateInShort).join('; ')}
      lead={`${formatCount(design.pairs, 'pair')} of loads, base and candidate in random order within each block of four. ${sentence(design.stoppedSentence)}`}
    >
      {gates.map(({ comparison, title }) => (
        <section key={comparison.metric} class="gate">
          <header>
            <h4>{foreign(title)}</h4>
            {decision !== 'invalid' && <DecisionBadge comparison={comparison} />}
          </header>
          {decision !== 'invalid' && <p class="sentence">{sentence(comparison.sentence)}</p>}
          <div class="gate-body">
            <div>
              <IntervalDrawing comparison={comparison} />
              <dl class="medians">
                <div>
                  <dt>
                    <BuildSign build="base" />
                    Base, median
                  </dt>
                  <dd>{sentence(formatValue(comparison.base.median, comparison.unit))}</dd>
                </div>
                <div>
                  <dt>
                    <BuildSign build="candidate" />
                    Candidate, median
                  </dt>
                  <dd>{sentence(formatValue(comparison.candidate.median, comparison.unit))}</dd>
                </div>
                <div>
                  <dt>Change</dt>
                  <dd>{sentence(changeText(comparison))}</dd>
                </div>
                <div>
                  <dt>
                    Interval
                    {comparison.difference !== undefined && `, ${coverage(comparison.difference.level)}`}
                  </dt>
                  <dd>{sentence(changeInterval(comparison))}</dd>
                </div>
                <div>
                  <dt>Too small to matter</dt>
                  <dd>{sentence(`within ${minEffectText(comparison)}`)}</dd>
                </div>
                {comparison.pairsToSettle !== undefined && (
                  <div>
                    <dt>Would settle it</dt>
                    <dd>about {formatCount(comparison.pairsToSettle, 'pair')}</dd>
                  </div>
                )}
              </dl>
            </div>
            <LoadStrip comparison={comparison} loads={loads} />
          </div>
        </section>
      ))}
      <ul class="legend" aria-label="Legend">
        <li>
          <BuildSign build="base" />a load of the base
        </li>
        <li>
          <BuildSign build="candidate" />a load of the candidate
        </li>
        <li>
          <svg viewBox="0 0 22 14" aria-hidden="true">
            <rect class="band" width="22" height="14" />
          </svg>
          too small to matter
        </li>
        <li>
          <svg viewBox="0 0 22 14" aria-hidden="true" class="interval same">
            <rect class="bar" y="4" width="22" height="6" rx="3" />
            <circle class="estimate" cx="11" cy="7" r="4" />
          </svg>
          the change and its interval
        </li>
        <li>
          <svg viewBox="0 0 22 14" aria-hidden="true" class="interval same">
            <path class="bar" d="M2 7l9-6v4h10v4H11v4z" />
          </svg>
          continues beyond the chart
        </li>
      </ul>
    </Part>
  );
}
