/** The look of what was seen: filmstrip, curve of visual progress, proof, and the viewer that enlarges pictures. */
export const filmStyles = `
.proof { border: 1px solid var(--line); border-radius: 10px; background: var(--card); padding: 1.3rem 1.4rem 1.2rem; }
.proof .sentence { max-width: 54rem; font-size: 1.12rem; line-height: 1.45; font-weight: 550; letter-spacing: -.006em; overflow-wrap: anywhere; }
.proof .sentence::before { content: ""; display: inline-block; width: .62rem; height: .62rem; margin-right: .6rem; border-radius: 50%; background: var(--accent); }
.proof.differs .sentence::before { background: var(--warn); clip-path: polygon(50% 0, 100% 100%, 0 100%); border-radius: 0; }
.film + .proof, .film + .soft { margin-top: 2rem; }
.pictures { display: grid; gap: 1.4rem 1.2rem; margin: 1.1rem 0 0; padding: 0; list-style: none; align-items: start; }
.trio { grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.shot .picture { display: block; width: fit-content; max-width: 100%; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; background: #fff; }
.shot a.picture { cursor: zoom-in; } .shot a.picture:hover { border-color: var(--accent); }
.shot .picture svg { display: block; width: auto; max-width: 100%; height: auto; max-height: 24rem; }
.shot figcaption { margin-top: .5rem; font-size: .88rem; line-height: 1.4; overflow-wrap: anywhere; }
.shot figcaption b { font-weight: 600; } .shot figcaption span { display: block; color: var(--soft); } .shot figcaption .when b { color: var(--ink); }
.no-picture { padding: 1.4rem 1rem; border: 1px dashed var(--line); border-radius: 6px; font-size: .88rem; color: var(--soft); overflow-wrap: anywhere; }

.strip { grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 0; align-items: stretch; }
.strip > li { min-width: 0; padding-right: .55rem; }
.strip .shot { display: flex; flex-direction: column; height: 100%; }
.strip .shot .picture { max-width: min(100%, 17rem); border-radius: 4px; } .strip .shot .picture svg { max-height: 16rem; }
.strip .no-picture { padding: .6rem; font-size: .78rem; }
.shot figcaption .when { display: flex; flex-wrap: wrap; gap: 0 .5rem; } .when small { font-size: .94em; color: var(--soft); }
.shot figcaption .moment { position: relative; padding-left: .75rem; color: var(--ink); } .moment small { color: var(--soft); white-space: nowrap; }
.moment::before { content: ""; position: absolute; left: 0; top: .46em; width: .42rem; height: .42rem; background: var(--accent); clip-path: polygon(0 0, 100% 50%, 0 100%); }
.strip figcaption { order: -1; flex: 1; display: flex; flex-direction: column; justify-content: flex-end; gap: .1rem; margin: 0 0 .45rem; font-size: .82rem; line-height: 1.3; }
.shot figcaption .moment { display: -webkit-box; -webkit-line-clamp: 5; -webkit-box-orient: vertical; overflow: hidden; } .strip .moment { order: -1; }
.leads { display: block; } .leads path { fill: none; stroke: var(--soft); opacity: .6; vector-effect: non-scaling-stroke; }
.curve { display: block; overflow: visible; font-size: 11.5px; }
.curve .scale line { stroke: var(--hair); } .curve .scale .ground { stroke: var(--line); } .curve .scale text, .curve .shares text { fill: var(--soft); } .curve .shares text { stroke: var(--paper); stroke-width: 3px; paint-order: stroke; stroke-linejoin: round; }
.curve .later { fill: var(--hair); opacity: .75; }
.curve .labels line { stroke: currentColor; stroke-width: 1; } .curve .labels text { fill: currentColor; font-weight: 550; stroke: var(--paper); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
.curve .m-plain { color: var(--soft); } .curve line.m-plain { stroke-dasharray: 3 3; } .curve line.m-load { stroke-dasharray: 7 3; } .curve line.m-lcp { stroke-dasharray: 1.5 2.5; } .curve line.m-complete { stroke-width: 2; }
.progress path { vector-effect: non-scaling-stroke; } .progress .over { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; } .progress .under { fill: var(--accent); opacity: .13; }
.split.seen { margin-bottom: 0; max-width: 50rem; }
.progress.of-base .over { stroke: var(--of-base); stroke-dasharray: 5 4; } .progress.of-candidate .over { stroke: var(--of-candidate); }
.curve .of-base { color: var(--of-base); } .curve .of-candidate { color: var(--of-candidate); } .curve line.of-base { stroke-dasharray: 5 4; stroke-width: 1; } .curve line.of-candidate { stroke-dasharray: none; stroke-width: 1; }
.curve-keys { margin-top: .6rem; color: var(--soft); font-size: .82rem; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; } .curve-keys span { max-width: 100%; } .curve-keys svg { width: 26px; height: 10px; margin-right: .4rem; }

.steps table.pictures { display: table; table-layout: fixed; min-width: 52rem; margin: 0 0 1rem; font-size: .82rem; }
.steps th, .steps td { padding: .35rem .5rem .35rem 0; border: 0; vertical-align: top; } .steps thead th { padding-bottom: 0; color: var(--ink); font-weight: 600; } .steps tbody tr + tr > * { padding-top: .6rem; }
.steps thead td, .steps th[scope=row] { width: 7.2rem; } .steps small { display: inline; } .steps th[scope=row] { font-weight: 550; color: var(--ink); font-size: .88rem; white-space: nowrap; }
.steps .shot .picture { max-width: min(100%, 15rem); border-radius: 4px; } .steps .shot .picture svg { max-height: 13rem; } .steps th[scope=row] { padding-right: .3rem; } .steps .shot figcaption { display: flex; flex-direction: column; margin-top: .3rem; font-size: inherit; line-height: 1.3; }
.steps .fresh .picture { box-shadow: 0 0 0 1px var(--soft); border-color: var(--soft); } .steps .before .picture svg { opacity: .5; } .steps .nothing { color: var(--soft); }

.held { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin-top: 1.2rem; padding-top: .9rem; border-top: 1px solid var(--line); font-size: .93rem; }
.held h4 { font-size: inherit; font-weight: 400; color: var(--soft); } .held ul { min-width: 0; overflow-wrap: anywhere; }
.viewer { width: min(62rem, calc(100vw - 2rem)); max-width: none; max-height: calc(100vh - 2rem); padding: 0; border: 0; border-radius: 10px; background: var(--raised); color: var(--ink); }
.viewer::backdrop { background: rgb(0 0 0 / .72); }
.viewer img { display: block; width: 100%; height: auto; max-height: calc(100vh - 8rem); object-fit: contain; background: #fff; }
.viewer-bar { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .5rem; padding: .6rem .8rem; }
.viewer-words { flex: 1; min-width: 9rem; padding: 0 .4rem; font-size: .9rem; line-height: 1.4; overflow-wrap: anywhere; } .viewer-words b { margin-right: .6rem; font-weight: 600; } .viewer-words span { color: var(--soft); }
.viewer-bar a { font-size: .88rem; }
.viewer button { min-width: 2.2rem; height: 2.2rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; line-height: 1; }
.viewer button:hover { border-color: var(--soft); }
@media screen and (max-width: 56rem) {
  .strip { grid-auto-columns: 9.5rem; overflow-x: auto; padding-bottom: .4rem; scroll-snap-type: x proximity; } .strip > li { scroll-snap-align: start; } .strip figcaption { order: 1; justify-content: flex-start; margin: .45rem 0 0; } .strip .moment { order: 1; }
  .steps thead td, .steps th[scope=row] { position: sticky; left: 0; z-index: 1; width: 5.2rem; background: var(--paper); white-space: normal; font-size: .78rem; } .steps th[scope=row] .sign { display: block; }
  .leads { display: none; } .curve { margin-top: .8rem; }
}
@media (forced-colors: active) { .curve *, .leads * { forced-color-adjust: none; } }
@media print {
  .viewer, .leads { display: none; } .shot, .proof, .curve { break-inside: avoid; }
  .strip { grid-auto-flow: row; grid-template-columns: repeat(6, minmax(0, 1fr)); row-gap: .8rem; margin-bottom: 1rem; } .steps table.pictures { min-width: 0; font-size: 6.5pt; } .steps thead td, .steps th[scope=row] { width: 5.4rem; } .steps th[scope=row] { font-size: 7.5pt; } .steps .moment small { font-size: inherit !important; } .strip figcaption { font-size: 7.5pt; }
}
`;
