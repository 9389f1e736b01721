import picomatch from 'picomatch';
import type { Change } from '../../patch/index.ts';
import { filesOfCommand } from './judge-files.ts';

/**
 * What decides whether tests pass, but is not the code under test. A pattern without `/` matches the
 * name at any depth. The kinds are those of the reward-hacking reports: edited tests, test settings
 * (a 4-line `conftest.py` can force exit status 0), build files whose scripts are the test command,
 * code that an interpreter runs by itself, and installed packages that a runner loads as plug-ins.
 */
export const PROTECTED_FILES = {
  tests: [
    '**/{test,tests,__tests__,__mocks__,__snapshots__,e2e,testdata,cypress}/**',
    '**/{*_tests,*-tests,unittests,specs}/**',
    'spec/**',
    '{test_*,*_test,tests,conftest}.py',
    '*_test.{go,rs,rb,cc,cpp,c,dart,exs,ts,js}',
    '*_spec.rb',
    '*.{test,spec}.*',
    'test.{sh,py,js,mjs,ts}',
    '{run_tests,runtests,run-tests}*',
  ],
  settings: [
    '{pytest,.pytest,pytest.*}.{ini,toml}',
    '{setup.cfg,tox.ini,tox.toml,noxfile.py,.coveragerc,hatch.toml,unittest.cfg,nose.cfg}',
    '{jest,vitest,karma,playwright,cypress,ava,wdio}.config.*',
    '{.mocharc*,.nycrc*,.taprc,.rspec,phpunit.xml*,.npmrc,.yarnrc*,.pnpmfile.*}',
    '{bunfig.toml,vitest.workspace.*,jest.setup.*,jest.preset.*,deno.json*,node.config.json}',
    '**/.cargo/**',
    '**/.mvn/**',
  ],
  build: [
    '{[Mm]akefile,GNUmakefile,*.mk,justfile,.justfile,Taskfile.y*ml,Rakefile,CMakeLists.txt}',
    '{gradlew*,gradle.properties,*.gradle,*.gradle.kts,mvnw*}',
    '{go.sum,go.work,go.work.sum}',
  ],
  startup: [
    '{sitecustomize,usercustomize}{.*,}',
    '**/{sitecustomize,usercustomize}/**',
    '*.{pth,pyc,pyo}',
    '{.env,.env.*,.envrc}',
    '**/__pycache__/**',
    '**/*.{egg-info,dist-info}/**',
    '**/node_modules/**',
  ],
  /** Hold settings of the tests, but of the project too. */
  manifests: [
    '{pyproject.toml,package.json,Cargo.toml,go.mod,pom.xml,composer.json,Gemfile,*.gemspec}',
    'vite.config.*',
  ],
} as const;

/** Matched as written, or `Latest.java` would be a test. */
const TEST_CLASSES = ['**/*{Test,Tests}.{java,kt,scala,groovy,cs,php,swift}'];

/** Without regard to case otherwise: some file systems of users make no difference. */
function matcher(patterns: readonly string[]): (path: string) => boolean {
  const anywhere = patterns.map((glob) => (glob.includes('/') ? glob : `**/${glob}`));
  return picomatch(anywhere, { dot: true, nocase: true });
}

/** Whether a path looks like a test or what only tests use, by its name alone. */
export function isTestFile(path: string): boolean {
  return matcher(PROTECTED_FILES.tests)(path) || picomatch.isMatch(path, TEST_CLASSES);
}

/** What of a patch a verification runs with, and what it puts back. */
export interface ProtectedChanges {
  /** Changes to apply on top of the snapshot. */
  kept: Change[];
  /** Paths whose change was dropped, so that the snapshot's content (or absence) stands; sorted. */
  restored: string[];
  /** Those of `restored` that configure the project as well as its tests. */
  manifests: string[];
  /** Of `kept`, what the command itself names: judge and judged at once. */
  named: string[];
}

/**
 * Folders that a dropped deletion brings back. A patch that replaces `tests/` by a link of its own
 * must lose the link too, whatever the link is called.
 */
function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      folders.add(path.slice(0, at));
    }
  }
  return folders;
}

/**
 * Splits a patch into what a verification runs with and what it puts back: edited and deleted
 * protected files are restored, new ones are removed.
 *
 * @param protect globs of the user, added to {@link PROTECTED_FILES}; relative to the repository,
 *   one without `/` matches the name at any depth
 */
export function protectChanges(
  changes: readonly Change[],
  options: { command: string; protect: readonly string[] },
): ProtectedChanges {
  const isManifest = matcher(PROTECTED_FILES.manifests);
  const isTestClass = picomatch(TEST_CLASSES, { dot: true });
  const isNamed = matcher([...Object.values(PROTECTED_FILES).flat(), ...options.protect]);
  const isProtected = (path: string): boolean => isNamed(path) || isTestClass(path);
  const { judges, named } = filesOfCommand(options.command);
  const { kept, restored } = withoutChanges(
    changes,
    (path) => isProtected(path) || judges.has(path),
  );
  return {
    kept,
    restored,
    manifests: restored.filter((path) => isManifest(path)),
    named: kept.map(({ path }) => path).filter((path) => named.has(path)),
  };
}

/**
 * Leaves out the changes of paths that match one of the globs, so that the snapshot's content (or
 * absence) stands there. A glob without `/` matches the name at any depth.
 */
export function keepAsInSnapshot(
  changes: readonly Change[],
  globs: readonly string[],
): Pick<ProtectedChanges, 'kept' | 'restored'> {
  if (globs.length === 0) return { kept: [...changes], restored: [] };
  return withoutChanges(changes, matcher(globs));
}

function withoutChanges(
  changes: readonly Change[],
  isProtected: (path: string) => boolean,
): Pick<ProtectedChanges, 'kept' | 'restored'> {
  const dropped = new Set(changes.map(({ path }) => path).filter(isProtected));
  const deleted = changes.filter(({ kind, path }) => kind === 'deleted' && dropped.has(path));
  const folders = foldersOf(deleted.map(({ path }) => path));
  for (const { kind, path } of changes) {
    if (kind !== 'deleted' && folders.has(path)) dropped.add(path);
  }
  return {
    kept: changes.filter(({ path }) => !dropped.has(path)),
    restored: [...dropped].sort(),
  };
}
