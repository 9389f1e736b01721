export { reportFacts } from './facts.ts';
export { htmlReport } from './html-report.ts';
export { markdownReport } from './markdown-report.ts';
