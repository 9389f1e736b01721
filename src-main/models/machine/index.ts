export { probeMachine, type ProbeOptions } from './probe.ts';
