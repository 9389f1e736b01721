import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

const known = new WeakMap<Socket, number | null>();

/**
 * The user of this machine that a connection over IPv4 loopback comes from, as the kernel says;
 * `null` where it cannot be told (no Linux). Whoever takes a free port of ours is sent the cookies
 * of pages that try to come back, and a port is no user's own: the cookie alone would let them in.
 */
export function peerUser(socket: Socket): number | null {
  const told = known.get(socket);
  if (told !== undefined) return told;
  const user = lookUp(socket);
  known.set(socket, user);
  return user;
}

function lookUp({ remoteAddress, remotePort, localPort }: Socket): number | null {
  if (remoteAddress !== '127.0.0.1' || remotePort === undefined) return null;
  const local = `0100007F:${hexPort(remotePort)}`;
  const remote = `0100007F:${hexPort(localPort ?? 0)}`;
  for (const [table, prefix] of [
    ['/proc/net/tcp', ''],
    // A socket of both families that connects to an address of IPv4.
    ['/proc/net/tcp6', '0000000000000000FFFF0000'],
  ] as const) {
    const row = rowOf(table, prefix + local, prefix + remote);
    // sl, local address, remote address, state, queues, timer, retransmits, uid
    if (row !== null) return Number(row[7]);
  }
  return null;
}

function rowOf(table: string, local: string, remote: string): string[] | null {
  try {
    for (const line of readFileSync(table, 'latin1').split('\n')) {
      const row = line.trim().split(/\s+/);
      if (row[1] === local && row[2] === remote) return row;
    }
  } catch {
    // No Linux.
  }
  return null;
}

/** Upper case, as the kernel writes it. */
function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
