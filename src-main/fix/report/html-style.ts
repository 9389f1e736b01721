/** How the diff of a report looks, on top of what all reports share. */
export const DIFF_STYLE = `
.diff { font-family: ui-monospace, monospace; font-size: 13px; }
.diff { width: 100%; } .diff td { white-space: pre-wrap; padding: 0 .5rem; unicode-bidi: isolate; direction: ltr; }
.diff td:nth-child(-n+2) { width: 1%; text-align: right; color: var(--soft); white-space: nowrap; }
.a { background: var(--add); } .d { background: var(--del); } .h { background: var(--hunk); }
.n { color: var(--soft); }
`;
