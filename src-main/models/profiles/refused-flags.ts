/** Why a flag is not taken from a profile. */
type Reason = 'network' | 'identity' | 'download' | 'code' | 'writes' | 'ends';

const REASONS: Record<Reason, string> = {
  network: 'it decides who can reach the server, or makes it open connections',
  identity: 'Vivarium sets it, to know and prove which server and which files answer',
  download: 'it fetches from the network',
  code: 'it makes the server run code that did not come with the engine',
  writes: 'it makes the server write files where the profile says',
  ends: 'it makes the program print something and end',
};

/** What to do about something refused. */
export const REFUSED_NEXT =
  'Correct or remove it, or start that server yourself and give its address as the model: http://127.0.0.1:PORT/v1.';

/**
 * Flags of vLLM 0.32, SGLang 0.5 and llama-server (b10809) that a profile may not set, by their
 * long names with dashes; `*` stands for any ending. One table for all engines: a profile's engine
 * may be changed later.
 */
const REFUSED: Record<Reason, readonly string[]> = {
  network: [
    ...['--host', '--port', '--uds', '--reuse-port', '--grpc', '--grpc-port', '--grpc-mode'],
    ...['--smg-grpc-mode', '--allowed-origins', '--allowed-methods', '--allowed-headers'],
    ...['--allow-credentials', '--cors-*', '--root-path', '--fastapi-root-path', '--api-prefix'],
    ...['--ssl-*', '--enable-ssl-refresh', '--headless', '--data-parallel-address'],
    ...['--data-parallel-rpc-port', '--data-parallel-supervisor-port', '--master-addr'],
    ...['--master-port', '--nnodes', '--node-rank', '--dist-init-addr', '--nccl-port', '--rpc'],
    ...['--kv-transfer-config', '--kv-events-config', '--ec-transfer-config', '--use-ray'],
    ...['--weight-transfer-config', '--otlp-traces-endpoint', '--enable-trace', '--tool-server'],
    ...['--disaggregation-*', '--remote-instance-*', '--hicache-storage-*', '--path'],
    ...['--media-path', '--data-parallel-backend', '--data-parallel-rank'],
    ...['--data-parallel-start-rank', '--data-parallel-hybrid-lb', '--data-parallel-external-lb'],
    ...['--data-parallel-multi-port-external-lb', '--kv-offloading-backend'],
    ...['--model-loader-extra-config'],
    ...['--allowed-local-media-path', '--allowed-media-domains', '--file-storage-path'],
  ],
  identity: [
    ...['--api-key', '--api-key-file', '--admin-api-key', '--served-model-name', '--alias'],
    ...['--model', '--model-path', '--model-tag', '--tokenizer', '--tokenizer-path'],
    ...['--revision', '--code-revision', '--tokenizer-revision', '--hf-config-path'],
    ...['--config', '--models-*'],
  ],
  download: [
    ...['--model-url', '--mmproj-url', '--docker-repo', '--hf-repo*', '--hf-file*', '--hf-token'],
    ...['--spec-draft-hf*', '--hfd-repo', '--no-offline'],
  ],
  code: [
    ...['--trust-remote-code', '--tool-parser-plugin', '--reasoning-parser-plugin'],
    ...['--io-processor-plugin', '--middleware', '--logits-processors', '--worker-cls'],
    ...['--worker-extension-cls', '--scheduler-cls', '--model-class-overrides'],
    ...['--log-config-file', '--logging-config', '--trust-request-*', '--forward-hooks'],
    ...['--enable-custom-logit-processor', '--custom-sigquit-handler', '--video-ffmpeg-dir'],
    ...['--distributed-executor-backend'],
    ...['--tools', '--tools-runtime', '--agent', '--mcp-*', '--ui-mcp-proxy', '--webui-mcp-proxy'],
  ],
  writes: [
    ...['--log-file', '--slot-save-path', '--lookup-cache-dynamic', '--crash-dump-folder'],
    ...['--export-metrics-to-file*', '--profiler-config', '--modelopt-export-path'],
    ...['--modelopt-checkpoint-save-path', '--mm-encoder-fp8-scale-save-path'],
  ],
  ends: [
    ...['--help', '--usage', '--version', '--list-devices', '--completion-bash', '--cache-list'],
  ],
};

/** Flags that a member of the profile stands for, so that the plan reckons with it. */
const MEMBER_OF: Readonly<Record<string, string>> = {
  '--max-model-len': 'contextTokens',
  '--context-length': 'contextTokens',
  '--ctx-size': 'contextTokens',
  '--max-num-seqs': 'sequences',
  '--max-running-requests': 'sequences',
  '--parallel': 'sequences',
  '--gpu-memory-utilization': 'memoryShare',
  '--device-memory-utilization': 'memoryShare',
  '--mem-fraction-static': 'memoryShare',
  '--tensor-parallel-size': 'tensorParallel',
  '--tp-size': 'tensorParallel',
  '--tp': 'tensorParallel',
  '--reasoning-parser': 'reasoningParser',
  '--tool-call-parser': 'callParser',
  '--enable-prefix-caching': 'prefixCaching',
  '--no-enable-prefix-caching': 'prefixCaching',
  '--disable-radix-cache': 'prefixCaching',
  '--cache-prompt': 'prefixCaching',
  '--no-cache-prompt': 'prefixCaching',
  '--hf-overrides': 'configOverrides',
  '--json-model-override-args': 'configOverrides',
  '--chat-template': 'chatTemplate',
  '--chat-template-file': 'chatTemplate',
  '--threads': 'threads',
};

/** Short forms that would do the same as refused long ones, to give the reason with them. */
const SHORT_FORMS: Readonly<Record<string, string>> = {
  '-m': '--model',
  '-mu': '--model-url',
  '-mmu': '--mmproj-url',
  '-hf': '--hf-repo',
  '-hfr': '--hf-repo',
  '-hff': '--hf-file',
  '-hft': '--hf-token',
  '-dr': '--docker-repo',
  '-ag': '--agent',
  '-a': '--alias',
  '-h': '--help',
  '-cl': '--cache-list',
  '-c': '--ctx-size',
  '-np': '--parallel',
  '-t': '--threads',
  '-tp': '--tensor-parallel-size',
};

/** Real flags that begin a refused one but are harmless themselves. */
const WHOLE: ReadonlySet<string> = new Set(['--mmproj', '--ui', '--webui']);

/** llama-server's short cuts to models that it downloads: `--gpt-oss-20b-default`. */
const DOWNLOADED_PRESET = /^--.+-default$/;

/**
 * The flag as the engines read it: underscores are dashes, `--flag.member` and `--flag.list+` set
 * parts of `--flag` (vLLM), and what follows `=` is a value.
 */
export function flagName(spelling: string): string {
  const [name = ''] = spelling.split(/[=.\s]/, 1);
  return name.toLowerCase().replaceAll('_', '-').replace(/\+$/, '');
}

/**
 * Why a profile may not set this flag and what to do instead; `null` when it may. Knows the
 * spellings that argparse takes for the same: underscores, dotted members, and beginnings of a
 * name (`--serv` is `--served-model-name`).
 */
export function refusedFlag(spelling: string): string | null {
  if (!spelling.startsWith('-')) return 'a flag is written as --NAME, its value after the colon';
  if (!spelling.startsWith('--')) return refusedShort(spelling);
  const name = flagName(spelling);
  // Its name may hold a dot: --fim-qwen-1.5b-default.
  const preset = DOWNLOADED_PRESET.test(spelling) ? refusal(spelling, 'download') : null;
  const exact = preset ?? refusedExactly(name);
  if (exact !== null) return exact;
  if (WHOLE.has(name)) return null;
  const begun = ALL.find((flag) => flag.startsWith(name) && flag !== name);
  if (begun === undefined) return null;
  return `${spelling} can be read as ${begun}; write the flag out`;
}

const ALL = [...Object.values(REFUSED).flat(), ...Object.keys(MEMBER_OF)].map((flag) =>
  flag.replace(/\*$/, ''),
);

function refusedExactly(name: string): string | null {
  const member = MEMBER_OF[name];
  if (member !== undefined) return `${name} is set by the member ${member}; set that instead`;
  const reason = reasonOf(name);
  return reason === null ? null : refusal(name, reason);
}

function refusal(flag: string, reason: Reason): string {
  return `${flag} is refused: ${REASONS[reason]}`;
}

function reasonOf(name: string): Reason | null {
  for (const [reason, flags] of Object.entries(REFUSED) as [Reason, readonly string[]][]) {
    const hit = flags.some((flag) =>
      flag.endsWith('*') ? name.startsWith(flag.slice(0, -1)) : name === flag,
    );
    if (hit) return reason;
  }
  return null;
}

function refusedShort(spelling: string): string {
  const [short = ''] = spelling.split(/[=\s]/, 1);
  const long = SHORT_FORMS[short];
  const exact = long === undefined ? null : refusedExactly(long);
  if (exact !== null) return exact;
  return `${short} is a short form, which differs between engines; write the long one, beginning with --`;
}
