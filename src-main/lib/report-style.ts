/**
 * What all reports of ours look like, in light and dark: each pair of colours of at least 4.5 : 1;
 * signs say the same without. On paper they are always light.
 */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --fg: #1b1f24; --bg: #fff; --soft: #57606a; --line: #d0d7de;
  --add: #e6ffec; --del: #ffebe9; --hunk: #ddf4ff; --good: #116329; --bad: #a40e26; --warn: #7d4e00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --fg: #e6edf3; --bg: #0d1117; --soft: #9198a1; --line: #30363d; --add: #12361f;
    --del: #4b1a1a; --hunk: #132f4c; --good: #56d364; --bad: #ff8f87; --warn: #e3b341; } }
@media print { :root { color-scheme: light; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: var(--fg); background: var(--bg);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; } h1, h3, li, td, code { overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, monospace; font-size: 13px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
table { border-collapse: collapse; } th, td { text-align: left; padding: 0 .75rem 0 0; vertical-align: top; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
`;
