export { checkFlags } from './check-flags.ts';
export { createProfile } from './create.ts';
export { drivingOf, type Driving } from './driving.ts';
export {
  ensureProfile,
  exportProfile,
  importNotes,
  importProfile,
  profileFile,
  readProfile,
  replaceProfile,
  writeProfile,
} from './files.ts';
export { flagArguments } from './flag-arguments.ts';
export { applyOverrides, parseOverrides } from './overrides.ts';
export { PRESET_NAMES } from './presets.ts';
export { recognise } from './recognise.ts';
