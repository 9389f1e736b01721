/** Variables by which the launcher is told what must not be in the command line. */
export const KEY_VARIABLE = 'VIVARIUM_SERVER_KEY';
export const SOCKET_VARIABLE = 'VIVARIUM_SERVER_SOCKET';

/**
 * SGLang takes its key from the command line only, and everybody on a machine can read those. So it
 * is started by a few lines of Python that take the key from the environment, where only its own user
 * can, and hand it on inside the process. Its own processes get their settings through a pipe.
 */
const START = `
import os, runpy, sys
key = os.environ.pop("${KEY_VARIABLE}")
sys.argv = ["sglang.launch_server", *sys.argv[1:], "--api-key", key]
`;

/**
 * SGLang cannot listen on a socket file, and a container without network has no other way out. A
 * second process passes connections of the file on to the port inside; it ends with the first.
 */
const RELAY = `
def relay(path, port):
    import ctypes, signal, socket, threading
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            source.close()
            target.close()
    def serve(client):
        try:
            server = socket.create_connection(("127.0.0.1", port))
        except OSError:
            return client.close()
        other = threading.Thread(target=copy, args=(server, client))
        other.start()
        copy(client, server)
        other.join()
        client.close()
        server.close()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
path = os.environ.pop("${SOCKET_VARIABLE}")
if os.fork() == 0:
    relay(path, int(sys.argv[sys.argv.index("--port") + 1]))
`;

const RUN = `
runpy.run_module("sglang.launch_server", run_name="__main__")
`;

/** Python text for `python -c`, before SGLang's own arguments. */
export function launcher(options: { relay: boolean }): string {
  return [START, options.relay ? RELAY : '', RUN].join('');
}
