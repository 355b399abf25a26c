import { viewPictures } from '../film/viewer.ts';
import { linkToPlaces } from '../links/anchors.ts';
import { enableCopying } from '../links/copy.ts';
import { openWaterfalls } from '../waterfall/open-waterfalls.tsx';

/** The script of a report: everything in it can be read without, and is livelier with it. */
linkToPlaces();
enableCopying();
viewPictures();
openWaterfalls();
