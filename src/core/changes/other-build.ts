import type { Build } from '../../model/compare/build.ts';

/** The build that one is compared with. */
export const otherBuild = (build: Build): Build => (build === 'base' ? 'candidate' : 'base');
