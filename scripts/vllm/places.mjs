/** Where the real vLLM of the tests lies, and how to tell a whole one from a half-made one. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { ROOT, readText, sha256 } from '../setup/files.mjs';

const HERE = import.meta.dirname;

/** The version that the tests are written for, and how it names itself. */
export const VLLM_VERSION = '0.32.0';

/** @typedef {ReturnType<typeof placesIn>} Places */

/** @param {string} [root] of a checkout */
export function placesIn(root = ROOT) {
  const folder = path.join(root, '.cache', 'vllm');
  const venv = path.join(folder, 'venv');
  return {
    folder,
    venv,
    python: path.join(venv, 'bin', 'python'),
    program: path.join(venv, 'bin', 'vllm'),
    models: path.join(folder, 'models'),
    /** Written last: without it the folder is half-made. */
    stamp: path.join(folder, 'made.json'),
    /** One name a finished group of packages; inside the environment, so that they go together. */
    marks: path.join(venv, 'groups-done'),
    temporary: path.join(folder, 'tmp'),
  };
}

/** @returns {string} what was asked for, as one checksum */
export function wantedPackages() {
  return sha256(`${readText(path.join(HERE, 'requirements.txt'))} ${process.platform}`);
}

/** @returns {string} what makes the models, as one checksum */
export function wantedModels() {
  const files = ['../make-tiny-models.py', 'hermes.jinja', 'coder.jinja'];
  return sha256(files.map((file) => readText(path.join(HERE, file)) ?? '').join('\0'));
}

/** @param {Places} places @returns {Record<string, string>} empty where there is none */
export function readStamp(places) {
  try {
    return JSON.parse(readText(places.stamp) ?? '{}');
  } catch {
    // Cut off while it was written: as good as none.
    return {};
  }
}

/**
 * Cheap enough for every test run: reads a stamp and looks at three files.
 *
 * @param {Places} [places]
 * @returns {string | undefined} what is wrong with the environment, undefined when it is whole
 */
export function whyNoVllm(places = placesIn()) {
  if (!existsSync(places.venv)) return 'it was never made';
  const stamp = readStamp(places);
  if (stamp['packages'] === undefined) return 'making it was interrupted';
  if (stamp['packages'] !== wantedPackages()) return 'the list of packages changed';
  if (!existsSync(places.program) || !existsSync(places.python)) return 'its programs are gone';
  if (stamp['models'] !== wantedModels()) return 'its models are to be made again';
  const models = existsSync(places.models) ? readdirSync(places.models) : [];
  return models.includes('tiny-qwen3') ? undefined : 'its models are gone';
}
