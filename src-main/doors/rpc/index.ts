export type { Connection } from './connection.ts';
export { guardWrites } from './guard-writes.ts';
export { serveChannel, type Channel, type ChannelOptions } from './serve-channel.ts';
