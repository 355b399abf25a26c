/** Where a report holds text that comes from pages, servers, users or stored files. */
const FOREIGN = new Set([
  'target',
  'url',
  'title',
  'finalUrl',
  'endpoint',
  'urls',
  'by',
  'before',
  'name',
  'message',
  'because',
  'sentence',
  'stoppedSentence',
  'notes',
  'reasons',
  'waitingFor',
  'overruledBy',
  'excluded',
  'product',
  'code',
  'har',
  'ref',
  'watchedBecause',
  'added',
  'removed',
]);

/** The same report with every text that can be foreign replaced. The names of metrics are ours and stay. */
export function withForeignText<T>(report: T, text: string): T {
  const replaced = (value: unknown, foreign: boolean): unknown => {
    if (typeof value === 'string') return foreign ? text : value;
    if (Array.isArray(value)) return value.map((each) => replaced(each, foreign));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, key === 'columns' ? each : replaced(each, FOREIGN.has(key))]),
    );
  };
  return replaced(report, false) as T;
}

/** Things that a spreadsheet, an XML parser, a Markdown renderer or a terminal makes more of than text. */
export const TRICKS: readonly string[] = [
  '=HYPERLINK("https://evil.example","x")',
  "+cmd|'/c calc'!A1",
  '-2+3',
  '@SUM(1)',
  '\t=1+1',
  '\r=1+1',
  ' =1+1',
  '＝1+1',
  'a;=1+1',
  'a,"b"\r\n=1',
  '</system-out></testcase><testcase name="x"/>',
  ']]><x/>',
  '&amp;&#0;&lol;',
  '<!DOCTYPE x [<!ENTITY lol "lol">]>',
  '\u0000\u0001\u0008\u000b\u000c\u001b[31m\u007f\u0085',
  '\ud800 \udfff \ufffe \uffff \u{1fffe}',
  '\u202e\u200b\u2028\ufeff',
  '@octocat #12 </details> ![x](https://evil.example/x.png) `tick` | **x**',
  `https://shop.example/${'%F0%9F%98%80'.repeat(10_000)}`,
  '',
];
