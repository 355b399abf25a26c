/** Milliseconds since the navigation that the user asked for began (`Performance.getMetrics` NavigationStart). */
export type Ms = number;

/**
 * The same, of what is never before it.
 *
 * @minimum 0
 */
export type Instant = number;

/** A size in bytes. */
export type Bytes = number;

/** The units a metric can have; a reporter formats by unit, never by metric name. */
export type Unit = 'ms' | 'bytes' | 'count' | 'score';

/** The units of whatever is shown: those of metrics, and that of a server's throughput. */
export type FigureUnit = Unit | '1/s';
