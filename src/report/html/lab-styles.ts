/** The look of what the lab adds: conditions, steps, budgets and Lighthouse. */
export const labStyles = `
.conditions { margin-top: .15rem; color: var(--soft); font-size: .95rem; overflow-wrap: anywhere; }
.outcome { color: var(--tone); font-weight: 600; white-space: nowrap; }
.one-of-many.step { margin-left: clamp(.6rem, 3vw, 2rem); padding-left: clamp(.8rem, 2vw, 1.4rem); border-left: 2px solid var(--line); }
.index .step .page-name { padding-left: 1.6rem; font-weight: 450; }
.about-pages { margin: -.9rem 0 2rem; }
.budgets { margin-top: .8rem; } .budgets b { font-weight: 600; } .budgets .drawn { width: 24%; min-width: 9rem; vertical-align: middle; } .budgets small.mono { font-family: var(--mono); font-size: .78rem; }
.budget-bar { display: block; } .budget-bar .allowed { fill: var(--accent-wash); } .budget-bar .axis { stroke: var(--line); } .budget-bar .range { fill: var(--tone); opacity: .4; } .budget-bar .median { stroke: var(--tone); stroke-width: 2.4; } .budget-bar .limit { stroke: var(--ink); stroke-width: 1.4; stroke-dasharray: 3 2; }
.scores { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); gap: 1.4rem 1.6rem; margin-bottom: 2rem; } .scores li { display: grid; align-content: start; justify-items: start; } .scores b { margin-top: .5rem; font-weight: 600; } .scores .outcome { font-size: .88rem; white-space: normal; } .scores small { color: var(--soft); font-size: .84rem; }
.ring { width: 72px; height: 72px; } .ring circle { fill: none; stroke-width: 6; } .ring .track { stroke: var(--line); } .ring .arc { stroke: var(--tone); } .ring text { fill: var(--ink); font-size: 22px; font-weight: 600; letter-spacing: -.03em; }
.columns.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1.8rem 3.5rem; margin: 0; } .beside h4 { margin-bottom: .7rem; } .beside + .fair, .beside .hint { margin-top: 1.4rem; }
.beside b { font-weight: 600; } .columns .fair div { grid-template-columns: 9.5rem minmax(0, 1fr); } .mono.line { display: block; }
@media screen and (max-width: 56rem) { .index .step { margin-left: 1.2rem; } .index .outcome { white-space: normal; } .index .step .page-name { padding-left: 0; } .budgets .drawn { display: block; width: auto; padding: .3rem 0; } .budgets .drawn::before { display: none; } }
@media (max-width: 45rem) { .one-of-many.step { margin-left: 0; padding-left: .7rem; } .columns .fair div { grid-template-columns: minmax(0, 1fr); } }
@media screen and (max-width: 30rem) { .scores { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
@media (forced-colors: active) { .budget-bar *, .ring * { forced-color-adjust: none; } }
@media print { .scores { grid-template-columns: repeat(5, 1fr); } }
`;
