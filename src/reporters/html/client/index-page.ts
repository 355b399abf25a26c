import { searchPages } from '../index-page/search.ts';

/** The script of an index of many pages. */
searchPages();
