const OFFLINE = 'Vivarium keeps engines off the network and sets it';
const KEY = 'Vivarium makes a key for each start';
const DEATH = 'a server must end with its owner';

/** Variables that a profile may not pass on, in capitals; `*` stands for any ending. */
const REFUSED: readonly (readonly [name: string, reason: string])[] = [
  ['HF_HUB_OFFLINE', OFFLINE],
  ['TRANSFORMERS_OFFLINE', OFFLINE],
  ['HF_DATASETS_OFFLINE', OFFLINE],
  ['VLLM_NO_USAGE_STATS', OFFLINE],
  ['VLLM_DO_NOT_TRACK', OFFLINE],
  ['DO_NOT_TRACK', OFFLINE],
  ['VLLM_USAGE_STATS_SERVER', OFFLINE],
  ['VLLM_USE_MODELSCOPE', OFFLINE],
  ['SGLANG_USE_MODELSCOPE', OFFLINE],
  ['VLLM_HOST_IP', 'it opens the server to the network'],
  ['SGLANG_HOST_IP', 'it opens the server to the network'],
  ['SGLANG_LOCAL_IP_NIC', 'it opens the server to the network'],
  ['VLLM_LOOPBACK_IP', 'it opens the server to the network'],
  ['VLLM_DP_MASTER_IP', 'it opens the server to the network'],
  ['NO_PROXY', 'Vivarium sets it, so that loopback is never sent to a proxy'],
  ['VLLM_API_KEY', KEY],
  ['SGLANG_API_KEY', KEY],
  ['LLAMA_API_KEY', KEY],
  ['LLAMA_ARG_*', 'it is a flag in disguise; write it under flags'],
  ['VIVARIUM_*', 'Vivarium marks its own processes with these'],
  ['VLLM_SERVER_DEV_MODE', 'it opens calls that change the running server'],
  ['VLLM_ALLOW_RUNTIME_LORA_UPDATING', 'it opens calls that change the running server'],
  ['VLLM_ALLOW_INSECURE_SERIALIZATION', 'it lets requests run code in the server'],
  ['VLLM_KEEP_ALIVE_ON_ENGINE_DEATH', DEATH],
  // Such a file may name any class, whose code is then run.
  ['VLLM_LOGGING_CONFIG_PATH', 'it loads code into the server; see --log-config-file'],
  ['ELECTRON_RUN_AS_NODE', 'it changes what our own process is'],
  ['NODE_OPTIONS', 'it loads code into our own process'],
];

/** Why a profile may not pass this variable on; `null` when it may. */
export function refusedVariable(name: string): string | null {
  const upper = name.toUpperCase();
  const hit = REFUSED.find(([known]) =>
    known.endsWith('*') ? upper.startsWith(known.slice(0, -1)) : upper === known,
  );
  return hit === undefined ? null : `${name} is refused: ${hit[1]}`;
}
