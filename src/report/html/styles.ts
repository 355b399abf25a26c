/**
 * The look of the report. Colours are custom properties, set once for light and once for dark; every text colour keeps
 * 4.5:1 against every ground it stands on. No `style` attributes anywhere: the policy in the head forbids them.
 */
export const styles = `
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
.notice ul { overflow-wrap: anywhere; } .notice.missing { margin: 1.6rem 0 0; } .notice.missing p + p { margin-top: .35rem; } .notice.missing ul + p { margin-top: .5rem; } .notice.missing li { margin-top: .15rem; padding-left: 1.1rem; text-indent: -1.1rem; } .notice.missing li::before { content: "–"; display: inline-block; width: 1.1rem; text-indent: 0; }
.contents { margin: .5rem 0 3rem; border-top: 1px solid var(--line); }
.contents a { display: flex; justify-content: space-between; gap: 2rem; padding: .7rem 0; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none; }
.contents a:hover > span:first-child { text-decoration: underline; }
.contents a > span:first-child { min-width: 0; overflow-wrap: anywhere; } .contents small { display: block; color: var(--soft); font-size: .84rem; }
.contents a > span:last-child { white-space: nowrap; font-weight: 600; }

.target + .target { margin-top: 5rem; padding-top: 2rem; border-top: 1px solid var(--line); }
.subject { color: var(--soft); font-size: .95rem; overflow-wrap: anywhere; }
.subject b { color: var(--ink); font-weight: 600; } .subject .file { display: block; }
.statement { max-width: 46rem; margin: .9rem 0 2.2rem; font-size: clamp(1.45rem, 3.4vw, 2.15rem); line-height: 1.25; font-weight: 550; letter-spacing: -.018em; text-wrap: balance; overflow-wrap: anywhere; }
.statement.long { font-size: clamp(1.15rem, 2.4vw, 1.4rem); line-height: 1.4; max-width: 56rem; letter-spacing: -.008em; }
.answers { --line-height: calc(clamp(2.9rem, 8vw, 4.6rem) * 1.1); display: flex; flex-wrap: wrap; gap: 1.6rem clamp(2rem, 7vw, 6rem); align-items: flex-start; padding: 1.6rem 0 1.8rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.answer dt { color: var(--soft); font-size: .9rem; }
.answer .big { display: block; font-size: clamp(2.9rem, 8vw, 4.6rem); line-height: var(--line-height); font-weight: 600; letter-spacing: -.045em; white-space: nowrap; }
.answer .big small { font-size: .45em; font-weight: 500; letter-spacing: -.01em; color: var(--soft); margin-left: .14em; }
.answer.ours .big { color: var(--accent); }
.answer.unsure .big { color: var(--warn); font-size: clamp(1.9rem, 5vw, 2.9rem); }
.answer.plain .big { font-size: clamp(1.9rem, 5vw, 2.9rem); font-weight: 450; color: var(--soft); }
.answer .under { display: block; margin-top: .3rem; color: var(--soft); font-size: .9rem; max-width: 26rem; overflow-wrap: anywhere; }
.notes { margin-top: 1.4rem; max-width: 52rem; color: var(--soft); }
.notes li { position: relative; padding-left: 1.1rem; overflow-wrap: anywhere; }
.notes li::before { content: ""; position: absolute; left: 0; top: .68em; width: .45rem; height: 1px; background: currentColor; }
.notes li + li { margin-top: .3rem; }

.part { margin-top: 3.4rem; }
.part > h3, .foot h2 { font-size: 1.16rem; line-height: 1.3; font-weight: 600; letter-spacing: -.012em; }
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
.bad-text { color: var(--bad); } .soft { color: var(--soft); }
.findings > li { max-width: 60rem; padding: .15rem 0 .15rem 1.1rem; border-left: 3px solid var(--warn); overflow-wrap: anywhere; }
.findings > li + li { margin-top: 1.2rem; }
.findings h4 { display: inline; margin-right: .4rem; font-size: inherit; font-weight: 600; color: var(--warn); } .findings .soft { font-size: .88rem; }
.findings p { margin-top: .1rem; }
.findings details { margin-top: .3rem; font-size: .88rem; color: var(--soft); }
.urls { margin-top: .25rem; font-size: .88rem; }

.endpoint { min-width: 15rem; max-width: 22rem; overflow-wrap: anywhere; }
.endpoint .kind { display: table; margin-bottom: .3rem; }
@media (min-width: 56.01rem) {
  .even { table-layout: fixed; } .even th:nth-child(1) { width: 21%; } .even th:nth-child(2) { width: 29%; } .even th:nth-child(3) { width: 16%; } .even th:nth-child(4) { width: 18%; } .even th:nth-child(5) { width: 16%; white-space: normal; }
}
.counted { min-width: 8.5rem; } .counted b { font-weight: 600; }
.together { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 2rem; padding: .8rem 0; border-bottom: 1px solid var(--line); font-size: .93rem; }
.together span:first-child { color: var(--soft); } .together b { font-weight: 600; }
.more { padding: .7rem 0; } .more[open] summary { margin-bottom: .9rem; }
.overruled { margin-top: 2rem; } .part h4 { font-size: .95rem; font-weight: 600; } .overruled h4 { margin-bottom: .9rem; }
.named { white-space: nowrap; } .named small { white-space: normal; } .named small.bad-text { min-width: 14rem; overflow-wrap: anywhere; }
.untimed, .untimed th, .untimed .strong { color: var(--soft); font-weight: 400; }

.proof { border: 1px solid var(--line); border-radius: 10px; background: var(--card); padding: 1.3rem 1.4rem 1.2rem; }
.proof .sentence { max-width: 54rem; font-size: 1.12rem; line-height: 1.45; font-weight: 550; letter-spacing: -.006em; overflow-wrap: anywhere; }
.proof .sentence::before { content: ""; display: inline-block; width: .62rem; height: .62rem; margin-right: .6rem; border-radius: 50%; background: var(--accent); }
.proof.differs .sentence::before { background: var(--warn); clip-path: polygon(50% 0, 100% 100%, 0 100%); border-radius: 0; }
.pictures { display: grid; gap: 1.4rem 1.2rem; margin: 1.1rem 0 0; padding: 0; list-style: none; align-items: start; }
.trio { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.film { grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); }
.shot .picture { display: block; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: #fff; }
.shot a.picture { cursor: zoom-in; } .shot a.picture:hover { border-color: var(--accent); }
.shot img { display: block; width: auto; max-width: 100%; height: auto; max-height: 24rem; }
.shot figcaption { margin-top: .5rem; font-size: .88rem; line-height: 1.4; overflow-wrap: anywhere; }
.shot figcaption b { font-weight: 600; } .shot figcaption span { display: block; color: var(--soft); }
.no-picture { padding: 1.4rem 1rem; border: 1px dashed var(--line); border-radius: 6px; font-size: .88rem; color: var(--soft); overflow-wrap: anywhere; }
.held { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: 1.2rem; padding-top: .9rem; border-top: 1px solid var(--line); font-size: .93rem; }
.held h4 { font-size: inherit; font-weight: 400; color: var(--soft); } .held ul { min-width: 0; overflow-wrap: anywhere; }
.body > h4 { margin-top: 2rem; } .body > h4:first-child { margin-top: 0; }
.viewer { width: min(62rem, calc(100vw - 2rem)); max-width: none; max-height: calc(100vh - 2rem); padding: 0; border: 0; border-radius: 10px; background: var(--raised); color: var(--ink); }
.viewer::backdrop { background: rgb(0 0 0 / .72); }
.viewer img { display: block; width: 100%; height: auto; max-height: calc(100vh - 8rem); object-fit: contain; background: #fff; }
.viewer-bar { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .5rem; padding: .6rem .8rem; }
.viewer-words { flex: 1; min-width: 9rem; padding: 0 .4rem; font-size: .9rem; line-height: 1.4; overflow-wrap: anywhere; } .viewer-words b { margin-right: .6rem; font-weight: 600; } .viewer-words span { color: var(--soft); }
.viewer-bar a { font-size: .88rem; }
.viewer button { min-width: 2.2rem; height: 2.2rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; line-height: 1; }
.viewer button:hover { border-color: var(--soft); }
summary { cursor: pointer; color: var(--soft); }

.chooser { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin-bottom: .8rem; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; margin-bottom: .8rem; }
.tools > div { display: flex; flex-wrap: wrap; gap: .25rem; }
button, select, input { font: inherit; font-size: .86rem; color: var(--ink); }
.tools button { padding: .2rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; line-height: 1.5; }
.tools button small { color: var(--soft); font-size: .92em; margin-left: .15rem; }
.tools button:hover { border-color: var(--soft); }
.tools button[aria-pressed=true] { background: var(--accent-wash); border-color: var(--accent); color: var(--accent); font-weight: 550; }
.tools button[aria-pressed=true] small { color: inherit; }
select, input[type=search] { padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); max-width: 100%; }
input[type=search] { width: 14rem; }
input::placeholder { color: var(--soft); opacity: 1; }
.shown { color: var(--soft); font-size: .86rem; margin-left: auto; }

.run { --pad: .8rem; --n: minmax(0, 17.5rem); --nw: 17.5rem; --s: 3.6rem; --z: 4.6rem; --t: 4.6rem; --gap: .8rem; --zoom: 1; --rows: 40; --tall: 24px;
  --left: calc(var(--pad) + var(--nw) + var(--s) + var(--z) + var(--t) + var(--gap)); }
.run + .run, noscript .run { margin-top: 2rem; }
.which { margin-bottom: .7rem; font-size: .95rem; font-weight: 550; }
.frame { position: relative; max-height: min(82vh, 60rem); overflow-y: auto; overflow-x: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--card); font-size: .84rem; }
.head { position: sticky; top: 0; z-index: 3; display: flex; background: var(--card); border-bottom: 1px solid var(--line); border-radius: 10px 10px 0 0; }
.head .names { display: grid; grid-template-columns: var(--nw) var(--s) var(--z) var(--t); flex: none; width: var(--left); padding-left: var(--pad); align-items: end; padding-bottom: .3rem; color: var(--soft); font-size: .78rem; }
.head .names span:not(:first-child) { text-align: right; }
.head .scale { position: relative; flex: 1; min-width: 0; margin-right: var(--pad); overflow: hidden; padding-top: .35rem; }
.head svg { display: block; width: calc(100% * var(--zoom)); overflow: visible; font-size: 11.5px; fill: var(--soft); }
.labels text { font-weight: 550; stroke: var(--card); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
.gone { visibility: hidden; }
.mark line { stroke: currentColor; } .mark text { fill: currentColor; }
.mark { color: var(--soft); } .m-load { color: var(--m-load); } .m-dcl { color: var(--m-dcl); } .m-fcp { color: var(--m-fcp); } .m-lcp { color: var(--m-lcp); }
.m-complete { color: var(--accent); } .m-complete line { stroke-width: 2; }
.area { position: relative; overflow: clip; }
.behind { position: absolute; inset: 0 var(--pad) 0 var(--left); overflow: hidden; pointer-events: none; }
.behind svg { display: block; width: calc(100% * var(--zoom)); height: 100%; }
.behind .grid { stroke: var(--hair); } .behind .quiet { fill: var(--quiet); } .behind .mark { opacity: .75; }
.list:focus-visible { outline: none; }
.frame:has(.list:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.many .block { content-visibility: auto; height: calc(var(--rows) * var(--tall)); }
.many .block:last-child:not([style]) { content-visibility: visible; height: auto; }
.r { position: relative; display: grid; grid-template-columns: var(--n) var(--s) var(--z) var(--t) minmax(0, 1fr); align-items: center; height: var(--tall); padding: 0 var(--pad); overflow: hidden; cursor: default; scroll-margin: 7rem 0 1rem; }
.r:hover, .r.active { background: color-mix(in srgb, var(--accent) 13%, transparent); }
.r.active { box-shadow: inset 2px 0 var(--accent); }
.r i { font-style: normal; text-align: right; white-space: nowrap; color: var(--soft); overflow: hidden; }
.n { display: flex; align-items: center; gap: .45rem; min-width: 0; }
.n span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; unicode-bidi: isolate; direction: ltr; }
.n::before { content: ""; flex: none; width: 7px; height: 7px; border-radius: 2px; background: var(--soft); }
.doc::before { background: var(--b1); } .css::before { background: #a566c9; } .js::before { background: #d8a31a; } .img::before { background: #4aa564; }
.font::before { background: #d0678d; } .xhr::before { background: #2b9bb3; border-radius: 50%; } .stream::before { background: var(--flag); border-radius: 50%; } .media::before { background: #c4693d; }
.n b { flex: none; margin-left: auto; padding: 0 .35rem; border-radius: 4px; background: var(--flag-wash); color: var(--flag); font-size: .74rem; line-height: 1.45; font-weight: 600; }
.r.g { background: var(--flag-wash); } .r.g:hover, .r.g.active { background: color-mix(in srgb, var(--flag) 18%, transparent); }
.r.f .n span, .r.f i { color: var(--bad); }
.r.f .n span { font-weight: 550; }
.r svg { grid-column: 5; grid-row: 1; height: 20px; width: calc(100% * var(--zoom)); margin-left: var(--gap); display: block; }
.r > svg { width: calc((100% - var(--gap)) * var(--zoom)); }
.why { overflow: visible; font-size: 11px; fill: var(--soft); pointer-events: none; }
.why text { stroke: var(--card); stroke-width: 3px; paint-order: stroke; }
.near .at-all, .run:not(.near) .at-near, .run:not(.near) .r > u { display: none; }
.r > u { position: absolute; right: calc(var(--pad) + 2px); top: 0; line-height: var(--tall); font-size: 11px; color: var(--soft); text-decoration: none; white-space: nowrap; }
.p0 { fill: var(--p0); stroke: var(--p0); } .p1 { fill: var(--p1); stroke: var(--p1); } .p2 { fill: var(--p2); stroke: var(--p2); } .p3 { fill: var(--p3); stroke: var(--p3); } .p4 { fill: var(--p4); stroke: var(--p4); } .p5 { fill: var(--p5); stroke: var(--p5); } .p6 { fill: var(--p6); stroke: var(--p6); } .p7 { fill: var(--p7); stroke: var(--p7); }
.r path { vector-effect: non-scaling-stroke; stroke-width: 1; }
.r.f .p6, .r.f .p7, .r.f .p1 { fill: var(--bad); stroke: var(--bad); }
.h { -webkit-mask: var(--hatch); mask: var(--hatch); }
.r path.u, .legend .u { fill: none; stroke: var(--flag); stroke-width: 2; vector-effect: non-scaling-stroke; }
.t { fill: none; stroke: var(--tick); stroke-width: 1.2; }
.f6 { stop-color: var(--p6); } .f7 { stop-color: var(--p7); } .f0 { stop-color: var(--p1); }
.r.o::after { content: ""; position: absolute; right: calc(var(--pad) - 7px); top: 50%; width: 6px; height: 6px; border: solid var(--ink); border-width: 2px 2px 0 0; transform: translateY(-50%) rotate(45deg); }
.none { padding: 2rem; text-align: center; color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin-top: .8rem; color: var(--soft); font-size: .82rem; }
.legend li { display: inline-flex; align-items: center; gap: .4rem; }
.legend svg { width: 22px; height: 14px; }
.keys { margin-top: .5rem; color: var(--soft); font-size: .82rem; }
kbd { font: inherit; padding: 0 .3rem; border: 1px solid var(--line); border-radius: 4px; background: var(--card); }

.panel { position: fixed; z-index: 10; width: 27rem; max-width: calc(100vw - 1rem); max-height: min(70vh, 34rem); overflow-y: auto; padding: .9rem 1.1rem 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); box-shadow: 0 1px 2px rgb(0 0 0 / .08), 0 12px 40px rgb(0 0 0 / .18); font-size: .85rem; pointer-events: none; }
.panel.pinned { pointer-events: auto; border-color: var(--accent); }
.panel-close { display: none; float: right; width: 1.8rem; height: 1.8rem; margin: -.3rem -.5rem 0 .5rem; border: 0; border-radius: 6px; background: none; font-size: 1.2rem; line-height: 1; color: var(--soft); cursor: pointer; }
.panel.pinned .panel-close { display: block; }
.panel-head { max-height: 7.5rem; overflow-y: auto; overflow-wrap: anywhere; line-height: 1.4; }
.panel-head b { font-weight: 600; } .panel-url { unicode-bidi: isolate; }
.panel.bad .panel-head b { color: var(--bad); }
.panel-because { margin-top: .5rem; overflow-wrap: anywhere; }
.panel dl { margin-top: .7rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.panel dl div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .6rem; line-height: 1.6; }
.panel dt { color: var(--soft); } .panel dd { overflow-wrap: anywhere; }
.swatch::before { content: ""; display: inline-block; width: .6rem; height: .6rem; margin-right: .45rem; border-radius: 2px; background: var(--p1); }
.s0::before { background: var(--p0); } .s1::before { background: var(--p1); } .s2::before { background: var(--p2); } .s3::before { background: var(--p3); }
.s4::before { background: var(--p4); } .s5::before { background: var(--p5); } .s6::before { background: var(--p6); } .s7::before { background: var(--p7); }

.foot { margin-top: 5rem; padding-top: 2rem; border-top: 1px solid var(--line); font-size: .9rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: .1rem 2.5rem; margin-top: 1rem; }
.facts div { display: flex; justify-content: space-between; gap: 1rem; padding: .35rem 0; border-bottom: 1px solid var(--hair); }
.facts dt { color: var(--soft); flex: none; } .facts dd { text-align: right; overflow-wrap: anywhere; min-width: 0; }

@media (max-width: 64rem) {
  .run { --n: minmax(0, 14rem); --nw: 14rem; --s: 3.2rem; --z: 0rem; }
  .r > i:nth-of-type(2), .head .names span:nth-child(3) { width: 0; visibility: hidden; }
}
@media (max-width: 45rem) {
  body { font-size: 16px; }
  .part { margin-top: 2.6rem; }
  .run { --tall: 46px; --left: var(--pad); --gap: 0rem; }
  .frame { max-height: 78vh; }
  .head .names { display: none; }
  .head .scale { margin-left: var(--pad); }
  .r { grid-template-columns: minmax(0, 1fr) auto auto; grid-template-rows: 23px 20px; column-gap: .7rem; border-bottom: 1px solid var(--hair); }
  .r > i:nth-of-type(2) { display: none; }
  .r svg { grid-row: 2; grid-column: 1 / -1; }
  .why { display: none !important; }
  .r.o::after { top: 33px; }
  .behind { opacity: .4; }
  .shown { margin-left: 0; width: 100%; }
  .tools { gap: .6rem; } .tools button { padding: .35rem .6rem; } input[type=search] { width: 100%; padding: .45rem .6rem; }
  .panel { left: .5rem; right: .5rem; bottom: .5rem; width: auto; max-height: 60vh; }
  .r > u { top: 23px; line-height: 20px; }
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
  .num, .named { white-space: normal; } .wide, .some, .endpoint, .counted { min-width: 0; max-width: none; }
}
@media (prefers-reduced-motion: no-preference) {
  .tools button, .r { transition: background-color .12s, border-color .12s; }
}
@media (prefers-contrast: more) { :root { --soft: var(--ink); --line: var(--ink); } }
@media (forced-colors: active) { .stack-bar rect, .r svg path, .r svg rect, .swatch::before, .n::before { forced-color-adjust: none; } }
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .frame { max-height: none; overflow: visible; } .head { position: static; } .many .block { content-visibility: visible; }
  .tools, .chooser, .keys, .panel { display: none !important; }
  .scroll { overflow: visible; } table { font-size: 8.5pt; } table small { font-size: 7.5pt !important; } th, td { padding-right: .6rem; }
  .viewer { display: none; } .shot, .proof { break-inside: avoid; }
  .wide, .some, .endpoint, .counted { min-width: 6rem; } .num { white-space: normal; } .dots { width: 110px; }
  .part, tr, .r, .answers { break-inside: avoid; } .part:has(.frame), .part:has(table) { break-inside: auto; }
}
`;
