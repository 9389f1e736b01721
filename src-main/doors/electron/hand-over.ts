import { CONTRACT, type Handlers } from '../../contract/index.ts';
import { serveChannel } from '../rpc/index.ts';
import type { WebContents } from './electron-module.ts';
import { portConnection, type MainPort } from './port-connection.ts';
import { senderFault, type SenderOf } from './trusted-sender.ts';

export interface HandOver {
  handlers: Partial<Handlers>;
  /** Ids of the contents of our windows. */
  known: ReadonlySet<number>;
  onFault: (name: string, thrown: unknown) => void;
  tell: (line: string) => void;
}

interface ConnectEvent extends SenderOf {
  ports: readonly MainPort[];
}

/** What takes the ports of pages: one each, the last one counts. */
export interface PageDoors {
  accept(event: ConnectEvent): void;
  /** Ends what these contents have open when they go; a port need not tell by itself. */
  follow(contents: Pick<WebContents, 'id' | 'on'>): void;
}

export function createPageDoors(options: HandOver): PageDoors {
  const current = new Map<number, { close(reason: string): void }>();
  const end = (id: number, reason: string): void => current.get(id)?.close(reason);
  const accept = (event: ConnectEvent): void => {
    const [port, ...more] = event.ports;
    const fault = senderFault(event, options.known) ?? (more.length > 0 ? 'one port only' : null);
    if (port === undefined || fault !== null) {
      const reason = fault ?? 'no port came with it';
      options.tell(`connection refused: ${reason}`);
      for (const one of event.ports) refuse(one, reason);
      return;
    }
    end(event.sender.id, 'the page was loaded again');
    const connection = portConnection(port);
    current.set(event.sender.id, connection);
    connection.onClose(() => {
      if (current.get(event.sender.id) === connection) current.delete(event.sender.id);
    });
    serveChannel({
      contract: CONTRACT,
      handlers: options.handlers,
      connection,
      onFault: options.onFault,
    });
  };
  return {
    accept,
    follow(contents) {
      contents.on('render-process-gone', () => end(contents.id, 'the page is gone'));
      contents.on('destroyed', () => end(contents.id, 'the window is closed'));
    },
  };
}

/** Said, so that nobody waits for an answer that cannot come. */
function refuse(port: MainPort, reason: string): void {
  const error = {
    code: 'bad_request',
    message: `the connection is refused: ${reason}`,
    next: 'Open Vivarium again.',
  };
  port.postMessage(JSON.stringify({ type: 'error', id: null, error }));
  port.close();
}
