import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { WaterfallGroup } from '../../src/reporters/html/waterfall/figure.tsx';
import { unpack } from '../../src/reporters/html/waterfall/unpack.ts';

const SCRIPT = /<script>([\s\S]*?)<\/script>/;
const STYLE = /<style>([\s\S]*?)<\/style>/;

/** A report without its own script and style. */
export function markup(html: string): string {
  return html.replace(SCRIPT, '').replace(STYLE, '');
}

/** Holds that a report asks for nothing else, and that its policy lets nothing run but its own script and style. */
export function expectSelfContained(html: string): void {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  const hash = (of: RegExp): string =>
    createHash('sha256')
      .update(of.exec(html)?.[1] ?? '')
      .digest('base64');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hash(SCRIPT)}'`);
  expect(policy).toContain(`style-src 'sha256-${hash(STYLE)}'`);
  expect(policy).not.toContain('unsafe');
  const rest = markup(html).replace(/<img src="data:image\/png;base64,[A-Za-z0-9+/=]+"/g, '<picture');
  expect(rest).not.toMatch(/\s(style|src|srcset|on[a-z]+)=/);
  expect(rest).not.toMatch(/<(img|iframe|object|embed|link rel="stylesheet")/);
}

/** What the script of a report draws its waterfalls from. */
export function waterfallsIn(html: string): Promise<readonly WaterfallGroup[]> {
  const packed = [...html.matchAll(/<script type="text\/plain">([^<]*)<\/script>/g)];
  return Promise.all(packed.map(async ([, text = '']) => (await unpack(text)) as WaterfallGroup));
}

/** A report with what its waterfalls are drawn from as readable text behind it: for who looks for what must not be there. */
export const unpacked = async (html: string): Promise<string> => `${html}\n${JSON.stringify(await waterfallsIn(html))}`;
