/**
 * Stable codes of every failure that reaches a door. `exit` is the CLI's exit code:
 * 1 not fixed, 2 usage, 3 environment.
 */
export const ERROR_CODES = {
  usage: { exit: 2 },
  repo_not_found: { exit: 2 },
  repo_not_git: { exit: 2 },
  repo_bare: { exit: 2 },
  repo_empty: { exit: 2 },
  repo_unreadable: { exit: 2 },
  issue_unreadable: { exit: 2 },
  settings_invalid: { exit: 2 },
  scaffold_invalid: { exit: 2 },
  model_spec_invalid: { exit: 2 },
  model_file_invalid: { exit: 2 },
  script_invalid: { exit: 2 },
  session_not_found: { exit: 2 },
  nothing_to_export: { exit: 1 },
  out_unwritable: { exit: 3 },
  endpoint_unreachable: { exit: 3 },
  endpoint_refused: { exit: 3 },
  endpoint_error: { exit: 3 },
  engine_failed: { exit: 3 },
  docker_missing: { exit: 3 },
  docker_not_running: { exit: 3 },
  docker_no_permission: { exit: 3 },
  docker_failed: { exit: 3 },
  image_missing: { exit: 3 },
  image_unusable: { exit: 3 },
  runtime_missing: { exit: 3 },
  hardening_refused: { exit: 3 },
  workspace_failed: { exit: 3 },
  workspace_lost: { exit: 3 },
  workspace_path: { exit: 3 },
  git_missing: { exit: 3 },
  git_failed: { exit: 3 },
  patch_invalid: { exit: 3 },
  store_failed: { exit: 3 },
  disk_full: { exit: 3 },
  internal: { exit: 3 },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
