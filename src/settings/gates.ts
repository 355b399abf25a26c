import { z } from 'zod';
import type { Gate } from '../model/compare/gate.ts';
import { metricKey } from './metric-names.ts';
import type { MetricText } from './typed-names.ts';
import { type Parsed, parsed, textOf } from './value-schemas.ts';

/** A gate as a caller may name it. */
type GateText = MetricText | `${string}: ${MetricText}`;

/** What stands before the last colon is the name of a step. */
const OF_STEP = /^(.*\S)\s*:\s*([^:]*)$/s;

const gate = parsed(textOf<GateText>('must be the name of a metric'), (given): Parsed<Gate> => {
  const [, step, metric = given] = OF_STEP.exec(given.trim()) ?? [];
  const found = metricKey(metric.trim());
  return 'value' in found ? { value: { metric: found.value, ...(step !== undefined && { step }) } } : found;
});

/** Metrics by their names or abbreviations, each with the step that it is of, if it is of one alone. */
export const gateNames = () => z.array(gate, 'must be a list of metrics').min(1, 'must name a metric');

/** Between gates in one text: a comma, or a space where no step is named. */
export const BETWEEN_GATES = /\s*[,\n]\s*|(?<!:[^,\n]*)\s+(?![^,\n]*:)/;

/** A gate as results store it, with the metric's key in them. */
export const storedGate = ({ metric, step }: Gate): string => (step === undefined ? metric : `${step}: ${metric}`);
