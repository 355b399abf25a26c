/** The look of the waterfall: its tools, head, rows, legend and the panel of a row. */
export const waterfallStyles = `
:root { --crit: #b0401a; --task: #c2571f; }
@media (prefers-color-scheme: dark) { :root { --crit: #ff9f70; --task: #e8884f; } }
.chooser { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin-bottom: .8rem; } .chooser label { margin-right: .2rem; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .55rem 1rem; margin-bottom: .8rem; }
.tools > div, .folds { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem; }
.tools label { color: var(--soft); font-size: .86rem; }
.tools button, .chooser button { min-width: 1.9rem; padding: .2rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; line-height: 1.5; }
.tools button[data-zoom], .tools button[data-turn], .chooser button { padding: .2rem 0; }
.tools button small { color: var(--soft); font-size: .92em; margin-left: .15rem; }
.tools button:hover, .chooser button:hover { border-color: var(--soft); }
.tools button[aria-pressed=true] { background: var(--accent-wash); border-color: var(--accent); color: var(--accent); font-weight: 550; }
.tools button[aria-pressed=true] small { color: inherit; }
.tools button[aria-disabled=true], .chooser button[aria-disabled=true] { color: var(--soft); border-style: dashed; cursor: default; }
.run select, .chooser select, input[type=search] { padding: .25rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); max-width: 100%; }
input[type=search] { width: 16rem; }
input::placeholder { color: var(--soft); opacity: 1; }
.tools .tools-top { width: 100%; align-items: flex-start; justify-content: space-between; gap: .5rem 1rem; flex-wrap: nowrap; } .tools-top > div { display: flex; flex-wrap: wrap; gap: .25rem; }
.told { display: flex; align-items: center; gap: .6rem; white-space: nowrap; } .idle { visibility: hidden; } .more-tools { display: none; }
.shown { color: var(--soft); font-size: .86rem; }

.run { --pad: .8rem; --nw: 17.5rem; --s: 3.6rem; --z: 4.6rem; --t: 4.6rem; --gap: .8rem; --tall: 24px;
  --left: calc(var(--pad) + var(--nw) + var(--s) + var(--z) + var(--t) + var(--gap)); }
.which { margin-bottom: .7rem; font-size: .95rem; font-weight: 550; }
.frame { position: relative; max-height: min(82vh, 60rem); overflow-y: auto; overflow-x: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--card); font-size: .84rem; overflow-anchor: none; }
.grid:focus-visible { outline: none; }
.frame:has(.grid:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.head { position: sticky; top: 0; z-index: 3; background: var(--card); border-bottom: 1px solid var(--line); border-radius: 10px 10px 0 0; }
.head [role=row] { display: grid; grid-template-columns: var(--nw) var(--s) var(--z) var(--t) minmax(0, 1fr); align-items: end; padding: 0 var(--pad); color: var(--soft); font-size: .78rem; }
.head [role=columnheader] { padding-bottom: .3rem; text-align: right; white-space: nowrap; }
.head [role=columnheader]:first-child { text-align: left; } .head [role=columnheader]:last-child { padding: 0; margin-left: var(--gap); text-align: left; }
.head button { padding: 0; border: 0; background: none; font-size: inherit; color: inherit; cursor: pointer; } .head button:hover { color: var(--ink); text-decoration: underline; }
.head [aria-sort=ascending] > button, .head [aria-sort=descending] > button { color: var(--ink); font-weight: 600; }
.head [aria-sort=ascending] > button::before { content: "↑ " / ""; } .head [aria-sort=descending] > button::before { content: "↓ " / ""; }
.timeline { position: relative; display: block; min-width: 0; overflow: hidden; padding-top: .35rem; touch-action: pan-y; }
.live .timeline { cursor: col-resize; }
.head svg { display: block; width: 100%; overflow: visible; font-size: 11.5px; fill: var(--soft); pointer-events: none; }
.labels text { font-weight: 550; stroke: var(--card); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
.picked { position: absolute; top: 0; bottom: 0; background: color-mix(in srgb, var(--accent) 22%, transparent); border: solid var(--accent); border-width: 0 1px; pointer-events: none; }
.mark line { stroke: currentColor; } .mark text { fill: currentColor; }
.mark { color: var(--soft); } .m-load { color: var(--m-load); } .m-dcl { color: var(--m-dcl); } .m-fcp { color: var(--m-fcp); } .m-lcp { color: var(--m-lcp); }
.m-complete { color: var(--accent); } .m-complete line { stroke-width: 2; }
.mark.m-raw { color: var(--flag); } .mark.m-raw line, .legend .m-raw path { stroke-width: 2; stroke-dasharray: 4 3; } .legend .m-raw path { stroke: var(--flag); }
.list { position: relative; } .lines { position: relative; } .live .lines { position: absolute; left: 0; right: 0; } .live .list { overflow: hidden; contain: layout paint style; }
.behind, .links { position: absolute; inset: 0 var(--pad) 0 var(--left); overflow: hidden; pointer-events: none; }
.links { height: 100%; width: calc(100% - var(--left) - var(--pad)); z-index: 1; }
.behind svg { display: block; width: 100%; height: 100%; }
.behind .grid { stroke: var(--hair); } .behind .quiet { fill: var(--quiet); } .behind .mark { opacity: .75; }
.links path { fill: none; stroke: var(--ink); stroke-width: 1.3; stroke-linejoin: round; } .links .asked { stroke: var(--soft); } .links .chain { stroke: var(--crit); stroke-width: 2; }
.r { position: relative; display: grid; grid-template-columns: var(--nw) var(--s) var(--z) var(--t) minmax(0, 1fr); align-items: center; height: var(--tall); padding: 0 var(--pad); overflow: hidden; cursor: default; scroll-margin: 7rem 0 5rem; }
.r:hover, .r.active { background: color-mix(in srgb, var(--accent) 13%, transparent); }
.r.active { box-shadow: inset 2px 0 var(--accent); }
.r i { font-style: normal; text-align: right; white-space: nowrap; color: var(--soft); overflow: hidden; }
.n { display: flex; align-items: center; gap: .45rem; min-width: 0; }
.n span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; unicode-bidi: isolate; direction: ltr; }
.n::before { content: ""; flex: none; width: 7px; height: 7px; border-radius: 2px; background: var(--soft); }
.doc::before { background: var(--b1); } .css::before { background: #a566c9; } .js::before { background: #d8a31a; } .img::before { background: #4aa564; }
.font::before { background: #d0678d; } .xhr::before { background: #2b9bb3; border-radius: 50%; } .stream::before { background: var(--flag); border-radius: 50%; } .media::before { background: #c4693d; }
.n b { flex: none; margin-left: auto; padding: 0 .35rem; border-radius: 4px; background: var(--flag-wash); color: var(--flag); font-size: .74rem; line-height: 1.45; font-weight: 600; }
.n abbr, .diamond { flex: none; color: var(--crit); font-size: .68rem; text-decoration: none; cursor: inherit; } .n abbr { margin-left: auto; } .n abbr ~ b, .n abbr ~ b.ch { margin-left: 0; }
.r.in { padding-left: calc(var(--pad) + 1rem); grid-template-columns: calc(var(--nw) - 1rem) var(--s) var(--z) var(--t) minmax(0, 1fr); }
.r.head-of { cursor: pointer; background: var(--hair); border-top: 1px solid var(--line); } .r.head-of:hover, .r.head-of.active { background: color-mix(in srgb, var(--accent) 16%, var(--hair)); }
.head-of .n span { font-weight: 600; } .head-of .n small, .r.head-of i { color: var(--ink); } .head-of .n small { font-size: .78rem; opacity: .8; }
.head-of .n::before { width: 0; height: 0; border: solid transparent; border-width: 4px 0 4px 6px; border-left-color: var(--ink); border-radius: 0; background: none; } .head-of[aria-expanded=true] .n::before { transform: rotate(90deg); }
.ext path { fill: var(--soft); stroke: var(--soft); }
.r.g { background: var(--flag-wash); } .r.g:hover, .r.g.active { background: color-mix(in srgb, var(--flag) 18%, transparent); }
.r.f .n span, .r.f i { color: var(--bad); }
.r.f .n span { font-weight: 550; }
.r u { position: relative; display: block; height: 20px; margin-left: var(--gap); text-decoration: none; }
.r svg { position: absolute; inset: 0; display: block; width: 100%; height: 20px; }
.why { overflow: visible; font-size: 11px; fill: var(--soft); pointer-events: none; }
.why text { stroke: var(--card); stroke-width: 3px; paint-order: stroke; }
.r s { position: absolute; left: 2px; top: 0; line-height: 20px; font-size: 11px; color: var(--soft); text-decoration: none; white-space: nowrap; } .r s.after { left: auto; right: 2px; }
.p0 { fill: var(--p0); stroke: var(--p0); } .p1 { fill: var(--p1); stroke: var(--p1); } .p2 { fill: var(--p2); stroke: var(--p2); } .p3 { fill: var(--p3); stroke: var(--p3); } .p4 { fill: var(--p4); stroke: var(--p4); } .p5 { fill: var(--p5); stroke: var(--p5); } .p6 { fill: var(--p6); stroke: var(--p6); } .p7 { fill: var(--p7); stroke: var(--p7); }
.r path { vector-effect: non-scaling-stroke; stroke-width: 1; }
.r.f .p6, .r.f .p7, .r.f .p1 { fill: var(--bad); stroke: var(--bad); }
.h { -webkit-mask: var(--hatch); mask: var(--hatch); }
.r path.u, .legend .u { fill: none; stroke: var(--flag); stroke-width: 2; vector-effect: non-scaling-stroke; }
.t { fill: none; stroke: var(--tick); stroke-width: 1.2; }
.f6 { stop-color: var(--p6); } .f7 { stop-color: var(--p7); } .f0 { stop-color: var(--p1); }
.r.o::after { content: ""; position: absolute; right: calc(var(--pad) - 7px); top: 50%; width: 6px; height: 6px; border: solid var(--ink); border-width: 2px 2px 0 0; transform: translateY(-50%) rotate(45deg); }
.none { padding: 2rem; text-align: center; color: var(--soft); } .beyond { padding: .5rem var(--pad); color: var(--soft); border-top: 1px solid var(--hair); }
.tracks { position: sticky; bottom: 0; z-index: 3; padding: .25rem 0; background: var(--card); border-top: 1px solid var(--line); }
.track { display: grid; grid-template-columns: calc(var(--left) - var(--gap)) minmax(0, 1fr); align-items: center; height: 22px; padding-right: var(--pad); color: var(--soft); font-size: .78rem; }
.track > span { padding-left: var(--pad); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .track b { display: inline-block; min-width: 5.4rem; color: var(--ink); font-weight: 550; }
.track svg { display: block; width: auto; min-width: 0; height: 20px; margin-left: var(--gap); width: calc(100% - var(--gap)); border-bottom: 1px solid var(--hair); }
.task { fill: var(--task); stroke: var(--task); vector-effect: non-scaling-stroke; } .wire { fill: var(--p7); }
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

.jump { max-width: 100%; padding: 0; border: 0; background: none; color: var(--accent); font: inherit; text-align: left; text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .18em; overflow-wrap: anywhere; cursor: pointer; unicode-bidi: isolate; }
.asked .jump { margin-right: .5rem; }

@media screen and (min-width: 90rem) {
  .part > .broad { --out: min(15rem, (100vw - 86rem) / 2); width: calc(100% + 2 * var(--out)); margin-left: calc(-1 * var(--out)); }
  .run { --nw: 22rem; }
}
@media (max-width: 64rem) {
  .run { --nw: 14rem; --s: 3.2rem; --z: 0rem; }
  .r > i:nth-of-type(2), .head [role=columnheader]:nth-child(3) { width: 0; visibility: hidden; }
}
@media (max-width: 45rem) {
  .run { --tall: 46px; --left: var(--pad); --gap: 0rem; }
  .frame { max-height: 78vh; }
  .head [role=row] { grid-template-columns: minmax(0, 1fr); } .head [role=columnheader]:not(:last-child) { display: none; }
  .r, .r.in { grid-template-columns: minmax(0, 1fr) auto auto; grid-template-rows: 23px 20px; column-gap: .7rem; padding: 0 var(--pad); border-bottom: 1px solid var(--hair); }
  .r.in .n { padding-left: .7rem; }
  .r > i:nth-of-type(2) { display: none; }
  .r u { grid-row: 2; grid-column: 1 / -1; margin-left: 0; }
  .why { display: none !important; }
  .r.o::after { top: 33px; }
  .behind { opacity: .4; }
  .track { grid-template-columns: minmax(0, 1fr); height: auto; padding: 0 var(--pad) .2rem; } .track > span { padding: 0; }
  .tools .tools-top { flex-wrap: wrap; } .told { width: 100%; justify-content: space-between; } .more-tools { display: block; } .tools:not(.open) > :not(.tools-top), .tools:not(.open) .tools-top > div { display: none; }
  .tools { gap: .6rem; } .tools button, .chooser button { padding: .35rem .6rem; } .tools button[data-zoom], .tools button[data-turn], .chooser button { padding: .35rem 0; min-width: 2.2rem; } input[type=search] { width: 100%; padding: .45rem .6rem; } .chooser select { flex: 1; min-width: 0; }
  .panel { left: .5rem; right: .5rem; bottom: .5rem; width: auto; max-height: 60vh; }
}
@media (prefers-reduced-motion: no-preference) {
  .tools button, .r { transition: background-color .12s, border-color .12s; }
}
@media (forced-colors: active) { .r svg path, .r svg rect, .swatch::before, .n::before, .track path { forced-color-adjust: none; } }
@media print {
  .frame { max-height: none; overflow: visible; } .head, .tracks { position: static; }
  .tools, .chooser, .keys, .panel, .links { display: none !important; }
}
`;
