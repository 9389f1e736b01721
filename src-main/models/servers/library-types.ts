import type { AddProgress, LibraryModel, VerifyResult } from '../../contract/index.ts';

export type {
  AddProgress,
  ModelFacts,
  LayerFacts,
  LicenceStatement,
  ModelFile,
  LibraryModel,
  VerifyResult,
} from '../../contract/index.ts';

export interface AddOptions {
  /** Default: from the names in the files, made safe; a clash is refused. */
  name?: string;
  /** Copy the files into the library (from a USB stick); default: use them where they are. */
  copy?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: AddProgress) => void;
}

export interface ModelLibrary {
  /** @throws VivariumError `model_file_invalid`, `model_exists`, `disk_full` */
  add(path: string, options?: AddOptions): Promise<LibraryModel>;
  list(): Promise<LibraryModel[]>;
  /** @throws VivariumError `model_not_found`, naming close ones */
  get(name: string): Promise<LibraryModel>;
  verify(
    name: string,
    options?: { signal?: AbortSignal; onProgress?: (progress: AddProgress) => void },
  ): Promise<VerifyResult>;
  /** Files are deleted only if they were copied in. @throws `model_in_use` while its server runs */
  remove(name: string): Promise<{ deletedBytes: number }>;
  /** @throws `model_in_use` while its server runs */
  rename(name: string, to: string): Promise<LibraryModel>;
}
