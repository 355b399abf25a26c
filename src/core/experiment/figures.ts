import type { Unit } from '../../model/units.ts';

/** A share in percent: "3.9 %", "−12 %"; what is too small for its figures says so. As reports write shares. */
export function percent(share: number): string {
  const size = Math.abs(share) * 100;
  const sign = share < 0 ? '−' : '';
  if (size === 0) return '0 %';
  if (size < 0.01) return `${sign}0.01 %`;
  if (size < 0.095) return `${sign}${size.toFixed(2)} %`;
  return `${sign}${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} %`;
}

/** A share that somebody chose, without a figure too many: "5 %", "2.5 %". */
export function percentChosen(share: number): string {
  return percent(share).replace(/\.0 %$/, ' %');
}

/** A difference in its unit: "58 ms", "1.24 s", "−1.5 kB", "3", "0.012". As reports write values. */
export function amount(value: number, unit: Unit): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '−' : '';
  const scale = scaleOf(size, unit);
  const text = figure(size, scale);
  return `${/[1-9]/.test(text) ? sign : ''}${text}${scale[2]}`;
}

/** An interval of amounts that are not below 0, in the unit of the larger: "1.21–1.29 s". As reports write intervals. */
export function interval(low: number, high: number, unit: Unit): string {
  const scale = scaleOf(high, unit);
  const [from, to] = [figure(low, scale), figure(high, scale)];
  return `${from === to ? to : `${from}–${to}`}${scale[2]}`;
}

type Scale = readonly [divisor: number, digits: number, suffix: string];

function figure(size: number, [divisor, digits]: Scale): string {
  const [whole = '', fraction] = (size / divisor).toFixed(digits).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Divisor, digits and suffix for a magnitude. */
function scaleOf(size: number, unit: Unit): Scale {
  switch (unit) {
    case 'ms':
      if (size < 999.5) return [1, size > 0 && size < 9.95 ? 1 : 0, ' ms'];
      return [1000, 2, ' s'];
    case 'bytes':
      if (size < 999.5) return [1, 0, ' B'];
      if (size < 999_500) return [1e3, size < 9950 ? 1 : 0, ' kB'];
      return [1e6, size < 9_995_000 ? 2 : 1, ' MB'];
    case 'count':
      return [1, Number.isInteger(size) ? 0 : 1, ''];
    case 'score':
      return [1, size === 0 ? 0 : 3, ''];
  }
}
