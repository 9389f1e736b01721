import { once } from 'node:events';
import { inspect } from 'node:util';
import { messageOf } from '../../../lib/index.ts';
import { isRendererBuilt, rendererFolder } from '../../assets/index.ts';
import { openBrowser, startServer, type Serving } from '../../serve/index.ts';
import type { Console } from '../console.ts';
import { vivariumHome } from '../home.ts';
import { oneLine } from '../render/safe-text.ts';
import { withCore } from '../with-core.ts';

export interface ServeCommandOptions {
  port?: number;
  open?: boolean;
  newLink?: boolean;
}

const NOT_BUILT =
  'note: the pages are not built yet; run `npm run build`, then load the page again\n';
const LOCKED =
  'warning: too many wrong links were tried; browsers that are not known yet are refused until `vivarium serve` is started again\n';
const STOPPING = 'stopping: running sessions are recorded; Ctrl-C again ends at once\n';

/** `vivarium serve`: until Ctrl-C. */
export async function serve(console: Console, options: ServeCommandOptions): Promise<number> {
  return withCore(
    console,
    async ({ core, signal }) => {
      const renderer = rendererFolder();
      const server = await startServer({
        home: vivariumHome(console.env),
        handlers: core.handlers,
        port: options.port ?? 0,
        newLink: options.newLink ?? false,
        renderer,
        onFault: (name, thrown) => tellFault(console, name, thrown),
        onLocked: () => console.err(LOCKED),
      });
      console.out(`${server.link()}\n`);
      if (!isRendererBuilt(renderer)) console.err(NOT_BUILT);
      console.err(`The link is good once; a fresh one is in ${oneLine(server.linkFile)}\n`);
      const browser = options.open === true ? opened(console, server) : undefined;
      if (!signal.aborted) await once(signal, 'abort');
      browser?.forget();
      await server.close();
      return 0;
    },
    { onStop: () => console.err(STOPPING), onKill: () => undefined },
  );
}

function opened(console: Console, server: Serving) {
  return openBrowser(server.link(), server.linkFile, (message) =>
    console.err(`note: no browser was opened (${oneLine(message)}); open the link yourself\n`),
  );
}

function tellFault(console: Console, name: string, thrown: unknown): void {
  console.err(`fault: ${oneLine(name)}: ${oneLine(messageOf(thrown))}\n`);
  if (console.env['VIVARIUM_DEBUG'] === '1') console.err(`${inspect(thrown)}\n`);
}
