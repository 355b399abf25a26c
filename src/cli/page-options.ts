import type { WholeAudit } from '../model/settings.ts';
import { type Option, optionsOf } from './options.ts';

/** Fails to compile when a setting of the whole audit is forgotten. */
const WHOLE_AUDIT: Readonly<Record<WholeAudit, true>> = {
  targets: true,
  pages: true,
  urlsFile: true,
  sitemap: true,
  maxPages: true,
  serveCommand: true,
  serveUrl: true,
  serveTimeout: true,
  out: true,
  commit: true,
  format: true,
  harContent: true,
  harSecrets: true,
  shard: true,
  browser: true,
  browserWs: true,
  browserArg: true,
  sandbox: true,
};

/** The options that each page of a configuration file may have for itself: whatever does not concern the whole audit. */
export const PAGE_OPTIONS: readonly Option[] = optionsOf('audit').filter(
  ({ name, steers }) => steers === 'job' && !(name in WHOLE_AUDIT),
);
