export { openBrowser } from './open-browser.ts';
export { startServer, type ServeOptions, type Serving } from './start-server.ts';
