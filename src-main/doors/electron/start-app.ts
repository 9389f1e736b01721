import path from 'node:path';
import { makeFolderSync, messageOf, VivariumError } from '../../lib/index.ts';
import { vivariumHome } from '../cli/home.ts';
import { createAppLog, type AppLog } from './app-log.ts';
import { APP_SCHEME } from './app-protocol.ts';
import type { ElectronModule, Started } from './electron-module.ts';
import { guardContents } from './guard-contents.ts';
import { runApp } from './run-app.ts';
import { shellText } from './text.ts';

/** Chromium asks the network for things of its own; it has none here. */
const SWITCHES = [
  'disable-background-networking',
  'disable-component-update',
  'disable-domain-reliability',
  'dns-prefetch-disable',
  'no-pings',
] as const;

const NO_START = 3;

/** Starts the app, or ends at once where it runs already; that one is told. */
export function startApp(started: Started): void {
  const { electron, env } = started;
  const { app } = electron;
  app.enableSandbox();
  // The lock is one for each data folder: so is what Chromium keeps.
  if (env['VIVARIUM_HOME']) {
    const folder = path.join(vivariumHome(env), 'electron');
    makeFolderSync(folder, 0o700);
    app.setPath('userData', folder);
  }
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  for (const name of SWITCHES) app.commandLine.appendSwitch(name);
  electron.protocol.registerSchemesAsPrivileged([APP_SCHEME]);
  const log = createAppLog();
  app.on('web-contents-created', (_event, contents) => guardContents(contents, log.add));
  app
    .whenReady()
    .then(() => runApp({ ...started, log, home: vivariumHome(env) }))
    .catch((fault: unknown) => failToStart(electron, log, fault));
}

function failToStart({ app, dialog }: ElectronModule, log: AppLog, fault: unknown): void {
  const next = fault instanceof VivariumError ? `\n\n${fault.next}` : '';
  log.add(`cannot start: ${messageOf(fault)}`);
  dialog.showErrorBox(shellText.failedToStart, `${messageOf(fault)}${next}`);
  app.exit(NO_START);
}
