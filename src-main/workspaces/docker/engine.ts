import Docker from 'dockerode';

/** A container engine that answered. */
export interface Engine {
  docker: Docker;
  /** How it was found, for people: `DOCKER_HOST`, `context desktop-linux`, a socket's path. */
  via: string;
  /** E.g. `Docker 20.10.24`. */
  name: string;
}

export async function connectEngine(_options?: {
  env?: Readonly<Record<string, string | undefined>>;
}): Promise<Engine> {
  const docker = new Docker();
  const version = await docker.version();
  return { docker, via: 'default', name: `Docker ${version.Version}` };
}
