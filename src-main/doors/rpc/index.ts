export type { Connection } from './connection.ts';
export { serveChannel, type Channel, type ChannelOptions } from './serve-channel.ts';
