/**
 * How long traffic is watched before it is called background, ms. What ends within it is content that took its time: a
 * job that is asked for until it is done, a stream that ends, a list that is fetched page by page.
 */
export const PATIENCE_MS = 10_000;

/** The same where nothing comes any more, or never came: a slow server looks like that too. Two thirds of 30 s. */
export const SILENT_PATIENCE_MS = 20_000;

/** The same in the evidence run, which is there to see how things end. */
export const THOROUGH_PATIENCE_MS = 20_000;

/** The same for what was not answered: servers' and proxies' usual limit for a long poll is 30 s. */
export const THOROUGH_SILENT_PATIENCE_MS = 35_000;

/** How long the evidence run watches a page whose scripts ask for things, so that a slow period shows itself, ms. */
export const THOROUGH_WATCH_MS = 12_000;
