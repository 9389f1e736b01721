/**
 * Workspace images: the recipes of `resources/images/recipes.json` and extra Debian packages.
 * Used by `scripts/bootstrap.mjs` on whatever Node is there, and by `vivarium images build`; built
 * from Node's own modules only.
 */
import path from 'node:path';
import { requireDebian } from './images/archive.mjs';
import { buildBase } from './images/base.mjs';
import { buildBusybox } from './images/busybox.mjs';
import { inspectImage } from './images/docker.mjs';
import { extendImage } from './images/extend.mjs';
import { ROOT, readText, sha256 } from './setup/files.mjs';
import { EnvironmentProblem } from './setup/report.mjs';
import { run } from './setup/run.mjs';

/** @typedef {{ name: string, uid: number, home: string }} User */
/** @typedef {'base' | 'test' | 'go' | 'node' | 'busybox'} ImageName */

/**
 * @typedef {object} Recipe
 * @property {string} tag
 * @property {'debootstrap' | 'extend' | 'busybox'} method
 * @property {string[]} packages Debian package names
 * @property {ImageName} [from] the recipe that an `extend` starts from
 * @property {string[]} [environment] variables of what runs in it, `NAME=value`
 */

/** @typedef {{ user: User, strip: string[], images: Record<ImageName, Recipe> }} Recipes */

export { EnvironmentProblem };

/** Names the recipe that made an image; a different hash means that it has to be made anew. */
export const RECIPE_LABEL = 'vivarium.image.recipe';

/** Raise it when the building itself changes what ends up in an image. */
const BUILDER_VERSION = 2;

/** @param {string} [folder] where `recipes.json` lies @returns {Recipes} */
export function readRecipes(folder = path.join(ROOT, 'resources', 'images')) {
  const file = path.join(folder, 'recipes.json');
  const text = readText(file);
  if (text === undefined) {
    throw new EnvironmentProblem(`${file} cannot be read`, [
      'Restore it: git checkout -- resources',
    ]);
  }
  return JSON.parse(text);
}

/**
 * @param {Recipes} recipes
 * @param {ImageName} name
 * @param {string} codename the release the packages come from
 * @returns {string} 16 hexadecimal digits
 */
export function recipeHash(recipes, name, codename) {
  const { method, packages, from, environment } = recipes.images[name];
  const parts = {
    version: BUILDER_VERSION,
    codename,
    user: recipes.user,
    method,
    packages: packages.toSorted(),
    strip: method === 'debootstrap' ? recipes.strip : [],
    ...(environment !== undefined && { environment }),
    from: from === undefined ? '' : recipeHash(recipes, from, codename),
  };
  return sha256(JSON.stringify(parts)).slice(0, 16);
}

/**
 * @typedef {object} BuildOptions
 * @property {Recipes} [recipes]
 * @property {(text: string) => void} [onProgress] a short text for a person, often
 * @property {AbortSignal} [signal] ends it, and nothing of the image stays; what it starts from may,
 *   whole, where that had to be made first
 */

/**
 * Makes an image unless one made by the same recipe is there.
 *
 * @param {ImageName} name
 * @param {BuildOptions} [options]
 * @returns {Promise<{ tag: string, built: boolean }>}
 * @throws {EnvironmentProblem} Docker, root, debootstrap or the archive is missing
 */
export async function ensureImage(name, options = {}) {
  const recipes = options.recipes ?? readRecipes();
  const { codename } = requireDebian();
  const { tag } = recipes.images[name];
  const present = await inspectImage(tag);
  if (present?.labels[RECIPE_LABEL] === recipeHash(recipes, name, codename)) {
    return { tag, built: false };
  }
  await buildImage(name, options);
  // The outdated one; Docker refuses while a container still uses it, and that is right.
  if (present !== undefined) await run('docker', ['image', 'rm', present.id]);
  return { tag, built: true };
}

/**
 * Makes an image, whether or not it is there. What it starts from is made first if missing.
 *
 * @param {ImageName} name
 * @param {BuildOptions & { extraPackages?: string[], tag?: string }} [options] `extraPackages` are
 *   put on top of the recipe's; `tag` replaces the recipe's
 * @returns {Promise<{ id: string, tag: string }>}
 */
export async function buildImage(name, options = {}) {
  const recipes = options.recipes ?? readRecipes();
  const release = requireDebian();
  const recipe = recipes.images[name];
  const extra = options.extraPackages ?? [];
  const tag = options.tag ?? recipe.tag;
  if (extra.length > 0) {
    const { tag: from } = await ensureImage(name, options);
    const changes = [`LABEL ${RECIPE_LABEL}=${name}+${extra.toSorted().join('+')}`];
    const id = await extendImage({
      from,
      packages: extra,
      tag,
      changes,
      onProgress: options.onProgress ?? (() => {}),
      signal: options.signal,
    });
    return { id, tag };
  }
  if (recipe.from !== undefined) await ensureImage(recipe.from, options);
  const id = await make(recipe, {
    recipes,
    tag,
    codename: release.codename,
    changes: [
      `LABEL ${RECIPE_LABEL}=${recipeHash(recipes, name, release.codename)}`,
      ...['LANG=C.UTF-8', ...(recipe.environment ?? [])].map((variable) => `ENV ${variable}`),
      'CMD ["/bin/sh"]',
    ],
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal,
  });
  return { id, tag };
}

/**
 * @param {Recipe} recipe
 * @param {{ recipes: Recipes, tag: string, codename: string, changes: string[],
 *   onProgress: (text: string) => void, signal: AbortSignal | undefined }} options
 * @returns {Promise<string>}
 */
function make(recipe, { recipes, ...options }) {
  const { packages } = recipe;
  const { user, strip } = recipes;
  switch (recipe.method) {
    case 'debootstrap':
      return buildBase({ ...options, packages, user, strip });
    case 'busybox':
      return buildBusybox({ ...options, packages, user });
    case 'extend':
      return extendImage({ ...options, packages, from: recipes.images[recipe.from ?? 'base'].tag });
  }
}
