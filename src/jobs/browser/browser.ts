/** The browser jobs: which one would be used, and fetching one. */
export { type FoundBrowser, findBrowser } from '../../browser/install/find.ts';
export {
  type Installation,
  type InstallOptions,
  type InstallProgress,
  installBrowser,
} from '../../browser/install/install.ts';
