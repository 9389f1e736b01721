/** What Electron runs. The one file that works when it is loaded, beside the preload. */
import * as electron from 'electron';
import process from 'node:process';
import { startApp } from './start-app.ts';

startApp({
  electron,
  env: process.env,
  argv: process.argv,
  platform: process.platform,
});
