/** Fetching a browser is a job too, so that the command line knows only jobs. */
export { installBrowser } from '../../browser/install/install.ts';
