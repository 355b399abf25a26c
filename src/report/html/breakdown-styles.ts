/** The look of "Where the time went": the critical path under the stages. */
export const breakdownStyles = `
.critical { margin-top: 2.6rem; }
.critical h4 { font-size: 1rem; } .critical .path-figure + h4 { margin-top: 1.8rem; margin-bottom: .6rem; }
.path-sentence { max-width: 54rem; margin-top: .5rem; font-size: 1.12rem; line-height: 1.45; font-weight: 550; letter-spacing: -.006em; overflow-wrap: anywhere; }
.path-lead { max-width: 48rem; margin-top: .5rem; color: var(--soft); font-size: .93rem; }
#compare-critical-path + .lead + .body .notes { margin: 0 0 1.4rem; }
.path-key { margin: 1.3rem 0 1.4rem; }
.path-bar { display: block; width: 100%; height: 18px; overflow: visible; }
.path-bar.sample { flex: none; align-self: center; width: 1.7rem; }
.piece { fill: var(--b1); } .piece.delay { fill: var(--soft); } .piece.wait { fill: var(--path-wait); stroke: var(--path-edge); stroke-width: 1; }
.piece.receive { fill: var(--path-edge); stroke: var(--path-edge); stroke-width: 1; } .piece.rest { fill: none; stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 2; }
.piece.beyond { fill: var(--line); }
.critical { --path-wait: #fbe9cf; --path-edge: #9a5b00; }
@media (prefers-color-scheme: dark) { .critical { --path-wait: #3d2f17; --path-edge: #e8b565; } }
.hatch { fill: var(--path-edge); opacity: .42; }
.path-figure { --name: clamp(9rem, 24vw, 22rem); --took: 5rem; padding: .9rem 0 .5rem; border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.path-scale { padding: 0 var(--took) 0 var(--name); }
.path-axis { display: block; width: 100%; height: 18px; overflow: visible; } .path-axis text { fill: var(--soft); font-size: 11.5px; } .path-axis .end { text-anchor: end; font-weight: 600; fill: var(--ink); }
.path-steps { margin: 0; padding: 0; list-style: none; }
.path-step { display: grid; grid-template-columns: var(--name) minmax(0, 1fr) var(--took); align-items: center; min-height: 28px; font-size: .9rem; }
.path-step:hover { background: var(--accent-wash); }
.path-name { min-width: 0; padding-right: 1rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .path-name small { display: inline-block; min-width: 1.5rem; color: var(--soft); font-size: .82rem; }
.path-took { text-align: right; white-space: nowrap; }
.lane { stroke: var(--hair); }
.path-fold > details > summary { padding: .25rem 0 .25rem 1.5rem; font-size: .86rem; }
.path-waits th:nth-child(1), .path-waits th:nth-child(2) { width: 6.5rem; } .path-waits tbody th { font-weight: 600; }
@media screen and (max-width: 45rem) {
  .split, .split.two { grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)); gap: 1rem 1.2rem; }
  .path-figure { --name: 0px; --took: 0px; } .path-axis .near-end { display: none; }
  .path-step { grid-template-columns: minmax(0, 1fr) auto; padding: .3rem 0; } .path-step .path-bar { grid-column: 1 / -1; grid-row: 2; }
}
@media screen and (max-width: 56rem) { .path-waits th:nth-child(n) { width: auto; } }
@media (forced-colors: active) { .path-bar rect { forced-color-adjust: none; } }
@media print { .path-step, .path-figure { break-inside: avoid; } }
`;
