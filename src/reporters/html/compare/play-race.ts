import { all, one } from '../client/dom.ts';

/** Lets the race be stopped at its end, and started; it does not start by itself where less movement is wanted. */
export function playRace(): void {
  for (const race of all(document, '.race')) {
    const button = one<HTMLButtonElement>(race, '.race-play');
    if (button === undefined) continue;
    const show = (isPlaying: boolean): void => {
      race.classList.toggle('started', isPlaying);
      race.classList.toggle('stopped', !isPlaying);
      button.textContent = isPlaying ? 'Pause' : 'Play';
      if (isPlaying) for (const drawing of all<SVGSVGElement>(race, 'svg')) drawing.setCurrentTime(0);
    };
    button.addEventListener('click', () => show(!race.classList.contains('started')));
    show(!matchMedia('(prefers-reduced-motion: reduce)').matches);
    button.hidden = false;
  }
}
