import type { Connect } from './transport.ts';

/**
 * What Electron's preload hands to the page: frames of the contract as text, nothing of Electron.
 * There is one channel per page and it lives as long as the page does.
 */
export interface FramePort {
  send(frame: string): void;
  /** Called with each frame; returns what ends it. */
  subscribe(listener: (frame: string) => void): () => void;
}

/** The transport of the Electron shell. */
export function framePortTransport(port: FramePort): Connect {
  return (events) => {
    let closed = false;
    const unsubscribe = port.subscribe((frame) => events.onFrame(frame));
    // In a later turn, as every other transport opens.
    queueMicrotask(() => {
      if (!closed) events.onOpen();
    });
    return {
      send: (frame) => port.send(frame),
      close: () => {
        if (closed) return;
        closed = true;
        unsubscribe();
        events.onClose(false);
      },
    };
  };
}
