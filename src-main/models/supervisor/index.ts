export { createSupervisor } from './supervisor.ts';
export type { ServerTick, SupervisorLimits, SupervisorOptions } from './options.ts';
export { serverFiles } from './files.ts';
export { forgetServer, serverFolders } from './forget.ts';
export { reportKeeperFailure } from './keeper-report.ts';
export { forgetKeepRequest, isKeepRequested, leaseServer, otherUsers, requestKeep } from './use.ts';
export { startKeeper, type StartKeeperOptions } from './start-keeper.ts';
