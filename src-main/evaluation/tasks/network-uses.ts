/** Something in a script that would reach for a network. */
export interface NetworkUse {
  /** From 1. */
  line: number;
  /** What reaches out: `curl`, `pip install`, `URL`, ... */
  what: string;
  /** The line, without blanks at its ends, cut to 200 characters. */
  text: string;
}

const MAX_TEXT = 200;
const START = String.raw`(?:^|[\s;&|(\`"'=])`;
const END = String.raw`(?=$|[\s;&|)"'\`])`;

/** Programs that reach out, and the words after them that say so; `''` = always. */
const PROGRAMS: readonly (readonly [name: string, program: string, verbs: string])[] = [
  ['curl', 'curl', ''],
  ['wget', 'wget', ''],
  ['apt', '(?:apt-get|apt|aptitude)', '(?:update|install|upgrade|dist-upgrade|build-dep)'],
  ['apk add', 'apk', '(?:add|update|upgrade)'],
  ['yum', '(?:yum|dnf|microdnf|zypper)', '(?:install|update|upgrade|in)'],
  ['pip install', String.raw`(?:pip|pip3|python3?\s+-m\s+pip)`, '(?:install|download|wheel)'],
  ['uv', 'uv', '(?:pip|add|sync|tool|run|lock|python|venv)'],
  ['uvx', 'uvx', ''],
  ['pipx', 'pipx', '(?:install|run)'],
  ['poetry', '(?:poetry|pdm|pipenv|hatch)', '(?:install|add|sync|update)'],
  ['conda', '(?:conda|mamba|micromamba)', '(?:install|create|update|env)'],
  ['npm', '(?:npm|pnpm)', '(?:install|i|ci|add|update)'],
  ['npx', '(?:npx|bunx)', ''],
  ['yarn', '(?:yarn|bun)', '(?:install|add)'],
  ['go get', 'go', String.raw`(?:get|install|mod\s+(?:download|tidy))`],
  ['cargo', 'cargo', '(?:install|fetch|add|update)'],
  ['git', 'git', String.raw`(?:clone|fetch|pull|ls-remote|submodule\s+(?:update|add))`],
  ['gem', '(?:gem|bundle|bundler)', '(?:install|update)'],
  ['composer', 'composer', '(?:install|require|update)'],
  ['playwright', 'playwright', '(?:install|install-deps)'],
];

const PATTERNS = PROGRAMS.map(([name, program, verbs]) => ({
  name,
  // Options may stand between a program and its verb.
  pattern: new RegExp(
    `${START}${program}${verbs === '' ? '' : String.raw`(?:\s+-[^\s]+)*\s+${verbs}`}${END}`,
  ),
}));

const URL_PATTERN = /\b(?:https?|ftp|git|ssh):\/\/([^\s/"'`<>)\]}:]+)|\bgit@[\w.-]+:/g;
const HERE = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?|\$)/;

/**
 * Lines of a shell script, Dockerfile or program that reach for a network: programs that install or
 * fetch, and addresses that are not this machine's. Comments are passed over. A guess from words:
 * what a program does by itself is not seen.
 */
export function networkUses(text: string): NetworkUse[] {
  return text.split('\n').flatMap((raw, at) => {
    const line = raw.trim();
    if (line === '' || /^(#(?!!)|\/\/)/.test(line)) return [];
    const what = useOf(line);
    if (what === undefined) return [];
    return [
      { line: at + 1, what, text: line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line },
    ];
  });
}

function useOf(line: string): string | undefined {
  // `apt-get install curl` is a use of apt: the first program of the line counts.
  const programs = PATTERNS.map(({ name, pattern }) => ({ name, at: line.search(pattern) }));
  const program = programs.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
  // Told to stay offline: `pip install --no-index`, `npm ci --offline`.
  const isOffline = /\s--(?:no-index|offline|prefer-offline=true|no-network)\b/.test(line);
  if (program !== undefined && !isOffline) return program.name;
  const urls = [...line.matchAll(URL_PATTERN)].filter(([, host]) => !HERE.test(host ?? 'git'));
  return urls.length > 0 && !isOffline ? 'URL' : undefined;
}
