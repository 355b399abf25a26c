import { linkToPlaces } from '../components/anchors.ts';
import { enableCopying } from '../components/copy.ts';
import { viewPictures } from '../film/viewer.ts';
import { openWaterfalls } from '../waterfall/open-waterfalls.tsx';

/** The script of a report: everything in it can be read without, and is livelier with it. */
linkToPlaces();
enableCopying();
viewPictures();
openWaterfalls();
