/** The import rules of the design, as dependency-cruiser reads them. */

/** Rooms by height: a room imports rooms of its own height and below, never above. */
const HEIGHTS = [
  ['doors'],
  ['core'],
  ['synthesis', 'training'],
  ['fix', 'evaluation'],
  ['agent', 'models', 'workspaces', 'patch', 'store'],
  ['calls', 'git', 'lib'],
  ['contract'],
];

/** Tests and what only tests use: `x.test.ts`, `testing.ts`, `testing/x.tsx`. */
const TESTS = '(\\.test|/testing|/testing/[^/]+)\\.tsx?$';

/** @type {import('dependency-cruiser').IForbiddenRuleType} */
const KNOWN_ROOMS = {
  name: 'known-rooms',
  comment: 'a new room gets its height above before it imports anything',
  severity: 'error',
  from: { path: '^src-main/', pathNot: `^src-main/(${HEIGHTS.flat().join('|')})/` },
  to: {},
};

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const RULES = [
  {
    name: 'contract-is-the-bottom',
    comment: 'contract imports zod and itself, so that the renderer can have it',
    severity: 'error',
    from: { path: '^src-main/contract/', pathNot: TESTS },
    to: { pathNot: ['^src-main/contract/', '(^|/)node_modules/zod/'] },
  },
  {
    name: 'rooms-by-their-face',
    comment: "a room is imported by its index.ts only, never by a sibling's inner file",
    severity: 'error',
    from: { path: '^src-main/([^/]+)/' },
    to: {
      path: '^src-main/',
      // Plain constants without zod, for doors that must start fast.
      pathNot: [
        '^src-main/$1/',
        '^src-main/[^/]+/index\\.ts$',
        '^src-main/contract/(least-limits|hidden-characters)\\.ts$',
      ],
    },
  },
  {
    name: 'agent-knows-types-only',
    comment: 'the loop gets its chat model and workspace handed in',
    severity: 'error',
    from: { path: '^src-main/agent/', pathNot: TESTS },
    to: {
      path: '^src-main/(models|workspaces)/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'electron-in-its-door-only',
    comment: 'everything else runs in plain Node',
    severity: 'error',
    from: { pathNot: '^src-main/doors/electron/' },
    to: { path: ['^electron$', '(^|/)node_modules/electron/', '^electron/'] },
  },
  {
    name: 'renderer-knows-contract-only',
    comment: 'the renderer talks to the core over the contract',
    severity: 'error',
    from: { path: '^src-renderer/' },
    to: { path: '^(src-main|scripts|test)/', pathNot: '^src-main/contract/index\\.ts$' },
  },
  {
    name: 'scripts-by-one-door',
    comment: 'of scripts/, the app uses the image builder only',
    severity: 'error',
    from: { path: '^src-main/', pathNot: TESTS },
    to: { path: '^(scripts|test)/', pathNot: '^scripts/images\\.mjs$' },
  },
  {
    name: 'setup-needs-nothing-installed',
    comment: 'set-up runs before npm packages are there',
    severity: 'error',
    from: {
      path: '^scripts/((setup|images)/|(bootstrap|images|fetch-fixtures|vivarium|demo|test)\\.mjs$)',
    },
    to: { dependencyTypesNot: ['core', 'local', 'type-only', 'type-import'] },
  },
  {
    name: 'no-development-packages',
    comment: 'what the app imports at run time is in dependencies',
    severity: 'error',
    from: { path: '^src-main/', pathNot: TESTS },
    // Electron is no package that is installed with the app, but what runs it.
    to: {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
      pathNot: '(^|/)node_modules/electron/',
    },
  },
  {
    name: 'no-cycles',
    comment: 'files that import each other cannot be understood one by one',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-tests-in-the-app',
    comment: 'only tests import tests',
    severity: 'error',
    from: { pathNot: [TESTS, '^test/'] },
    to: { path: TESTS },
  },
  {
    name: 'everything-resolves',
    comment: 'an import that leads nowhere hides what it would have broken',
    severity: 'error',
    from: {},
    // Their forms of `exports` are none that the checker knows.
    to: { couldNotResolve: true, pathNot: '^(@electron/fuses|web-tree-sitter)$' },
  },
];

/** @returns {import('dependency-cruiser').IForbiddenRuleType[]} */
export function importRules() {
  const upward = HEIGHTS.flatMap((rooms, height) =>
    upwardRule(rooms, HEIGHTS.slice(0, height).flat()),
  );
  return [...upward, KNOWN_ROOMS, ...RULES];
}

/**
 * @param {string[]} rooms
 * @param {string[]} above
 * @returns {import('dependency-cruiser').IForbiddenRuleType[]}
 */
function upwardRule(rooms, above) {
  if (above.length === 0) return [];
  return [
    {
      name: `nothing-above-${rooms.join('-')}`,
      comment: `${rooms.join(', ')}: nothing below calls a room above`,
      severity: 'error',
      from: { path: `^src-main/(${rooms.join('|')})/` },
      to: { path: `^src-main/(${above.join('|')})/` },
    },
  ];
}
