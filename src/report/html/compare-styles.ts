/** What a comparison looks like beyond the report's own style. What is better is never red, and no colour stands alone. */
export const compareStyles = `
:root { --of-base: #59616a; --of-candidate: #1d5fb0; --band: #dfe8e4; }
@media (prefers-color-scheme: dark) { :root { --of-base: #a5adb4; --of-candidate: #86b8f5; --band: #26332f; } }
.invalid { --tone: var(--bad); } .slight { --tone: var(--warn); } .same, .distrusted .change, .distrusted .interval { --tone: var(--soft); }

.builds { display: grid; gap: .35rem; font-size: .95rem; }
.builds > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: .6rem; }
.builds dt { color: var(--soft); white-space: nowrap; } .builds dd { min-width: 0; overflow-wrap: anywhere; color: var(--soft); } .builds b { font-weight: 600; color: var(--ink); } .builds small { font-size: .9em; } .builds small::before { content: "· "; }
.sign { width: 12px; height: 12px; margin-right: .45rem; vertical-align: -1px; }
circle.of-base, .sign.of-base circle { fill: var(--card); stroke: var(--of-base); stroke-width: 1.7; }
rect.of-candidate, .sign.of-candidate rect { fill: var(--of-candidate); }
.differences { margin-top: 1.6rem; } .differences ul { margin-top: .4rem; list-style: disc; padding-left: 1.2rem; }
.verdict { display: inline-block; margin-top: 1.7rem; padding: .2rem .8rem; border: 1.5px solid var(--tone); border-radius: 99px; color: var(--tone); font-weight: 600; } .verdict small { font-size: .92em; font-weight: 500; }
.verdict + .statement { margin-top: .8rem; }
.statement + .notice { margin-top: -.8rem; }
.answer.change .big { font-size: clamp(2.3rem, 6vw, 3.6rem); color: var(--tone); } .answer.change.unsure .big { font-size: clamp(1.5rem, 4.4vw, 2.3rem); } .answer.change.same .big { color: var(--ink); }
.answer.change .badge { margin-top: .5rem; }
.badge { display: inline-block; color: var(--tone); font-weight: 600; }

.gate { padding: 1.3rem 1.4rem 1.2rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); } .gate + .gate { margin-top: 1.1rem; }
.gate header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1.5rem; } .gate h4 { font-size: 1.05rem; }
.gate .sentence { max-width: 52rem; margin-top: .2rem; color: var(--soft); overflow-wrap: anywhere; }
.gate-body { display: grid; grid-template-columns: minmax(0, 25rem) minmax(0, 1fr); gap: 1.4rem 2.6rem; margin-top: 1.2rem; align-items: start; }
.interval { display: block; width: 100%; overflow: visible; }
.interval.small { width: 9.5rem; margin-left: .4rem; }
.band { fill: var(--band); } .zero { stroke: var(--soft); stroke-dasharray: 2 2; }
.bar, .arrow path { fill: var(--tone); } .bar { opacity: .55; } path.bar { opacity: 1; }
.estimate { fill: var(--tone); stroke: var(--card); stroke-width: 2; }
.ticks text { font-size: 11.5px; fill: var(--soft); }
.medians { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .55rem 1.2rem; margin-top: .9rem; } .medians dt { color: var(--soft); font-size: .84rem; } .medians dd { font-weight: 600; overflow-wrap: anywhere; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .6rem; }
.plot .axis { display: flex; flex-direction: column; justify-content: space-between; min-width: 3.2rem; text-align: right; color: var(--soft); font-size: .78rem; line-height: 1; }
.loads { display: block; width: 100%; overflow: visible; border-left: 1px solid var(--line); border-bottom: 1px solid var(--line); } .loads.small { width: 11rem; border: 0; }
.block-band { fill: var(--hair); opacity: .6; } .gone-band { fill: var(--warn-wash); }
.loads .median { stroke-width: 1.4; } .median.of-base { stroke: var(--of-base); stroke-dasharray: 5 4; } .median.of-candidate { stroke: var(--of-candidate); }
svg.load.of-base { fill: var(--of-base); } svg.load.of-candidate { fill: var(--of-candidate); }
.loads.small circle { stroke-width: 1.2; } .load.out { opacity: .35; }
.strip figcaption { margin-top: .5rem; color: var(--soft); font-size: .82rem; }
.legend .sign { width: 12px; height: 12px; margin: 0; } .legend .interval { width: 22px; }

.compared td { vertical-align: middle; } .compared th { vertical-align: middle; }
.change-cell { white-space: nowrap; } .change-cell b { font-weight: 600; } .decided { white-space: nowrap; }
.ch { display: inline-block; padding: 0 .42rem; border: 1px solid currentColor; border-radius: 4px; font-size: .78rem; font-weight: 600; line-height: 1.45; color: var(--of-candidate); white-space: nowrap; } .ch.c-gone { color: var(--soft); } .ch.c-grown { color: var(--warn); } .ch.c-shrunk { color: var(--accent); }
.n b.ch { margin-left: auto; background: var(--card); color: var(--of-candidate); border: 1px solid currentColor; line-height: 1.3; } .n b.ch.c-gone { color: var(--soft); } .n b.ch.c-grown { color: var(--warn); } .n b.ch.c-shrunk { color: var(--accent); } .n b.ch + b { margin-left: 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1.6rem 3rem; margin-top: 1.8rem; } .columns + h4 { margin-top: 1.8rem; }
.bytes > div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .8rem; padding: .4rem 0; font-size: .93rem; } .bytes dt { color: var(--soft); } .bytes svg { display: block; width: 100%; margin-top: .3rem; } .bytes rect.of-base { fill: var(--of-base); } .bytes span { font-size: .88rem; color: var(--soft); }
.hosts li { padding: .3rem 0; overflow-wrap: anywhere; }
h4 + .findings, h4 + .bytes, h4 + .hosts { margin-top: .6rem; }
.findings > li.settled { border-color: var(--line); } .findings > li.settled h4 { color: var(--soft); }
.waterfall + .waterfall { margin-top: 1.6rem; }
.order { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-family: var(--mono); font-size: .88rem; } .order small { color: var(--soft); } .order .out { text-decoration: line-through; color: var(--soft); }
@media (max-width: 64rem) { .gate-body { grid-template-columns: minmax(0, 1fr); } }
@media screen and (max-width: 56rem) { .interval.small, .loads.small { width: 100%; margin: 0; } }
@media (max-width: 45rem) { .builds > div { grid-template-columns: minmax(0, 1fr); gap: 0; } .gate { padding: 1rem; } .bytes > div { grid-template-columns: 5rem minmax(0, 1fr); } .n b.ch { line-height: 1.2; } }
@media (forced-colors: active) { .interval *, .loads *, .sign * { forced-color-adjust: none; } }
@media print { .gate { break-inside: avoid; } .gate-body { grid-template-columns: 18rem minmax(0, 1fr); } .loads.small { width: 7rem; } .interval.small { width: 6.5rem; } }
`;
