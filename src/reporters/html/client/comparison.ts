import './report.ts';
import { playRace } from '../compare/play-race.ts';

/** The script of a comparison. */
playRace();
