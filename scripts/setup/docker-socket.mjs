/** Asks a Docker daemon whether it is there. */
import http from 'node:http';

const LIMIT_MS = 3000;

/** @typedef {'ok' | 'silent' | 'forbidden'} Answer */
/** @typedef {{ socketPath: string } | { host: string, port: number } | undefined} Connection */

/**
 * @param {string | undefined} dockerHost the value of DOCKER_HOST
 * @param {string} socket used where DOCKER_HOST is not set
 * @returns {Connection} undefined for kinds that cannot be asked so (ssh, TLS)
 */
export function connectionOf(dockerHost, socket) {
  if (dockerHost === undefined || dockerHost === '') return { socketPath: socket };
  if (dockerHost.startsWith('unix://')) return { socketPath: dockerHost.slice('unix://'.length) };
  const match = /^tcp:\/\/([^/:]+|\[[^\]]+\]):(\d+)/.exec(dockerHost);
  if (match?.[1] === undefined) return undefined;
  return { host: match[1].replace(/[[\]]/g, ''), port: Number(match[2]) };
}

/** @param {Connection} connection @returns {Promise<Answer>} never rejects */
export function ping(connection) {
  if (connection === undefined) return Promise.resolve('silent');
  return new Promise((resolve) => {
    const request = http.get({ ...connection, path: '/_ping', timeout: LIMIT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200 ? 'ok' : 'silent');
    });
    request.on('timeout', () => request.destroy());
    request.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      resolve(code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'silent');
    });
    request.on('close', () => resolve('silent'));
  });
}
