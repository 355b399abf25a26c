/** The browser jobs: which one would be used, and fetching one. */
export { type FoundBrowser, findBrowser } from '../shell/browser/find.ts';
export {
  type Installation,
  type InstallOptions,
  type InstallProgress,
  installBrowser,
} from '../shell/browser/install.ts';
