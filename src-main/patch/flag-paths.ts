import type { ReviewFlagKind } from '../contract/index.ts';

/** Patterns on the normalised path (lower case, NFKC): a whole name, or a folder at any depth. */
const RULES: readonly { kind: ReviewFlagKind; name?: RegExp; folder?: RegExp }[] = [
  {
    kind: 'tests',
    folder: /^(tests?|__tests__|specs?|testing|e2e|testdata|test[-_]suite|.*[-_.]tests?)$/,
    name: /^(test_.*|.*_test|.*[-.]tests?|.*[-_.]spec|tests?)\.(py|pyi|js|jsx|ts|tsx|mjs|cjs|mts|cts|go|rb|rs|java|kt|kts|cs|php|c|cc|cpp|cxx|swift|scala|ex|exs|sh|bats|lua|dart|vue|snap)$|\.(bats|snap|feature)$/,
  },
  {
    kind: 'test_config',
    // A module named like the runner is started in its place.
    folder: /^(_?pytest|pluggy|iniconfig)$/,
    name: /^(conftest\.py|(_?pytest|pluggy|iniconfig)\.py|\.?pytest\.(ini|toml)|setup\.cfg|tox\.(ini|toml)|pyproject\.toml|noxfile\.py|\.coveragerc|(jest|vitest|vite|karma|playwright|cypress|wdio|ava)\.(config|conf|setup)\..*|\.mocharc.*|\.rspec|phpunit\.xml.*|\.?nycrc.*|run_?tests?(\..*)?|makefile|gnumakefile|cmakelists\.txt|build\.gradle(\.kts)?|cargo\.toml|package\.json|testng\.xml|nose\.cfg|unittest\.cfg|.*\.runsettings)$/,
  },
  {
    kind: 'ci',
    folder:
      /^(\.github|\.gitlab|\.circleci|\.buildkite|\.teamcity|\.woodpecker|\.gitea|\.forgejo|\.azure-pipelines|\.tekton)$/,
    name: /^(\.gitlab-ci.*\.ya?ml|jenkinsfile.*|\.travis\.yml|azure-pipelines.*\.ya?ml|bitbucket-pipelines\.ya?ml|\.?appveyor\.ya?ml|\.drone\.ya?ml|\.woodpecker\.ya?ml|cloudbuild\.ya?ml|\.cirrus\.ya?ml|buildspec\.ya?ml|codecov\.ya?ml|\.codecov\.ya?ml)$/,
  },
  {
    kind: 'lock_file',
    name: /^(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|packages\.lock\.json|go\.(work\.)?sum|bun\.lockb|conda-lock\.ya?ml|package\.resolved|.*\.lock|.*\.lockfile|.*-lock\.(json|ya?ml))$/,
  },
  {
    kind: 'package_scripts',
    name: /^(package\.json|pyproject\.toml|setup\.(py|cfg)|(.*[-_.])?requirements([-_.].*)?\.(txt|in)|constraints.*\.txt|pipfile|environment\.ya?ml|manifest\.in|go\.(mod|work)|cargo\.toml|build\.rs|gemfile|rakefile|.*\.gemspec|composer\.json|pom\.xml|(build|settings)\.gradle(\.kts)?|build\.sbt|mix\.exs|pubspec\.yaml|podfile|.*\.(csproj|fsproj|vbproj|sln|props|targets)|deno\.jsonc?|binding\.gyp|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|pip\.conf|uv\.toml|lerna\.json|nx\.json|turbo\.json)$/,
    folder: /^\.(yarn|mvn|cargo)$/,
  },
  {
    kind: 'git_files',
    folder: /^(\.husky|\.?githooks?|git-hooks)$/,
    name: /^(\.gitattributes|\.gitmodules|\.gitconfig|\.lfsconfig|\.?lefthook.*\.(ya?ml|toml|json)|\.pre-commit-(config|hooks)\.ya?ml|\.huskyrc.*|\.lintstagedrc.*|\.overcommit\.yml)$/,
  },
  {
    kind: 'agent_files',
    folder:
      /^\.(claude|cursor|vscode|idea|codex|continue|windsurf|roo|zed|aider.*|gemini|qwen|opencode|openhands|fleet|clinerules|amazonq|kiro|junie|agents?)$/,
    name: /^(agents?(\..*)?\.md|claude(\..*)?\.md|gemini\.md|qwen\.md|copilot-instructions\.md|\.?mcp\.json|\.cursorrules|\.cursorignore|\.windsurfrules|\.clinerules|\.roomodes|\.aider.*|.*\.code-workspace|opencode\.jsonc?|skill\.md|vivarium\.ya?ml)$/,
  },
  {
    kind: 'container_files',
    folder: /^\.devcontainer$/,
    name: /^((.*[-_.])?(docker|container)file([-_.].*)?|(docker-)?compose.*\.ya?ml|\.dockerignore|devcontainer\.json|\.devcontainer\.json|vagrantfile|makefile|gnumakefile|.*\.mk|cmakelists\.txt|.*\.cmake|meson\.build|sconstruct|build(\.bazel)?|workspace(\.bazel)?|module\.bazel|justfile|taskfile\.ya?ml|(flake|default|shell)\.nix|configure(\.ac)?|gulpfile\..*|gruntfile\..*|(webpack|rollup|vite|esbuild|babel|metro)\.config\..*|\.gitpod\.yml|chart\.yaml|skaffold\.yaml)$/,
  },
  {
    kind: 'startup_code',
    name: /^(sitecustomize\.py|usercustomize\.py|.*\.pth|\.pythonrc(\.py)?|\.pythonstartup|\.envrc|\.env|\.(bash|zsh|fish|k|c|tc)?(rc|env|login|logout|profile)|\.(bash|zsh)_?(rc|env|profile|login|logout)|\.profile|\.rprofile|\.irbrc|\.pryrc|\.noderc|\.(gdb|lldb)init|\.(vim|gvim|nvim|ex)rc|\.pdbrc(\.py)?|\.psqlrc|\.sqliterc|\.?mise\.toml|\.inputrc|\.emacs|\.dir-locals\.el|init\.(vim|lua))$/,
  },
];

/** Tests of languages that name them by a capital: only the name as written tells `LatestNews`. */
const CAMEL_TEST =
  /(^|[a-z0-9_])(Tests?|TestCase|Spec|IT)\.(java|kts?|groovy|scala|cs|fs|vb|swift|php|dart)$/;

/** The kinds of flag a path raises by its name alone; case and compatibility forms do not matter. */
export function flagsOfPath(path: string): ReviewFlagKind[] {
  const parts = path
    .normalize('NFKC')
    .toLowerCase()
    // A disguise by invisible characters must not hide a name from the rules.
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .split('/')
    .map((part) => part.replace(/[. ]+$/, ''));
  const name = parts.at(-1) ?? '';
  const folders = parts.slice(0, -1);
  const kinds = RULES.filter(
    (rule) =>
      rule.name?.test(name) === true ||
      (rule.folder !== undefined && folders.some((folder) => rule.folder?.test(folder) === true)),
  ).map(({ kind }) => kind);
  return CAMEL_TEST.test(path) && !kinds.includes('tests') ? ['tests', ...kinds] : kinds;
}

/** Prose: what looks like a call there is only talked about. */
export function isProse(path: string): boolean {
  return /\.(md|markdown|rst|txt|adoc|asciidoc|org|tex|po|pot)$/i.test(path);
}
