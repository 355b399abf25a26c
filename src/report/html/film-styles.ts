/** The look of the evidence: pictures, the proof made of them, and the viewer that enlarges them. */
export const filmStyles = `
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
.viewer { width: min(62rem, calc(100vw - 2rem)); max-width: none; max-height: calc(100vh - 2rem); padding: 0; border: 0; border-radius: 10px; background: var(--raised); color: var(--ink); }
.viewer::backdrop { background: rgb(0 0 0 / .72); }
.viewer img { display: block; width: 100%; height: auto; max-height: calc(100vh - 8rem); object-fit: contain; background: #fff; }
.viewer-bar { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .5rem; padding: .6rem .8rem; }
.viewer-words { flex: 1; min-width: 9rem; padding: 0 .4rem; font-size: .9rem; line-height: 1.4; overflow-wrap: anywhere; } .viewer-words b { margin-right: .6rem; font-weight: 600; } .viewer-words span { color: var(--soft); }
.viewer-bar a { font-size: .88rem; }
.viewer button { min-width: 2.2rem; height: 2.2rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); cursor: pointer; line-height: 1; }
.viewer button:hover { border-color: var(--soft); }
@media print {
  .viewer { display: none; } .shot, .proof { break-inside: avoid; }
}
`;
