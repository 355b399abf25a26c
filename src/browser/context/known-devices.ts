// Only this module: the whole library takes a sixth of a second to load, and every command line needs the names.
import { KnownDevices } from 'puppeteer-core/internal/common/Device.js';
import type { Device } from '../../model/host/conditions.ts';

export type KnownDeviceName = keyof typeof KnownDevices;

/** The devices that Puppeteer knows, upright and lying ("iPhone 15 landscape"). */
export const KNOWN_DEVICES: readonly Device[] = Object.entries(KnownDevices).map(([name, { userAgent, viewport }]) => ({
  name,
  width: viewport.width,
  height: viewport.height,
  deviceScaleFactor: viewport.deviceScaleFactor ?? 1,
  mobile: viewport.isMobile ?? false,
  touch: viewport.hasTouch ?? false,
  userAgent,
}));
