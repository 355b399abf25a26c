import type { AuditSettings } from '../model/settings.ts';

/** True when the settings name something to audit. */
export function namesPages({ targets, pages, urlsFile, sitemap, serveUrl }: AuditSettings): boolean {
  return (
    targets.length > 0 ||
    (pages !== undefined && pages.length > 0) ||
    urlsFile !== undefined ||
    sitemap !== undefined ||
    serveUrl !== undefined
  );
}
