import './no-eval.ts';
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nProvider } from 'react-aria-components';
import { CallError } from './api/call-error.ts';
import { createClient } from './api/create-client.ts';
import { framePortTransport } from './api/frame-port.ts';
import { createLive } from './api/live.ts';
import { serveAddress, webSocketTransport } from './api/web-socket.ts';
import { App } from './app.tsx';
import { formatPlace } from './navigation.ts';
import { platformOf, shellBridge } from './platform/shell.ts';
import { type Services, ServicesContext } from './services.ts';
import { CrashBoundary } from './shell/crash-boundary.tsx';
import { createNotices } from './shell/notices.ts';
import { listenForKeys } from './shortcuts/listen.ts';
import { createShortcuts } from './shortcuts/registry.ts';
import './styles/tokens.css';
import './styles/global.css';
import { applyLook, rememberedLook } from './styles/theme.ts';

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root');
applyLook(rememberedLook());

// Not with a timer, which comes after the next frame: what changed is in that frame.
notifyManager.setScheduler(queueMicrotask);
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The client asks again by itself after a loss; other failures stay what they are.
      retry: false,
      // Events say what changed; the focus coming back does not.
      refetchOnWindowFocus: false,
      networkMode: 'always',
      staleTime: 2_000,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
const bridge = shellBridge();
const client = createClient({
  connect:
    bridge === null ? webSocketTransport(serveAddress(location.href)) : framePortTransport(bridge),
});
const services: Services = {
  client,
  live: createLive(client, queries),
  platform: platformOf(bridge),
  shortcuts: createShortcuts(),
  notices: createNotices(),
  navigate(place, { replace = false } = {}) {
    const hash = formatPlace(place);
    if (replace) location.replace(hash);
    else location.hash = hash;
  },
};
listenForKeys(services.shortcuts, services.platform);
services.live.run(new AbortController().signal).catch((error: unknown) => {
  // A page that is refused says so in its banner.
  if (error instanceof CallError && error.code === 'page_refused') return;
  services.notices.tell({
    tone: 'bad',
    text: error instanceof Error ? error.message : String(error),
  });
});

createRoot(root).render(
  <StrictMode>
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={queries}>
        <ServicesContext value={services}>
          <CrashBoundary>
            <App />
          </CrashBoundary>
        </ServicesContext>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
