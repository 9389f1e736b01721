import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** State of a socket that accepts connections, as the kernel writes it. */
const LISTENING = '0A';

/**
 * Whether one of these processes listens on a TCP port of this machine. `null` when nobody does, or
 * when it cannot be told (no Linux). Anyone may take a free port and learn a server's name from the
 * list of processes; only the kernel says whose the socket is, before it is sent a key. The
 * processes are looked for only where somebody listens: a loading server is asked 20 times a second.
 */
export function listensOn(port: number, pids: () => readonly number[]): boolean | null {
  const sockets = listeningSockets(port);
  if (sockets.size === 0) return null;
  return pids().some((pid) => socketsOf(pid).some((socket) => sockets.has(socket)));
}

/** Inodes of the sockets that listen on a port, on any address. */
function listeningSockets(port: number): Set<string> {
  const found = new Set<string>();
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of linesOf(table)) {
      // sl, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      if (state === LISTENING && local.endsWith(wanted)) found.add(`socket:[${inode}]`);
    }
  }
  return found;
}

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, 'latin1').split('\n').slice(1);
  } catch {
    return [];
  }
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((fd) => {
      const target = linkOf(`${folder}/${fd}`);
      return target?.startsWith('socket:') ? [target] : [];
    });
  } catch {
    // Gone, or another user's.
    return [];
  }
}

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
