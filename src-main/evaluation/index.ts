export { analyse } from './analysis/analyse.ts';
export { atifTrajectory } from './exports/atif/export-atif.ts';
export { exportRun } from './exports/export-run.ts';
export type { ExportRequest } from './exports/request.ts';
export { jsonObject } from './exports/json-object.ts';
export { inOutFolder, type OutFile, type OutFolder } from './exports/out-folder.ts';
export { entryName } from './exports/places.ts';
export { readCell } from './exports/read-cell.ts';
export { jsonFile, jsonText } from './exports/text.ts';
export type { CellRecord, ExportReport, ExportSource } from './exports/types.ts';
export { evidenceOf, logOf } from './grading/evidence-of.ts';
export { grade, gradeIn } from './grading/grade.ts';
export type * from './grading/types.ts';
export { formatReport } from './report/format-report.ts';
export { jsonReportSchema } from './report/json-report.ts';
export { reportData, type ReportData } from './report/report-data.ts';
export type { RunOnRecord } from './report/run-on-record.ts';
export { comparisonSentence, reachSentence, warnings } from './report/sentences.ts';
export { checkTasks } from './runs/check-tasks.ts';
export { completeCell } from './runs/complete-cell.ts';
export { createEnergyMeter, summedPower, type EnergyMeter } from './runs/energy-meter.ts';
export { openPowercap } from './runs/powercap.ts';
export { regradeCell } from './runs/regrade-cell.ts';
export { runEvaluation } from './runs/run-evaluation.ts';
export { timeLeft } from './runs/time-left.ts';
export { runOfSnapshot } from './runs/task-snapshots.ts';
export type * from './runs/types.ts';
export { addTask, type AddRequest } from './tasks/add-task.ts';
export { keepCheck, readChecks, type CheckRun, type TaskCheck } from './tasks/check-file.ts';
export { checkTask } from './tasks/check-task.ts';
export { commandVerifier, inOrder, judgeGlobs } from './tasks/command-verifier.ts';
export { changedPaths, collectFiles } from './tasks/commit-files.ts';
export { changeOf, fixOf } from './tasks/fix-of.ts';
export { exactGlob } from './tasks/import/patch-files.ts';
export {
  importTasks,
  type ImportReport,
  type ImportRequest,
  type TaskFormat,
} from './tasks/import/import-tasks.ts';
export { failuresOf, PASSING, statusesOf, type FoundLists, type Judge } from './tasks/judge.ts';
export { withJudge, type JudgeParts, type Judges } from './tasks/open-judge.ts';
export { preflightTask, type PreflightRow } from './tasks/preflight.ts';
export { LINES_FILE, RUNNER_NAMES, runnerOf } from './tasks/runners/index.ts';
export { readTaskSet } from './tasks/read-task-set.ts';
export { readReleaseBugs, taskFromReleases } from './tasks/releases.ts';
export { hashTask } from './tasks/hash-task.ts';
export { taskTree } from './tasks/task-tree.ts';
export { writeTask } from './tasks/write-task.ts';
export type * from './tasks/types.ts';
