/** What a trend looks like beyond the report's own style. No colour stands alone: every change has a sign and a word. */
export const trendStyles = `
.worse { --tone: var(--bad); } .better { --tone: var(--accent); } .pending { --tone: var(--warn); }
.t-sign { color: var(--tone); font-weight: 600; white-space: nowrap; } .t-sign span:last-child { font-weight: 500; }
.t-pages td, .t-pages th { vertical-align: middle; } .t-history { min-width: 9rem; }
.t-spark { display: block; width: 100%; height: 28px; } .t-spark path { fill: none; stroke: var(--ink); stroke-width: 1.3; vector-effect: non-scaling-stroke; stroke-linejoin: round; } .t-spark line { stroke: var(--tone); stroke-width: 1.2; vector-effect: non-scaling-stroke; }
.t-page { margin-top: 3.6rem; padding-top: 1.6rem; border-top: 1px solid var(--line); }
.t-page h2 { font-size: 1.34rem; line-height: 1.3; font-weight: 600; letter-spacing: -.015em; overflow-wrap: anywhere; } .t-page h2 a { color: inherit; text-decoration-color: var(--line); }
.t-folded > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1.2rem; } .t-folded > summary::before { content: "▸"; color: var(--soft); font-size: .8rem; } .t-folded[open] > summary::before { content: "▾"; } .t-folded > summary::-webkit-details-marker { display: none; }
.t-page:has(> .t-folded) { margin-top: 0; padding: .8rem 0; } .t-folded:not([open]) h2 { font-size: 1.05rem; }
.t-metric { margin-top: 1.9rem; } .t-metric h3 { font-size: 1.02rem; font-weight: 500; color: var(--soft); } .t-metric h3 b { margin-left: .35rem; color: var(--ink); font-size: 1.34rem; font-weight: 600; letter-spacing: -.02em; } .t-metric h3 small { margin-left: .5rem; font-size: .88rem; }
.t-findings { max-width: 58rem; margin-top: .35rem; } .t-findings li { padding-left: 1.3rem; text-indent: -1.3rem; overflow-wrap: anywhere; } .t-findings li > span { display: inline-block; width: 1rem; text-indent: 0; color: var(--tone, var(--soft)); font-weight: 600; } .t-findings li + li { margin-top: .25rem; }
.t-metric figure { margin-top: .7rem; }
.t-plot { display: grid; grid-template-columns: 62px minmax(0, 1fr); }
.t-plot svg { display: block; overflow: visible; } .t-plot text { font-size: 11.5px; fill: var(--soft); }
.t-grid { stroke: var(--hair); } .t-area { min-width: 0; }
.t-conditions-drawn line { stroke: var(--soft); stroke-dasharray: 2 4; opacity: .8; } .t-conditions-drawn.many line { opacity: .35; } .t-plot .t-conditions-drawn text { font-size: 10.5px; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.t-interval { stroke: var(--accent); stroke-width: 2.4; stroke-linecap: round; opacity: .34; } .t-band { fill: var(--accent); opacity: .17; }
.t-level { stroke: var(--ink); stroke-width: 1.3; opacity: .6; }
.t-dots { fill: none; stroke: var(--accent); stroke-width: 5.4; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.t-dots.dense { stroke-width: 4; }
.t-beyond { fill: var(--warn); }
.t-change line { stroke: var(--tone); stroke-width: 1.5; } .t-change.pending line { stroke-dasharray: 4 3; } .t-plot .t-change text { fill: var(--tone); font-size: 12.5px; font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.t-hit { fill: var(--ink); opacity: 0; } .t-hit:hover { opacity: .07; }
.t-hash { font-family: var(--mono); } .t-plot .t-hash { font-size: 10.5px; }
.t-known { margin-top: 1.4rem; } .t-known h3 { font-size: .95rem; font-weight: 600; }
.t-conditions { margin-top: .3rem; font-size: .93rem; } .t-conditions li { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: .2rem 1rem; padding: .25rem 0; overflow-wrap: anywhere; } .t-conditions li > span:first-child { color: var(--soft); } .t-conditions b { margin-right: .4rem; font-weight: 600; }
.t-values { width: auto; min-width: 44rem; } .t-values th, .t-values td { padding-top: .35rem; padding-bottom: .35rem; padding-right: 2rem; } .t-values tbody th { font-weight: 400; white-space: nowrap; } .t-values small { display: inline; margin-left: .45rem; white-space: nowrap; }
.t-skipped { margin-top: 3rem; overflow-wrap: anywhere; } .t-skipped li { padding: .15rem 0; }
@media (max-width: 45rem) { .t-figure, .t-time .between, .t-conditions-drawn text { display: none; } .t-dots { stroke-width: 4.4; } .t-dots.dense { stroke-width: 2.6; } .t-conditions li { grid-template-columns: minmax(0, 1fr); gap: 0; } .t-plot { grid-template-columns: 56px minmax(0, 1fr); } }
@media (forced-colors: active) { .t-plot *, .t-spark * { forced-color-adjust: none; } }
@media print { .t-metric { break-inside: avoid; } .t-hit { display: none; } }
`;
