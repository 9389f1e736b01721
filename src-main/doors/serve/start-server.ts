import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Handlers } from '../../contract/index.ts';
import path from 'node:path';
import { makeFolderSync, messageOf, VivariumError } from '../../lib/index.ts';
import { guardWrites } from '../rpc/index.ts';
import { createAccess } from './access.ts';
import { answerRequest, type Site } from './answer-request.ts';
import { answerUpgrades } from './answer-upgrades.ts';
import { boundConnections, PATIENCE } from './bound-connections.ts';
import { forgetBrowsers, openBrowserFile } from './browser-file.ts';
import { isServed, openLinkFile } from './link-file.ts';

const LOOPBACK = '127.0.0.1';

export interface ServeOptions {
  /** `VIVARIUM_HOME`. */
  home: string;
  handlers: Partial<Handlers>;
  /** 0 = any that is free. */
  port: number;
  /** Folder of the built pages. */
  renderer: string;
  /** Forgets browsers that are known from before: each needs a link again. */
  newLink?: boolean;
  /** Told each fault of ours, by the name of the call. */
  onFault: (name: string, thrown: unknown) => void;
  /** Told when wrong tokens have locked the door for browsers that are not known yet. */
  onLocked: () => void;
}

export interface Serving {
  port: number;
  /** A link that was not used yet. */
  link(): string;
  /** The file that holds it, for this user only. */
  linkFile: string;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves the pages and the channel on loopback. Throws VivariumError `usage` for a port that cannot
 * be had. Servers of one home can run side by side: each has its own port, links and cookies. A page
 * that was open comes back by itself when its port is served again.
 */
export async function startServer(options: ServeOptions): Promise<Serving> {
  const server = createServer(PATIENCE);
  const bound = boundConnections(server);
  const port = await listen(server, options.port);
  const folder = path.join(options.home, 'serve');
  makeFolderSync(folder, 0o700);
  if (options.newLink === true) forgetBrowsers(folder, (other) => isServed(folder, other));
  const linkFile = openLinkFile(folder, port);
  const linkOf = (token: string): string => `http://${LOOPBACK}:${port}/?token=${token}`;
  const access = createAccess({
    scope: `${LOOPBACK}:${port}`,
    browsers: openBrowserFile(folder, port),
    onChange: (token) => {
      if (token === null) {
        linkFile.remove();
        options.onLocked();
      } else linkFile.write(linkOf(token));
    },
  });
  linkFile.write(linkOf(access.token()));
  const site: Site = { access, port, renderer: options.renderer, linkFile: linkFile.path };
  server.on('request', (request, response) => {
    answerRequest(site, request, response).catch((fault: unknown) => {
      options.onFault(`GET ${request.url?.split('?')[0] ?? ''}`, fault);
      response.destroy();
    });
  });
  // A browser has no dialog of ours: what a page gives out are downloads.
  const handlers = guardWrites(options.handlers, () => false);
  const upgrades = answerUpgrades({ server, bound, site, handlers, onFault: options.onFault });
  return {
    port,
    link: () => linkOf(access.token()),
    linkFile: linkFile.path,
    async close() {
      linkFile.remove();
      const closed = once(server, 'close');
      server.close();
      upgrades.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
  } catch (cause) {
    throw new VivariumError(
      'usage',
      `port ${port} cannot be used: ${messageOf(cause)}`,
      'Leave --port out to take any that is free, or name another.',
      cause,
    );
  }
  // Listening on an address, not on a path of the file system.
  return (server.address() as AddressInfo).port;
}
