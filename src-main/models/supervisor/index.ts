export { createSupervisor } from './supervisor.ts';
export type { ServerTick, SupervisorLimits, SupervisorOptions } from './options.ts';
export { keepServer, reportKeeperFailure } from './keeper.ts';
export { startKeeper, type StartKeeperOptions } from './start-keeper.ts';
