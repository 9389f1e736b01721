import { join } from 'node:path';

/** What an engine may see of the user's environment: enough to find its files and its devices. */
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
 * The part of the user's environment that reaches an engine, by allow-list: proxies, library paths,
 * Python paths and variables of other servers do not (S08). Loopback is never proxied.
 */
export function allowedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => ALLOWED.has(entry[0]) && entry[1] !== undefined,
  );
  return { ...Object.fromEntries(kept), NO_PROXY: '127.0.0.1' };
}

/** Tells the libraries of Python engines to fetch nothing and to report nothing. */
export const OFFLINE: Readonly<Record<string, string>> = {
  HF_HUB_OFFLINE: '1',
  TRANSFORMERS_OFFLINE: '1',
  HF_DATASETS_OFFLINE: '1',
  HF_HUB_DISABLE_TELEMETRY: '1',
  VLLM_NO_USAGE_STATS: '1',
  VLLM_DO_NOT_TRACK: '1',
  DO_NOT_TRACK: '1',
};

/** For Python engines: nothing of the user's own packages, and lines as they are printed. */
export const PYTHON: Readonly<Record<string, string>> = {
  PYTHONNOUSERSITE: '1',
  PYTHONUNBUFFERED: '1',
};

/**
 * Puts what Python engines compile and cache into a folder of ours, so that nothing is left in the
 * user's home and nothing in there (tokens, settings) is read.
 */
export function cacheEnvironment(folder: string): Record<string, string> {
  return {
    XDG_CACHE_HOME: join(folder, 'xdg'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    HF_HOME: join(folder, 'huggingface'),
    TRITON_CACHE_DIR: join(folder, 'triton'),
    TORCHINDUCTOR_CACHE_DIR: join(folder, 'torchinductor'),
    TORCH_EXTENSIONS_DIR: join(folder, 'torch-extensions'),
    FLASHINFER_WORKSPACE_BASE: join(folder, 'flashinfer'),
    CUDA_CACHE_PATH: join(folder, 'cuda'),
    NUMBA_CACHE_DIR: join(folder, 'numba'),
  };
}

/**
 * Which GPUs a server sees, by the numbers nvidia-smi gives them; none hides all. CUDA's own order
 * (fastest first) is another one.
 */
export function deviceEnvironment(gpus: readonly number[]): Record<string, string> {
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: gpus.join(',') };
}

/** Where the processes of one server meet: on loopback, not on an address of the network. */
export const LOOPBACK_ONLY: Readonly<Record<string, string>> =
  process.platform === 'linux' ? { GLOO_SOCKET_IFNAME: 'lo', NCCL_SOCKET_IFNAME: 'lo' } : {};
