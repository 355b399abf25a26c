import { metricNamed, OWN_NAME } from '../core/metrics/index.ts';
import { METRIC_SOURCES, sourceNamed } from '../core/metrics/own/index.ts';
import { defined } from '../core/text/defined.ts';
import type { OwnMetric } from '../model/metrics/metrics.ts';
import type { Unit } from '../model/units.ts';
import { isExpression } from './expression.ts';
import { nearest } from './suggest.ts';
import type { Parsed } from './value-schemas.ts';

/** An own metric as a configuration file may have it, beside its short form 'checkout=measure:checkout-ready'. */
interface MetricEntry {
  readonly name: string;
  readonly from: string;
  readonly unit?: Unit;
  readonly better?: 'lower' | 'higher';
  readonly description?: string;
}

/** Longer names make no table. */
const LONGEST_NAME = 40;

const GRAMMAR = 'must be <name>=<source>, such as checkout=measure:checkout-ready';

/** An own metric as typed, or as an object of a configuration file. */
export function parseOwnMetric(given: string | MetricEntry): Parsed<OwnMetric> {
  if (typeof given !== 'string') return metricOf(given);
  const [, name, from] = /^\s*([^=\s]+)\s*=\s*(.+?)\s*$/s.exec(given) ?? [];
  return name === undefined || from === undefined ? { problem: GRAMMAR } : metricOf({ name, from });
}

/** 'checkoutReady' of 'checkout-ready' or itself; undefined for what cannot be the name of an own metric. */
export function ownName(text: string): string | undefined {
  const name = text.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  // What every object has is no key of its own.
  return OWN_NAME.test(name) && name.length <= LONGEST_NAME && !(name in {}) ? name : undefined;
}

function metricOf({ name: typed, from, unit, better, description }: MetricEntry): Parsed<OwnMetric> {
  const name = ownName(typed);
  if (name === undefined) {
    return {
      problem: `must have a name of letters, digits and dashes (at most ${LONGEST_NAME}), such as checkout-ready=…`,
    };
  }
  const known = typed.toLowerCase() === 'requests' ? 'requests' : metricNamed(typed)?.name;
  if (known !== undefined) return { problem: `must have another name than ${typed}, which is a metric of Quiesce` };
  const found = sourceNamed(from);
  if (found === undefined) {
    const kinds = METRIC_SOURCES.map(({ kind }) => kind);
    const near = nearest(from.slice(0, Math.max(0, from.indexOf(':'))), kinds);
    const meant = near === undefined ? '' : ` (did you mean ${near}:?)`;
    return { problem: `must name its source with ${kinds.map((kind) => `${kind}:`).join(', ')}${meant}` };
  }
  const { source, subject } = found;
  const isCode = source.kind === 'js';
  if (subject === '') return { problem: `needs ${isCode ? 'an expression' : 'a name'} after ${source.kind}:` };
  if (isCode && !isExpression(subject)) return { problem: 'must have a JavaScript expression after js:' };
  return {
    value: defined({
      name,
      from: `${source.kind}:${subject}`,
      unit: unit ?? source.unit,
      better: better ?? 'lower',
      description,
    }),
  };
}
