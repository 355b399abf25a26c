import type { PageComplete } from '../../model/completion/completion.ts';
import type { Ms } from '../../model/units.ts';

/** The moment of page complete; undefined where there is none that is confirmed. */
export function completedAt(complete: PageComplete | undefined): Ms | undefined {
  return complete?.state === 'complete' ? complete.at : undefined;
}

/** Until when a load says something of its page: until page complete, else as long as it was watched. */
export function countedUntil(complete: PageComplete, { observedUntil }: { readonly observedUntil: Ms }): Ms {
  return completedAt(complete) ?? observedUntil;
}
