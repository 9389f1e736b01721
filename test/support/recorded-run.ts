/** Runs on record, for rooms that read them. */
export {
  addCell,
  bashTurn,
  INFRA,
  lastTurn,
  testRun,
  textTurn,
  type TestRun,
} from '../../src-main/evaluation/exports/testing.ts';
export { atifSchema } from '../../src-main/evaluation/exports/atif/schema.ts';
