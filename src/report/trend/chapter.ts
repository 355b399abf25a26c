import type { TrendResult } from '../../model/trend.ts';
import type { Detail, Part } from '../parts.ts';

/** What a document says of one subject of a trend; nothing where there is nothing to say. */
export type TrendChapter = (result: TrendResult, detail: Detail) => readonly Part[];

/** Pages that are shown; the report has all. */
export const MAX_PAGES = 20;
