import { answer } from './answer.ts';
import type { TrendChapter } from './chapter.ts';
import { overview } from './overview.ts';
import { pages } from './pages.ts';

/** What the document of a trend says, in this order. A new chapter is a file and a line. */
const chapters: readonly TrendChapter[] = [answer, overview, pages];

/** The document of a trend. */
export const trendDocument: TrendChapter = (result, detail) => chapters.flatMap((chapter) => chapter(result, detail));
