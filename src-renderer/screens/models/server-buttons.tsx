import { Button } from '../../components/button.tsx';
import { serverText } from '../../text/en/model-server.ts';
import { isUp } from './figures.ts';
import type { Server } from './use-server.ts';

/** Start, stop and restart: those that make sense in the state it is in. */
export function ServerButtons({ server }: { server: Server }) {
  const { state, isStarting, isStopping } = server;
  if (isStarting) {
    return (
      <Button icon="stop" onPress={server.cancelStart}>
        {serverText.cancelStart}
      </Button>
    );
  }
  if (!isUp({ state })) {
    return (
      <Button variant="primary" icon="play" onPress={() => server.start()}>
        {serverText.start}
      </Button>
    );
  }
  const busy = isStopping || state === 'stopping' ? serverText.stopping : null;
  return (
    <>
      <Button icon="retry" isDisabled={busy !== null} onPress={server.restart}>
        {serverText.restart}
      </Button>
      <Button icon="stop" busy={busy} onPress={() => server.stop()}>
        {serverText.stop}
      </Button>
    </>
  );
}
