import type { FigureUnit } from '../../model/units.ts';

/** What stands where nothing is known. */
export const ABSENT = '–';

/** How one magnitude is written: the value is divided by `divisor` and followed by `suffix`. */
interface Scale {
  readonly divisor: number;
  readonly digits: number;
  readonly suffix: string;
}

/**
 * A scale is taken up to the largest value that still rounds to fewer figures than the next one, so that 999.6 ms is
 * written "1.00 s" and never "1000 ms".
 */
function scaleOf(value: number, unit: FigureUnit): Scale {
  const size = Math.abs(value);
  switch (unit) {
    case 'ms':
      if (size === 0) return { divisor: 1, digits: 0, suffix: ' ms' };
      if (size < 9.95) return { divisor: 1, digits: 1, suffix: ' ms' };
      if (size < 999.5) return { divisor: 1, digits: 0, suffix: ' ms' };
      return { divisor: 1000, digits: 2, suffix: ' s' };
    case 'bytes':
      // Powers of 1000, as Chrome's DevTools writes sizes.
      if (size < 999.5) return { divisor: 1, digits: 0, suffix: ' B' };
      if (size < 9950) return { divisor: 1e3, digits: 1, suffix: ' kB' };
      if (size < 999_500) return { divisor: 1e3, digits: 0, suffix: ' kB' };
      if (size < 9_995_000) return { divisor: 1e6, digits: 2, suffix: ' MB' };
      if (size < 999_500_000) return { divisor: 1e6, digits: 1, suffix: ' MB' };
      return { divisor: 1e9, digits: 2, suffix: ' GB' };
    case 'count':
      return { divisor: 1, digits: Number.isInteger(value) ? 0 : 1, suffix: '' };
    case 'score':
      return { divisor: 1, digits: size === 0 ? 0 : 3, suffix: '' };
    case '1/s':
      return { divisor: 1, digits: size < 99.95 && Math.round(size * 10) % 10 !== 0 ? 1 : 0, suffix: '/s' };
  }
}

function figure(value: number, scale: Scale): string {
  const fixed = Math.abs(value / scale.divisor).toFixed(scale.digits);
  const [whole = '', fraction] = fixed.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 && Number(fixed) !== 0 ? '−' : '';
  return `${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** A value with its unit: "340 ms", "1.24 s", "1.5 kB", "1,204", "0.083"; "–" when it is absent or not finite. */
export function formatValue(value: number | undefined, unit: FigureUnit): string {
  if (value === undefined || !Number.isFinite(value)) return ABSENT;
  const scale = scaleOf(value, unit);
  return `${figure(value, scale)}${scale.suffix}`;
}

/** An interval in the unit of its larger end: "1.21–1.27 s"; one value when both ends read the same. */
export function formatInterval(low: number | undefined, high: number | undefined, unit: FigureUnit): string {
  if (low === undefined || high === undefined || !Number.isFinite(low) || !Number.isFinite(high)) return ABSENT;
  const scale = scaleOf(Math.abs(low) > Math.abs(high) ? low : high, unit);
  const from = figure(low, scale);
  const to = figure(high, scale);
  if (from === to) return `${to}${scale.suffix}`;
  // A dash between two signs reads as a third one.
  return `${from}${from.startsWith('−') || to.startsWith('−') ? ' to ' : '–'}${to}${scale.suffix}`;
}

/** The smallest share that is written, with its direction: a smaller one is written as this one. */
const SMALLEST_SHARE = 0.0001;
/** Below this share tenths of a percent would say that there is nothing. */
const TENTHS_FROM = 0.00095;
/** From this share on, whole percents are fine enough. */
const WHOLE_FROM = 0.0995;

/** A share in percent: "94%", "8.3%", "0.04%", "−12%", "0%"; the finer, the smaller it is, so that nothing but 0 reads as 0. */
export function formatShare(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share * 100)) return ABSENT;
  if (share === 0) return '0%';
  const size = Math.abs(share);
  const digits = size < TENTHS_FROM ? 2 : size < WHOLE_FROM ? 1 : 0;
  return `${share < 0 ? '−' : ''}${(Math.max(size, SMALLEST_SHARE) * 100).toFixed(digits)}%`;
}

/** A share that was chosen, not measured: without a digit too many: "5%", "2.5%". */
export function formatChosenShare(share: number): string {
  const percent = Math.abs(share) * 100;
  if (!Number.isFinite(percent)) return ABSENT;
  const chosen = Number(percent.toFixed(2));
  // What follows from a time that was chosen has no end of digits.
  const shown = Math.abs(percent - chosen) < 1e-6 ? chosen : Number(percent.toPrecision(2));
  return `${share < 0 ? '−' : ''}${shown}%`;
}

/** A change as a share, with its sign: "+3.9%", "−12%", "+0.04%", "0%". */
export function formatChange(share: number | undefined): string {
  const shown = formatShare(share);
  return share !== undefined && share > 0 && shown !== ABSENT ? `+${shown}` : shown;
}

/**
 * The coverage of an interval: "94%", "99.9%"; rounded down so that it never promises more than it holds. A level that
 * was chosen, for comparisons, is written with tenths: "97.5%".
 */
export function formatLevel(level: number | undefined, digits: 0 | 1 = 0): string {
  if (level === undefined || !Number.isFinite(level * 1000)) return ABSENT;
  // The small term keeps 0.57 * 100 = 56.99999999999999 at 57.
  const percent = level * 100 + 1e-9;
  const scale = digits === 1 || percent >= 99 ? 10 : 1;
  return `${Math.floor(percent * scale) / scale}%`;
}

/** A number of things: "1 request", "12 requests". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatValue(count, 'count')} ${count === 1 ? one : many}`;
}

/** What is left of a list that is cut: "and 3 more", "and 1,204 more requests". */
export function andMore(left: number, noun?: string, many?: string): string {
  return `and ${noun === undefined ? `${formatValue(left, 'count')} more` : formatCount(left, `more ${noun}`, many && `more ${many}`)}`;
}

/** The first `most` lines of a list, and a line that says how many more there are. */
export function listed(lines: readonly string[], most: number, noun?: string): readonly string[] {
  return lines.length > most ? [...lines.slice(0, most), andMore(lines.length - most, noun)] : lines;
}

/** A list within a sentence: "a", "a and b", "a, b and c"; with more than `most` items "a, b and 3 more", of a `noun` where it helps. */
export function joined(items: readonly string[], most = Number.POSITIVE_INFINITY, noun?: string): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')} ${andMore(items.length - most, noun)}`;
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}

/** A rate of a network, given in kilobit a second, as people write it: "675 kbit/s", "1.44 Mbit/s". */
export function formatRate(kbit: number): string {
  return kbit < 999.5 ? `${Math.round(kbit)} kbit/s` : `${Number((kbit / 1000).toFixed(2))} Mbit/s`;
}

/** Rates from the least to the most, in the unit of the larger: "1.40–1.44 Mbit/s"; one where both read the same. */
export function formatRates(low: number, high: number): string {
  const [from, to] = [formatRate(low), formatRate(high)];
  if (from === to) return to;
  if (high < 999.5) return `${Math.round(low)}–${to}`;
  return `${(low / 1000).toFixed(2)}–${(high / 1000).toFixed(2)} Mbit/s`;
}

/** A clock that runs, in tenths of a second: "0.4 s", "12.0 s". */
export function formatElapsed(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A label of a time axis with ticks `step` milliseconds apart: "0", "0.5 s", "200 ms". */
export function formatTick(at: number, step: number): string {
  if (at === 0) return '0';
  if (step < 100) return `${at} ms`;
  return `${(at / 1000).toFixed(step % 1000 === 0 ? 0 : step % 100 === 0 ? 1 : 2)} s`;
}
