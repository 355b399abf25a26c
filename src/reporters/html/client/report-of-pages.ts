import './report.ts';
import { searchPages } from '../index-page/search.ts';

/** The script of a report of several pages. */
searchPages();
