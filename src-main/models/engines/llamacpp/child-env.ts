/** What the engine may see of the user's environment: enough to find its files and its devices. */
const ALLOWED = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  // Windows does not start a process without these.
  'SystemRoot',
  'windir',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  // Which graphics device to use is the user's choice.
  'CUDA_VISIBLE_DEVICES',
  'CUDA_DEVICE_ORDER',
  'HIP_VISIBLE_DEVICES',
  'GGML_VK_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
]);

/**
 * The environment of the engine's process, by allow-list: proxies, library paths and variables of
 * other servers do not reach it (S08).
 */
export function childEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => ALLOWED.has(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), NO_PROXY: '127.0.0.1' };
}
