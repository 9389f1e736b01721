export { checkFlags } from './check-flags.ts';
export { drivingOf, type Driving } from './driving.ts';
export {
  ensureProfile,
  exportProfile,
  importNotes,
  replaceProfile,
  writeProfile,
} from './files.ts';
export { flagArguments } from './flag-arguments.ts';
export { applyOverrides, parseOverrides } from './overrides.ts';
export { recognise } from './recognise.ts';
export { presetScaffolds } from './presets.ts';
