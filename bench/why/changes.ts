/** The changes that `npm run bench:why` makes, each with what is true of it. */
import type { Why } from '../../src/model/compare/why.ts';
import { ELSEWHERE, type Source } from './site.ts';

/** One known change of a site. */
export interface Change {
  readonly name: string;
  make(source: Source): Source;
  /** Is this reason the true one? */
  isTrue(reason: Why): boolean;
}

/** Every text must be there: a change that changes nothing would test nothing. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the site no longer has ${from}`);
  return text.replace(from, () => to);
}

const busy = (ms: number): string => `const until = performance.now() + ${ms}; while (performance.now() < until);`;
const isAbout =
  (file: string, ...codes: readonly Why['code'][]) =>
  ({ url = '', by = '', code }: Why): boolean =>
    codes.includes(code) && (url.includes(file) || by.includes(file));

const later = (source: Source, file: string, ms: number): Source => ({
  ...source,
  delays: { ...source.delays, [file]: (source.delays[file] ?? 0) + ms },
});

export const CHANGES: readonly Change[] = [
  {
    name: 'slower function',
    make: (source) => ({ ...source, render: replaced(source.render, '/* badges */', busy(250)) }),
    // A minifier may put it into the function that calls it, where its line is the same, or into the script itself.
    isTrue: ({ code, url = '', place }) =>
      url.endsWith('/app.js') &&
      (code === 'script' ||
        (code === 'function' &&
          ((place?.source?.name ?? place?.name) === 'renderBadges' ||
            place?.source?.file.endsWith('render.js') === true))),
  },
  {
    name: 'more bytes',
    make: (source) => ({
      ...source,
      notes: `${source.notes}export const MORE = ${JSON.stringify(Array.from({ length: 100_000 }, (_, i) => `note ${(i * 7919) % 99_991}`))};\nglobalThis.notes = MORE;\n`,
    }),
    isTrue: isAbout('/app.js', 'size', 'function', 'script'),
  },
  {
    name: 'later request',
    make: (source) => ({
      ...source,
      main: replaced(source.main, '/* before reviews */', 'await new Promise((go) => setTimeout(go, 300));'),
    }),
    isTrue: isAbout('/app.js', 'start'),
  },
  {
    name: 'slower answer',
    make: (source) => later(source, '/api/products.json', 300),
    isTrue: isAbout('/api/products.json', 'server'),
  },
  {
    name: 'new blocking script',
    make: (source) => ({
      ...source,
      html: replaced(source.html, '  </head>', '    <script src="./vendor.js"></script>\n  </head>'),
      files: {
        ...source.files,
        'vendor.js': `function initVendor() { ${busy(250)} }\ninitVendor();\n// ${'vendor '.repeat(9_000)}\n`,
      },
      delays: { ...source.delays, '/vendor.js': 150 },
    }),
    isTrue: isAbout('/vendor.js', 'new-request', 'function', 'script'),
  },
  {
    name: 'larger picture',
    make: (source) => ({ ...source, picture: { width: 840, height: 560 } }),
    isTrue: isAbout('/hero.png', 'size'),
  },
  {
    name: 'lost preload',
    make: (source) => ({ ...source, html: source.html.replace(/\n {4}<link rel="preload".*/, '') }),
    isTrue: isAbout('/font.woff2', 'requester'),
  },
  {
    name: 'changed order',
    make: (source) => ({
      ...source,
      main: replaced(
        source.main,
        "const [reviews, prices] = await Promise.all([ask('reviews'), ask('prices')]);",
        "const reviews = await ask('reviews');\n  const prices = await ask('prices');",
      ),
    }),
    isTrue: isAbout('/app.js', 'start'),
  },
  {
    name: 'third party added',
    make: (source) => ({
      ...source,
      html: replaced(source.html, '  </head>', `    <script src="${ELSEWHERE}/tag.js"></script>\n  </head>`),
      elsewhere: { '/tag.js': { text: 'globalThis.tags = [1];\n', delay: 750 } },
    }),
    isTrue: isAbout('/tag.js', 'new-request', 'function', 'script'),
  },
  {
    name: 'CSS that costs layout',
    make: (source) => ({
      ...source,
      css: `${source.css}${Array.from({ length: 260 }, (_, i) => `#grid .cell:nth-last-child(${i + 2}n + ${i}) ~ .c${i % 7} > span:not(.a${i} .b) { letter-spacing: ${i % 3}px; }`).join('\n')}\n`,
    }),
    isTrue: isAbout('/theme.css', 'style-layout', 'size'),
  },
  {
    name: 'a change in a worker',
    make: (source) => ({ ...source, worker: replaced(source.worker, '/* before the answer */', busy(600)) }),
    isTrue: isAbout('/worker.js', 'function', 'script', 'start', 'only-change'),
  },
  {
    name: 'a change that changes nothing',
    make: (source) => ({ ...source, notes: replaced(source.notes, "'second'", "'two'") }),
    isTrue: () => false,
  },
];
