import { describe, expect, it } from 'vitest';
import { fitted, shareSummary, withLinks } from '../../../src/reporters/github/comment.ts';
import { renderAuditMarkdown } from '../../../src/reporters/markdown/audit.ts';
import { renderComparisonMarkdown } from '../../../src/reporters/markdown/compare.ts';
import { comparisonReport } from '../comparison.ts';
import { analysisReport, exampleReport, failedReport } from '../example-report.ts';
import { TRICKS, withForeignText } from '../hostile.ts';
import { foreignTags, LIVE, liveText, rendered, tableShapes } from '../rendered.ts';

/** More tricks that only Markdown and GitHub know; the list is split at its lines. */
const EVIL = `@octocat
(@octocat)
someone@evil.example
@octo/team
#12
GH-12
octo/repo#3
octo/repo@0123abcdef
0123abcdef0123abcdef0123abcdef0123abcdef
https://evil.example/x
www.evil.example
mailto:me@evil.example
[x](https://evil.example)
![x](https://evil.example/x.png)
<img src=x onerror=alert(1)>
</details></td></table><h1>x</h1>
<!-- quiesce:comment quiesce -->
\`\`\`
\`@octocat\`
\`\`@octocat\`\`
a|b|c
\\|
\\\`@octocat\\\`
&#64;octocat
&lt;b&gt;
:tada:
[^1]
~~x~~ **x** _x_ $x$
- [ ] task
> [!CAUTION]
===
---
1. one
\u202e@octocat
@\u200boctocat
\uff20octocat`.split('\n');

const COMPARED = comparisonReport({ different: true, dropped: 2, interrupted: true });

describe.each([
  ['a comparison', (text: string) => renderComparisonMarkdown(withForeignText(COMPARED, text))],
  ['an audit', (text: string) => renderAuditMarkdown(withForeignText(exampleReport(), text))],
  ['an audit of several pages', (text: string) => renderAuditMarkdown(withForeignText(analysisReport(), text))],
  ['an audit that failed', (text: string) => renderAuditMarkdown(withForeignText(failedReport(), text))],
  ['a shard', (text: string) => shareSummary({ index: 2, of: 4 }, text)],
])('%s, rendered as GitHub would', (_, render) => {
  const harmless = rendered(render('harmless'));

  it.each([...EVIL, EVIL.join(' '), EVIL.join('\n'), EVIL.join(''), ...TRICKS.filter(({ length }) => length < 300)])(
    'holds nothing but text of %j',
    (trick) => {
      const html = rendered(render(trick));
      expect(foreignTags(html)).toEqual([]);
      for (const live of LIVE) expect(liveText(html)).not.toMatch(live);
      expect(tableShapes(html)).toEqual(tableShapes(harmless));
      expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
    },
  );
});

describe('the lines that lead on', () => {
  it('are links to the report, the run and the commit', () => {
    const text = withLinks('### Same\n', {
      report: 'https://github.com/octo/shop/actions/runs/1/artifacts/2',
      run: 'https://github.com/octo/shop/actions/runs/1',
      commit: { hash: 'a'.repeat(40), url: `https://github.com/octo/shop/commit/${'a'.repeat(40)}` },
    });
    expect(text).toBe(
      [
        '### Same',
        '',
        '[**Full report**](<https://github.com/octo/shop/actions/runs/1/artifacts/2>) · [Workflow run](<https://github.com/octo/shop/actions/runs/1>) · Commit [`aaaaaaaaaaaa`](<https://github.com/octo/shop/commit/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa>)',
        '',
      ].join('\n'),
    );
  });

  it('are nothing where nothing is known, and name a comment that is not the only one', () => {
    expect(withLinks('### Same\n', {})).toBe('### Same\n');
    expect(withLinks('### Same\n', {}, 'check_out')).toBe('`check_out`\n\n### Same\n');
  });

  it.each([
    'https://x.example/)[a](https://evil.example',
    'https://x.example/>](https://evil.example)',
    'https://x.example/a b',
    'https://x.example/`|\\',
    'https://x.example/<b>',
    'https://user:pass@x.example/"onmouseover=',
  ])('%s is one link that leads there', (report) => {
    const html = rendered(withLinks('text', { report }));
    const links = html.match(/<a [^>]*>/g) ?? [];
    expect(links).toHaveLength(1);
    const [, href = ''] = /href="([^"]*)"/.exec(links[0] ?? '') ?? [];
    expect(new URL(href.replaceAll('&quot;', '"')).host).toBe('x.example');
    expect(foreignTags(html.replace(/<\/?a[^>]*>/g, ''))).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://x.example/\n\n# head',
    '//x.example',
    'https://\u202ex',
  ])('%j is no link', (report) => {
    expect(withLinks('text', { report })).toBe('text\n\n**Full report**\n');
  });

  it('show a commit that an unknown result names as text', () => {
    const html = rendered(withLinks('text', { commit: { hash: '`](https://evil.example)@octocat' } }));
    expect(foreignTags(html)).toEqual([]);
    expect(liveText(html)).not.toMatch(/@|:\/\//);
  });
});

describe('a text that is too long', () => {
  const row = (i: number) => `| \`@octocat number ${i}\` | ${'x'.repeat(40)} |`;
  const long = `### Head\n\n<details>\n<summary>More</summary>\n\n${Array.from({ length: 200 }, (_, i) => row(i)).join('\n')}\n\n</details>\n`;

  it('that is not stays as it is', () => {
    expect(fitted(long, long.length)).toBe(long);
  });

  it.each([1000, 1001, 1013, 1027, 1050, 5000])('ends with a whole line and says so within %d letters', (most) => {
    const cut = fitted(long, most);
    expect(cut.length).toBeLessThanOrEqual(most);
    expect(cut).toMatch(/\n<\/details>\n\nCut here: .*\n$/);
    const html = rendered(cut);
    expect(liveText(html)).not.toMatch(/@/);
    expect(html.match(/<details>/g)).toHaveLength(html.match(/<\/details>/g)?.length ?? 0);
  });

  it('of one line alone is left out', () => {
    expect(fitted(`\`@octocat ${'x'.repeat(500)}\``, 200)).toMatch(/^\s*Cut here/);
  });
});
