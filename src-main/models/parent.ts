/** The other end of {@link OwnedChild}: what a child of ours sees of its parent. */
export interface ParentLink {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface UtilityPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
}

/**
 * Connects a child script to its parent and ends this process, with all it started, as soon as the
 * parent is gone: by the closed message channel, or by the end of standard input where there is one.
 *
 * @throws Error when the script was not started as a child.
 */
export function connectParent(): ParentLink {
  const port = (process as NodeJS.Process & { parentPort?: UtilityPort }).parentPort;
  // Electron ends a utility process with its parent, so there is nothing to watch.
  if (port !== undefined) {
    return {
      send: (message) => port.postMessage(message),
      onMessage: (listener) => port.on('message', (event) => listener(event.data)),
    };
  }
  if (process.send === undefined) throw new Error('This script runs only as a child of Vivarium.');
  process.once('disconnect', dieWithParent);
  process.stdin.once('end', dieWithParent);
  process.stdin.once('error', dieWithParent);
  process.stdin.resume();
  return {
    send: (message) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => process.on('message', listener),
  };
}

/** SIGKILL, because a regular exit waits for native threads that may be busy for minutes. */
function dieWithParent(): void {
  try {
    process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}
