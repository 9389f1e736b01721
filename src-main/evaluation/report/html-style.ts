/** How the report of a run looks, on top of what all reports share. */
export const RUN_STYLE = `
:root { --l0: #0969da; --l1: #bc4c00; --l2: #1a7f37; --l3: #8250df; --l4: #bf3989; --l5: #57606a;
  --ok: #dafbe1; --no: #f6f8fa; --re: #ffebe9; --in: #fff8c5; }
@media screen and (prefers-color-scheme: dark) {
  :root { --l0: #58a6ff; --l1: #f0883e; --l2: #3fb950; --l3: #bc8cff; --l4: #f778ba; --l5: #9198a1;
    --ok: #12361f; --no: #161b22; --re: #4b1a1a; --in: #3a2d05; } }
header p { margin: .25rem 0; } .soft { color: var(--soft); } h2 { margin-top: 2.25rem; }
h3 { margin: 1.5rem 0 .5rem; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
a { color: var(--l0); } .say { max-width: 62rem; } .say li { margin: .25rem 0; }
.note { border-left: 3px solid var(--warn); padding: .125rem .75rem; margin: .75rem 0; max-width: 62rem; }
.note p { margin: .25rem 0; }
.wide { overflow-x: auto; margin: 1rem 0; }
.data { font-size: 13.5px; } .data tbody th { min-width: 11rem; } .facts td { overflow-wrap: anywhere; }
.data caption { text-align: left; color: var(--soft); padding-bottom: .25rem; }
.data th, .data td { padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line); }
.data thead th { vertical-align: bottom; color: var(--soft); font-weight: 600; }
.data tbody th { font-weight: 400; } .data .num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.data thead .num { white-space: normal; } .hash { overflow-wrap: anywhere; }
.facts th { white-space: nowrap; color: var(--soft); }
svg text { font: 11.5px system-ui, sans-serif; fill: var(--fg); }
svg .x, svg .axis { text-anchor: middle; } svg .y, svg .value { text-anchor: end; }
svg .x, svg .y, svg .axis { fill: var(--soft); } svg .name, svg .value { font-size: 13px; }
.grid { stroke: var(--line); fill: none; } .line { fill: none; stroke-width: 2; stroke: var(--l0); }
.dot { fill: var(--l0); }
.l1 { stroke: var(--l1); stroke-dasharray: 7 3; } .l2 { stroke: var(--l2); stroke-dasharray: 2 3; }
.l3 { stroke: var(--l3); stroke-dasharray: 9 3 2 3; } .l4 { stroke: var(--l4); stroke-dasharray: 4 2; }
.l5 { stroke: var(--l5); stroke-dasharray: 12 4; }
.key { width: 26px; height: 8px; vertical-align: middle; }
figure { margin: 1rem 0; } .intervals svg { width: 100%; max-width: 60rem; display: block; }
.chart { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; }
.picture { flex: 0 1 27rem; min-width: min(18rem, 100%); } .picture svg { width: 100%; display: block; }
.chart .wide { flex: 0 1 auto; max-width: 100%; }
.cells td, .cells th { vertical-align: middle; } .cells td.s { text-align: center; min-width: 1.5rem; padding: .05rem .25rem; font-family: ui-monospace, monospace;
  font-size: 13px; border: 1px solid var(--line); }
.cells th { font-weight: 400; } .cells thead th { font-weight: 600; color: var(--soft); vertical-align: bottom; }
.cells thead { position: sticky; top: 0; background: var(--bg); }
.cells th[scope=row] { font-family: ui-monospace, monospace; font-size: 12.5px; padding-right: 1rem; }
.cells .sum { padding: 0 1.25rem 0 .5rem; color: var(--soft); white-space: nowrap; font-size: 13px; }
.cells .seed { text-align: center; padding: 0 .25rem; } .cells .of { padding-right: 1rem; }
td.g { background: var(--ok); color: var(--good); font-weight: 700; } td.f { background: var(--no); color: var(--fg); }
td.r { background: var(--re); color: var(--bad); } td.i { background: var(--in); color: var(--warn); }
td.o { color: var(--soft); }
.legend { list-style: none; padding: 0; columns: 2; max-width: 62rem; font-size: 14px; }
.legend b { display: inline-block; width: 1.5rem; text-align: center; font-family: ui-monospace, monospace; }
.why { width: 100%; } .why td, .why th { border-bottom: 1px solid var(--line); padding: .2rem .75rem .2rem 0; font-size: 13.5px; }
.why tbody th { font-weight: 600; padding-top: .75rem; font-family: ui-monospace, monospace; font-size: 12.5px; }
.why td:nth-child(1) { width: 20%; } .why td:nth-child(2) { width: 17%; } .why td:nth-child(3) { width: 5%; }
.tag { font-weight: 600; } .why code { font-size: 12px; color: var(--soft); }
.why thead th { color: var(--soft); } .tag { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3rem; }
@media (max-width: 50rem) { .legend { columns: 1; } }
@media print {
  body { margin: 0; max-width: none; font-size: 10.5pt; } nav { display: none; } @page { margin: 14mm; }
  h2, h3, caption { break-after: avoid; } figure, tr, .note { break-inside: avoid; }
  .cells thead { position: static; } a { color: inherit; text-decoration: none; } .wide { overflow: visible; }
  td { print-color-adjust: exact; } .picture { flex-basis: 18rem; }
  .data, .why td, .why th { font-size: 8.5pt; } .data tbody th { min-width: 0; } .data th, .data td { padding-right: .5rem; }
  .facts th { white-space: normal; } .facts { font-size: 9.5pt; } .data .num { white-space: normal; }
  .data code.hash { font-size: 7pt; }
}
`;
