import type { BackgroundEndpoint } from '../../model/result/result.ts';
import { matchesPattern } from '../background/pattern.ts';

/** Is it a part of a thing that several endpoints make up: one file, or some, of a cache? */
export function isPartOf(
  { kind, endpoint }: Pick<BackgroundEndpoint, 'kind' | 'endpoint'>,
  thing: Pick<BackgroundEndpoint, 'kind' | 'endpoint' | 'endpoints'>,
): boolean {
  return thing.endpoints !== undefined && kind === thing.kind && matchesPattern(thing.endpoint, endpoint);
}
