import { breakdownStyles } from './breakdown-styles.ts';
import { PAGES_AT_ONCE } from './client-index.ts';
import { filmStyles } from './film-styles.ts';
import { labStyles } from './lab-styles.ts';
import { waterfallStyles } from './waterfall-styles.ts';

/**
 * The look of the report. Colours are custom properties, set once for light and once for dark; every text colour keeps
 * 4.5:1 against every ground it stands on. No `style` attributes anywhere: the policy in the head forbids them.
 */
const base = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f1; --card: #fffefc; --raised: #fffefc; --ink: #1c2024; --soft: #59616a; --line: #e2dfd6; --hair: #eeebe4;
  --accent: #0b6655; --accent-wash: #e3f0ec; --flag: #6341b8; --flag-wash: rgb(99 65 184 / .075); --warn: #8a5200; --bad: #b3261e;
  --bad-wash: #fbeae8; --warn-wash: #fbf1de;
  --p0: #b9bdc2; --p1: #8d949b; --p2: #0e9384; --p3: #ee8a1d; --p4: #a63fb8; --p5: #6d8593; --p6: #2fa84f; --p7: #2486d6;
  --b1: #3f72b8; --b2: #d19a32; --b3: #2c8f7b; --b4: #9163bd; --quiet: rgb(11 102 85 / .085);
  --m-load: #b3261e; --m-dcl: #1d5fb0; --m-fcp: #237a3b; --m-lcp: #a85400; --tick: #10324f;
  --hatch: repeating-linear-gradient(135deg, #000 0 3px, rgb(0 0 0 / .3) 3px 6px);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131618; --card: #1a1e21; --raised: #23282c; --ink: #ebe9e4; --soft: #a5adb4; --line: #32383d; --hair: #262b2f;
    --accent: #6ecdb6; --accent-wash: #1c312d; --flag: #bfa8ff; --flag-wash: rgb(191 168 255 / .085); --warn: #e8b565; --bad: #ff9489;
    --bad-wash: #37201f; --warn-wash: #342a1a;
    --p0: #555c63; --p1: #79818a; --p2: #35b5a5; --p3: #f0a04b; --p4: #c978d8; --p5: #8ea6b4; --p6: #55bf70; --p7: #56a8ec;
    --b1: #6f9fe0; --b2: #dfb057; --b3: #4fb59f; --b4: #b48be0; --quiet: rgb(110 205 182 / .1);
    --m-load: #ff9489; --m-dcl: #86b8f5; --m-fcp: #7fd095; --m-lcp: #f0b070; --tick: #d9efff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; }
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, dl, dd, figure, ul { margin: 0; padding: 0; }
ul { list-style: none; }
code, .mono { font-family: var(--mono); font-size: .88em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.page { max-width: 82rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 3rem) 4rem; }

.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 2rem; padding: 1.6rem 0; color: var(--soft); font-size: .85rem; }
.wordmark { display: inline-flex; align-items: center; gap: .55rem; color: var(--ink); font-size: 1.02rem; font-weight: 600; letter-spacing: -.01em; }
.wordmark svg { width: 34px; height: 18px; fill: none; stroke: var(--accent); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.notice { margin: 0 0 1.5rem; padding: .8rem 1.1rem; border-radius: 10px; background: var(--warn-wash); color: var(--ink); border-left: 3px solid var(--warn); }
.notice.bad { background: var(--bad-wash); border-color: var(--bad); }
.notice li + li { margin-top: .35rem; }
.notice b { font-weight: 600; }
.shards { margin: 1.4rem 0; }
.notice ul { overflow-wrap: anywhere; } .notice.missing { margin: 1.6rem 0 0; } .notice.missing p + p { margin-top: .35rem; } .notice.missing ul + p { margin-top: .5rem; } .notice.missing li { margin-top: .15rem; padding-left: 1.1rem; text-indent: -1.1rem; } .notice.missing li::before { content: "–"; display: inline-block; width: 1.1rem; text-indent: 0; }
.contents { margin: 0 0 3rem; }
.index td, .index th { padding-top: .55rem; padding-bottom: .55rem; } .page-name { min-width: 14rem; overflow-wrap: anywhere; } .page-name a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; width: fit-content; } .index .drawn { min-width: 9rem; vertical-align: middle; } .index .num b { font-weight: 600; }
.index-tools { margin: 0 0 1.2rem; } .index-tools p { flex-basis: 100%; font-size: .88rem; min-height: 1.4em; } .back { margin: 0 0 1.2rem; font-size: .93rem; }
.index thead button { padding: 0; border: 0; background: none; font: inherit; color: inherit; cursor: pointer; } .index thead button:hover { color: var(--ink); text-decoration: underline; }
.index thead [aria-sort] button { color: var(--ink); font-weight: 600; } .index thead [aria-sort=ascending] button::before { content: "↑ " / ""; } .index thead [aria-sort=descending] button::before { content: "↓ " / ""; }
.index-more { margin: 1.2rem 0; padding: .35rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; } .index-more:hover { border-color: var(--soft); }
@media screen and (scripting: enabled) { .cut tbody tr:nth-child(n + ${PAGES_AT_ONCE + 1}) { display: none; } }
.index-bar { display: block; } .index-bar .axis { stroke: var(--line); } .index-bar .time { fill: var(--accent); opacity: .35; } .index-bar .range { fill: none; stroke: var(--accent); stroke-width: 1.3; } .index-bar .median { stroke: var(--accent); stroke-width: 2.4; }
.one-of-many { border-top: 1px solid var(--line); } .one-of-many:last-of-type { border-bottom: 1px solid var(--line); } .one-of-many[open] { padding-bottom: 3.5rem; }
.one-of-many > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1.2rem; padding: .8rem 0; color: var(--ink); }
.one-of-many > summary::before { content: "▸"; color: var(--soft); font-size: .8rem; } .one-of-many[open] > summary::before { content: "▾"; } .one-of-many > summary::-webkit-details-marker { display: none; }
.one-of-many h2 { flex: 1; min-width: 12rem; font-size: 1.16rem; font-weight: 600; letter-spacing: -.012em; overflow-wrap: anywhere; } .one-of-many[open] h2 { font-size: 1.5rem; } .one-of-many > summary span { white-space: nowrap; font-weight: 600; }
.subject { color: var(--soft); font-size: .95rem; overflow-wrap: anywhere; }
.subject b { color: var(--ink); font-weight: 600; } .subject .file { display: block; }
.statement { max-width: 46rem; margin: .9rem 0 2.2rem; font-size: clamp(1.45rem, 3.4vw, 2.15rem); line-height: 1.25; font-weight: 550; letter-spacing: -.018em; text-wrap: balance; overflow-wrap: anywhere; }
.statement.long { font-size: clamp(1.15rem, 2.4vw, 1.4rem); line-height: 1.4; max-width: 56rem; letter-spacing: -.008em; }
.statement .aside { font-weight: 400; color: var(--soft); }
.whole { white-space: nowrap; }
.statement .second { display: block; max-width: 56rem; margin-top: .7rem; font-size: clamp(1.05rem, 1.9vw, 1.2rem); line-height: 1.45; font-weight: 400; letter-spacing: -.004em; color: var(--soft); text-wrap: pretty; }
.answers { --line-height: calc(clamp(2.9rem, 8vw, 4.6rem) * 1.1); display: flex; flex-wrap: wrap; gap: 1.6rem clamp(2rem, 7vw, 6rem); align-items: flex-start; padding: 1.6rem 0 1.8rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.answer dt { color: var(--soft); font-size: .9rem; }
.answer .big { display: block; font-size: clamp(2.9rem, 8vw, 4.6rem); line-height: var(--line-height); font-weight: 600; letter-spacing: -.045em; white-space: nowrap; }
.answer .big small { font-size: .45em; font-weight: 500; letter-spacing: -.01em; color: var(--soft); margin-left: .14em; }
.answer.ours .big { color: var(--accent); }
.answer.unsure .big { color: var(--warn); font-size: clamp(1.9rem, 5vw, 2.9rem); }
.answer.plain .big { font-size: clamp(1.9rem, 5vw, 2.9rem); font-weight: 450; color: var(--soft); }
.answer .under { display: block; margin-top: .3rem; color: var(--soft); font-size: .9rem; max-width: 26rem; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 9.5rem), 1fr)); border-bottom: 1px solid var(--line); padding: 1rem 0 1.1rem; gap: 1.1rem 1.8rem; }
.figures dt { color: var(--soft); font-size: .84rem; } .figures b { display: block; font-size: 1.3rem; line-height: 1.35; font-weight: 600; letter-spacing: -.02em; } .figures small, .figures .agree { display: block; color: var(--soft); font-size: .84rem; } .figures .agree { display: flex; } .figures .agree.disagrees { color: var(--bad); }
.notes { margin-top: 1.4rem; max-width: 52rem; color: var(--soft); }
.notes li { position: relative; padding-left: 1.1rem; overflow-wrap: anywhere; }
.notes li::before { content: ""; position: absolute; left: 0; top: .68em; width: .45rem; height: 1px; background: currentColor; }
.notes li + li { margin-top: .3rem; }

.part { margin-top: 3.4rem; }
.part > h2, .part > h3, .foot h2 { font-size: 1.16rem; line-height: 1.3; font-weight: 600; letter-spacing: -.012em; }
.part > .lead { max-width: 48rem; margin: .3rem 0 0; color: var(--soft); overflow-wrap: anywhere; }
.part > .body { margin-top: 1.1rem; }

.stack-bar { display: block; width: 100%; height: 22px; border-radius: 5px; overflow: hidden; background: var(--hair); }
.stack-bar.thin { height: 10px; }
.b1 { fill: var(--b1); background: var(--b1); } .b2 { fill: var(--b2); background: var(--b2); }
.b3 { fill: var(--b3); background: var(--b3); } .b4 { fill: var(--b4); background: var(--b4); }
.b5 { fill: var(--ink); background: var(--ink); } .b6 { fill: var(--p0); background: var(--p0); }
.split { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 1rem 1.8rem; margin: .9rem 0 1.9rem; }
.split.two { grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); margin-bottom: 0; }
.split dt { display: flex; align-items: baseline; gap: .5rem; font-size: .9rem; color: var(--soft); }
.split dt i { flex: none; width: .6rem; height: .6rem; border-radius: 2px; }
.split dd b { font-size: 1.25rem; font-weight: 600; letter-spacing: -.02em; }
.split dd span { color: var(--soft); margin-left: .4rem; }
.split dd small { display: block; color: var(--soft); font-size: .84rem; line-height: 1.4; margin-top: .1rem; }

.scroll { overflow-x: auto; margin: 0 -.25rem; padding: 0 .25rem; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th, td { padding: .7rem 1.1rem .7rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { padding-top: 0; color: var(--soft); font-size: .82rem; font-weight: 500; white-space: nowrap; vertical-align: bottom; }
tbody th { font-weight: 550; }
tbody th small, td small { display: block; color: var(--soft); font-weight: 400; font-size: .84rem; line-height: 1.4; }
.num { white-space: nowrap; } .strong { font-weight: 600; }
.wide { min-width: 14rem; overflow-wrap: anywhere; }
.some { min-width: 9rem; overflow-wrap: anywhere; }
.dots { display: block; width: 170px; height: 26px; overflow: visible; }
.dots .axis { stroke: var(--line); } .dots .range { stroke: var(--accent); stroke-width: 6; stroke-linecap: round; opacity: .22; }
.dots .median { stroke: var(--accent); stroke-width: 2; } .dots circle { fill: var(--card); stroke: var(--ink); stroke-width: 1.4; }
.agree { display: inline-flex; align-items: center; gap: .45rem; white-space: nowrap; }
.agree::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: var(--soft); }
.agree.stable::before { background: var(--accent); } .agree.varies::before { background: var(--warn); border-radius: 1px; }
.agree.disagrees { color: var(--bad); } .agree.disagrees::before { background: var(--bad); clip-path: polygon(50% 0, 100% 100%, 0 100%); border-radius: 0; }
.kind { display: inline-block; padding: 0 .42rem; border-radius: 4px; background: var(--flag-wash); color: var(--flag); font-size: .8rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.bad-text { color: var(--bad); } .warn-text { color: var(--warn); } .soft { color: var(--soft); }
.findings > li { max-width: 60rem; padding: .15rem 0 .15rem 1.1rem; border-left: 3px solid var(--warn); overflow-wrap: anywhere; }
.findings > li + li { margin-top: 1.2rem; }
.findings h4 { display: inline; margin-right: .4rem; font-size: inherit; font-weight: 600; color: var(--warn); } .findings .soft { font-size: .88rem; }
.findings p { margin-top: .1rem; }
.findings details { margin-top: .3rem; font-size: .88rem; color: var(--soft); }
.urls { margin-top: .25rem; font-size: .88rem; }

.endpoint { min-width: 15rem; max-width: 22rem; overflow-wrap: anywhere; }
.endpoint .kind { display: table; margin-bottom: .3rem; }
@media (min-width: 56.01rem) {
  .even { table-layout: fixed; } .even th:nth-child(1) { width: 21%; } .even th:nth-child(2) { width: 25%; } .even th:nth-child(3) { width: 14%; } .even th:nth-child(4) { width: 14%; white-space: normal; } .even th:nth-child(5) { width: 26%; }
}
.endpoint .meaning { margin-top: .35rem; } .todo { min-width: 13rem; }
.changed { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: .6rem; margin-top: .6rem; } .changed .shot figcaption { margin-top: .25rem; font-size: .82rem; } .with-proof { margin-top: 1.6rem; }
.better { --tone: var(--accent); } .unsure { --tone: var(--warn); } .worse { --tone: var(--bad); }
.host { max-width: 52rem; font-size: 1.05rem; font-weight: 550; overflow-wrap: anywhere; } .host > span { color: var(--tone); }
.fair { max-width: 58rem; margin-top: 1rem; } .fair div { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: .2rem 1.5rem; padding: .5rem 0; border-bottom: 1px solid var(--line); } .fair dt { color: var(--soft); } .fair dd { overflow-wrap: anywhere; }
.every-run { margin-top: 1rem; }
.downloads { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1.6rem 3rem; font-size: .93rem; } .downloads ul { margin-top: .4rem; } .downloads li { padding: .15rem 0; overflow-wrap: anywhere; } .downloads small { color: var(--soft); margin-left: .6rem; }
.counted { min-width: 8.5rem; } .counted b { font-weight: 600; }
.together { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 2rem; padding: .8rem 0; border-bottom: 1px solid var(--line); font-size: .93rem; }
.together span:first-child { color: var(--soft); } .together b { font-weight: 600; }
.hint { margin-top: .7rem; max-width: 52rem; color: var(--soft); font-size: .9rem; }
.more { padding: .7rem 0; } .more[open] summary { margin-bottom: .9rem; }
.overruled { margin-top: 2rem; } .part h4 { font-size: .95rem; font-weight: 600; } .overruled h4 { margin-bottom: .9rem; }
.named { white-space: nowrap; } .named small { white-space: normal; } .named small.bad-text { min-width: 14rem; overflow-wrap: anywhere; }
.untimed, .untimed th, .untimed .strong { color: var(--soft); font-weight: 400; }

.body > h4 { margin-top: 2rem; } .body > h4:first-child { margin-top: 0; }
summary { cursor: pointer; color: var(--soft); }
button, select, input { font: inherit; font-size: .86rem; color: var(--ink); }
.keys { margin-top: .5rem; color: var(--soft); font-size: .82rem; }
kbd { font: inherit; padding: 0 .3rem; border: 1px solid var(--line); border-radius: 4px; background: var(--card); }

.foot { margin-top: 5rem; padding-top: 2rem; border-top: 1px solid var(--line); font-size: .9rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: .1rem 2.5rem; margin-top: 1rem; }
.facts div { display: flex; justify-content: space-between; gap: 1rem; padding: .35rem 0; border-bottom: 1px solid var(--hair); }
.facts dt { color: var(--soft); flex: none; } .facts dd { text-align: right; overflow-wrap: anywhere; min-width: 0; }

@media (max-width: 45rem) {
  body { font-size: 16px; }
  .part { margin-top: 2.6rem; }
  .fair div { grid-template-columns: minmax(0, 1fr); }
  .figures { column-gap: 1rem; }
}
@media screen and (max-width: 56rem) {
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked, .stacked tbody, .stacked tr, .stacked th, .stacked td { display: block; width: auto; }
  .stacked tr { padding: .9rem 0; border-bottom: 1px solid var(--line); }
  .stacked tbody tr:first-child { border-top: 1px solid var(--line); }
  .stacked th, .stacked td { padding: .12rem 0; border: 0; }
  .stacked td { display: grid; grid-template-columns: 7.2rem minmax(0, 1fr); gap: .6rem; align-items: baseline; }
  .stacked td::before { content: attr(data-label); color: var(--soft); font: 400 .9rem/1.5 var(--sans); }
  .stacked td small { grid-column: 2; }
  .index tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: .2rem 1rem; } .index th, .index .drawn, .index td:nth-child(2) { grid-column: 1 / -1; } .index .drawn { padding: .3rem 0; } .index .drawn::before, .index .absent, .index .drawn:not(:has(svg)) { display: none; }
  .index td { display: block; } .index td::before { display: block; font-size: .82rem; } .index td:nth-child(2) { display: grid; } .index td:nth-child(2)::before { font-size: .9rem; }
  .num, .named { white-space: normal; } .wide, .some, .endpoint, .counted, .todo, .page-name { min-width: 0; max-width: none; }
}
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); } }
@media (forced-colors: active) { .stack-bar rect { forced-color-adjust: none; } }
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .scroll { overflow: visible; } table { font-size: 8.5pt; } table small, thead th, .kind { font-size: 7.5pt !important; } th, td { padding-right: .6rem; }
  .wide, .some, .endpoint, .counted { min-width: 6rem; } .num { white-space: normal; } .dots { width: 110px; }
  details::details-content { content-visibility: visible; block-size: auto; } .one-of-many { break-before: page; } .keys kbd { border: 0; }
  h2, h3, h4, summary, .lead { break-after: avoid; } .statement { font-size: 18pt; } a[href^="http"] { overflow-wrap: anywhere; }
  .part, tr, .r, .answers { break-inside: avoid; } .part:has(.frame), .part:has(table) { break-inside: auto; }
}
`;

/** The style sheet of every report. */
export const styles = `${base}${breakdownStyles}${filmStyles}${waterfallStyles}${labStyles}`;
