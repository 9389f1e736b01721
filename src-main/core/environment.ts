import path from 'node:path';
import { appFolder, isAlive } from '../lib/index.ts';
import { createModelService, type ModelService } from '../models/index.ts';
import { openStore, type Store } from '../store/index.ts';
import {
  connectEngine,
  createOwner,
  imageTree,
  openWorkspace,
  reapOrphans,
  type Engine,
  type OpenWorkspace,
  type Owner,
  type SeedEntry,
  type Workspace,
} from '../workspaces/index.ts';
import { createLiveHub, type LiveHub } from './live/hub.ts';
import type { CoreConfig } from './types.ts';

/** Files that come with the app: scaffolds, image recipes, the demonstration model. */
export const RESOURCES = path.join(appFolder(), 'resources');

/** What the handlers share. Everything costly is opened on first use. */
export class Environment {
  readonly config: CoreConfig;
  /** What the first connection removed of dead owners. */
  reaped = { containers: 0, volumes: 0 };
  private openedStore: Store | undefined;
  private openedModels: ModelService | undefined;
  private openedLive: LiveHub | undefined;
  private owner: Owner | undefined;
  private connected: Promise<Engine> | undefined;
  private readonly workspaces = new Set<Workspace>();
  private readonly endings = new Set<() => Promise<void>>();
  private closing: Promise<void> | undefined;

  constructor(config: CoreConfig) {
    this.config = config;
  }

  /** The record; attempts of dead owners are marked `interrupted` when it is opened. */
  get store(): Store {
    if (!this.openedStore) {
      this.openedStore = openStore(path.join(this.config.home, 'vivarium.db'));
      this.openedStore.markInterrupted(isAlive);
    }
    return this.openedStore;
  }

  /** Models on disk and their servers. */
  get models(): ModelService {
    this.openedModels ??= createModelService({
      home: this.config.home,
      env: this.config.env,
      samples: {
        add: (server, sample) => this.store.addServerSample(server, sample),
        latest: (server) => this.store.latestServerSample(server),
      },
      keeperCommand: this.config.keeperCommand ?? [],
      ...(this.config.startChild && { startChild: this.config.startChild }),
    });
    return this.openedModels;
  }

  /** What happens now, for those who watch. */
  get live(): LiveHub {
    this.openedLive ??= createLiveHub(this.store);
    return this.openedLive;
  }

  /** The container engine; orphans of dead owners are reaped on the first connection. */
  engine(): Promise<Engine> {
    this.connected ??= this.connect().catch((error: unknown) => {
      this.connected = undefined;
      throw error;
    });
    return this.connected;
  }

  private async connect(): Promise<Engine> {
    const engine = await connectEngine({ env: this.config.env });
    this.reaped = await reapOrphans(engine, this.config.home);
    return engine;
  }

  async openWorkspace(options: OpenWorkspace): Promise<Workspace> {
    const engine = await this.engine();
    this.owner ??= createOwner(this.config.home);
    let opened: Workspace | undefined;
    const workspace = await openWorkspace(engine, {
      ...options,
      owner: this.owner,
      // An evaluation opens thousands: closed ones are not kept.
      onRemoved: () => {
        if (opened !== undefined) this.workspaces.delete(opened);
      },
    });
    opened = workspace;
    this.workspaces.add(workspace);
    if (this.closing) await workspace.close();
    return workspace;
  }

  /** Files below a folder of an image; see `imageTree` of the workspaces room. */
  async *imageTree(
    image: string,
    folder: string,
    signal: AbortSignal,
  ): AsyncGenerator<SeedEntry, void, undefined> {
    const engine = await this.engine();
    this.owner ??= createOwner(this.config.home);
    yield* imageTree(engine, image, folder, { owner: this.owner, signal });
  }

  /** Runs at close, before the store goes: model servers and running sessions register here. */
  onClose(ending: () => Promise<void>): () => void {
    this.endings.add(ending);
    return () => this.endings.delete(ending);
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await Promise.allSettled([...this.endings].map((ending) => ending()));
    this.openedLive?.close();
    await Promise.allSettled([...this.workspaces].map((workspace) => workspace.close()));
    await this.owner?.dispose();
    await this.openedModels?.close().catch(() => undefined);
    this.openedStore?.close();
  }
}
