import type { Device } from '../../model/host/conditions.ts';

/** What tabs and address bar may take of a window's height, px: 87 in Chromium 156, none in its headless shell. */
const FRAME_PX = 200;

/**
 * The window that shows all of a device's viewport, CSS px. Chrome opens windows of 800 × 600, whatever viewport is emulated,
 * and does not paint what changes only beyond their edge: the largest contentful paint there is not reported before something
 * else is painted.
 */
export function windowOf({ width, height }: Pick<Device, 'width' | 'height'>): {
  readonly width: number;
  readonly height: number;
} {
  return { width, height: height + FRAME_PX };
}
