import type { BudgetEntry, BudgetSeverity } from '../model/budgets.ts';
import type { CapacityBudget, CapacityBudgetFigure } from '../model/capacity.ts';
import { parseDuration } from './value-schemas.ts';

const GRAMMAR = 'must be capacity=<requests per second>, or <percentile>@<rate>/s=<time> such as p90@500/s=300ms';
const PERCENTILES = ['mean', 'p50', 'p90', 'p95', 'p99'] as const;

/** A budget of a server as typed, 'capacity=1000' or 'p90@500/s=300ms:warn', or as an object of a configuration file. */
export function parseCapacityBudget(
  given: string | BudgetEntry,
): { readonly budget: CapacityBudget } | { readonly problem: string } {
  if (typeof given !== 'string') {
    const { metric, max, min, severity = 'error' } = given;
    return parseCapacityBudget(`${metric}=${metric === 'capacity' ? min : max}:${severity}`);
  }
  const [, name = '', sign, limit = '', severity = 'error'] =
    /^\s*([^=<>\s]+)\s*(=|<=|>=)\s*([^:\s]+)\s*(?::\s*(warn|error)\s*)?$/.exec(given) ?? [];
  const figure = figureNamed(name);
  if (figure === undefined) return { problem: GRAMMAR };
  const bound = figure.kind === 'capacity' ? 'min' : 'max';
  if ((sign === '<=' && bound === 'min') || (sign === '>=' && bound === 'max')) {
    return { problem: `must limit ${name} with ${bound === 'min' ? '>=' : '<='}` };
  }
  const [, requests] = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(limit) ?? [];
  const value = figure.kind === 'capacity' ? Number(requests ?? Number.NaN) : parseDuration(limit);
  if (!(value > 0)) return { problem: GRAMMAR };
  return { budget: { metric: name, figure, bound, limit: value, severity: severity as BudgetSeverity } };
}

function figureNamed(name: string): CapacityBudgetFigure | undefined {
  if (name === 'capacity') return { kind: 'capacity' };
  const [, which, rate] = /^(\w+)@(\d+(?:\.\d+)?)(?:\/s)?$/.exec(name) ?? [];
  const percentile = PERCENTILES.find((each) => each === which);
  return percentile === undefined ? undefined : { kind: 'percentile', percentile, rate: Number(rate) };
}
