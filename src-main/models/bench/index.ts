export { benchModel, type BenchModelOptions, type BenchedModel } from './bench-model.ts';
