export { openBoundedLog, type BoundedLog, type BoundedLogOptions } from './bounded-log.ts';
export { createLineSplitter, type LineHandlers, type LineSplitter } from './line-splitter.ts';
