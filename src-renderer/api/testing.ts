import {
  clientFrameSchema,
  type ClientFrame,
  type ServerFrame,
} from '../../src-main/contract/index.ts';
import type { Connect, TransportEvents } from './transport.ts';

/** One connection as the core's side of a test sees it. */
export interface TestConnection {
  /** What the client sent, in order. */
  frames: ClientFrame[];
  open(): void;
  send(frame: ServerFrame): void;
  sendText(text: string): void;
  lose(refused?: boolean): void;
  closedByClient(): boolean;
}

/** A transport in the hands of a test; each try to connect is one more of `connections`. */
export function createTestTransport(): { connect: Connect; connections: TestConnection[] } {
  const connections: TestConnection[] = [];
  return {
    connections,
    connect: (events) => {
      const { connection, transport } = createConnection(events);
      connections.push(connection);
      return transport;
    },
  };
}

function createConnection(events: TransportEvents) {
  const frames: ClientFrame[] = [];
  let closed = false;
  const connection: TestConnection = {
    frames,
    open: () => events.onOpen(),
    send: (frame) => events.onFrame(JSON.stringify(frame)),
    sendText: (text) => events.onFrame(text),
    lose: (refused = false) => events.onClose(refused),
    closedByClient: () => closed,
  };
  const transport = {
    send: (text: string) => void frames.push(clientFrameSchema.parse(JSON.parse(text))),
    close: () => {
      if (closed) return;
      closed = true;
      events.onClose(false);
    },
  };
  return { connection, transport };
}
