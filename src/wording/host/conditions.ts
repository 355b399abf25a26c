import type { Conditions, NetworkConditions, StatedConditions } from '../../model/host/conditions.ts';
import { formatRate } from '../text/format.ts';

/** Conditions in one clause: "desktop, no throttling, cold cache". */
export function conditionsSentence(conditions: Conditions): string {
  const { device, network, cpu, view, userAgent, locale, timezone, geolocation } = conditions;
  const throttling = [
    ...(network ? [networkInWords(network)] : []),
    ...(cpu > 1 ? [`CPU ${decimal(cpu)} × slower`] : []),
  ];
  return [
    device.name,
    ...(throttling.length === 0 ? ['no throttling'] : throttling),
    `${view} cache`,
    ...(locale === undefined ? [] : [`language ${locale}`]),
    ...(timezone === undefined ? [] : [`time zone ${timezone}`]),
    ...(geolocation ? [`at ${geolocation.latitude}, ${geolocation.longitude}`] : []),
    ...(userAgent === undefined ? [] : ['with a user agent of its own']),
  ].join(', ');
}

/** Conditions with their clause. */
export function stated(conditions: Conditions): StatedConditions {
  return { ...conditions, sentence: conditionsSentence(conditions) };
}

/** "network slow-4g (563 ms, 1.44 Mbit/s down, 675 kbit/s up)". */
function networkInWords({ name, latency, download, upload }: NetworkConditions): string {
  const figures = [
    `${Math.round(latency)} ms`,
    ...(download === undefined ? [] : [`${formatRate(download)} down`]),
    ...(upload === undefined ? [] : [`${formatRate(upload)} up`]),
  ].join(', ');
  return name.includes(',') ? `network ${figures}` : `network ${name} (${figures})`;
}

function decimal(value: number): string {
  return String(Math.round(value * 100) / 100);
}
