/** The look of the waterfall: its tools, head, rows, legend and the panel of a row. */
export const waterfallStyles = `
.chooser { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; margin-bottom: .8rem; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1rem; margin-bottom: .8rem; }
.tools > div { display: flex; flex-wrap: wrap; gap: .25rem; }
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

@media (max-width: 64rem) {
  .run { --n: minmax(0, 14rem); --nw: 14rem; --s: 3.2rem; --z: 0rem; }
  .r > i:nth-of-type(2), .head .names span:nth-child(3) { width: 0; visibility: hidden; }
}
@media (max-width: 45rem) {
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
@media (prefers-reduced-motion: no-preference) {
  .tools button, .r { transition: background-color .12s, border-color .12s; }
}
@media (forced-colors: active) { .r svg path, .r svg rect, .swatch::before, .n::before { forced-color-adjust: none; } }
@media print {
  .frame { max-height: none; overflow: visible; } .head { position: static; } .many .block { content-visibility: visible; }
  .tools, .chooser, .keys, .panel { display: none !important; }
}
`;
