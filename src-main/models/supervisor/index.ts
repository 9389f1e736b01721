export { createSupervisor } from './supervisor.ts';
export type { ServerTick, SupervisorLimits, SupervisorOptions } from './options.ts';
